import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Client, clients, formatReply } from '../../../demo/nodes/clients/reply-format.ts'
import { methodSpec } from '../../../rpc-proxy/methods/table.ts'
import type { Shape } from '../../../rpc-proxy/wire/canonical.ts'
import { canonical, compose } from '../../../rpc-proxy/wire/canonical.ts'
import { identitiesOf } from '../../../rpc-proxy/wire/reply-identity.ts'
import { block, chain, delivered, type Json, stateSync } from '../../support/canonical-chain.ts'
import { answerTypes } from '../unit/wire/result-types.ts'

/** A method, its params, and its result. */
type Asked = readonly [string, readonly unknown[], unknown]

const absent: Json = { ...chain.proof, balance: '0x0', nonce: '0x0', codeHash: `0x${'0'.repeat(64)}` }
const listed: Json = {
  accessList: [{ address: chain.contract, storageKeys: [`0x${'0'.repeat(64)}`] }],
  gasUsed: '0x6000',
}
const [made] = chain.simulate as [Json]
const failed = (error: Json) => ({ status: '0x0', returnData: '0x', gasUsed: '0x5209', logs: [], error })
const failures = [
  {
    ...made,
    calls: [
      failed({ code: 3, message: 'execution reverted', data: '0xab' }),
      failed({ code: 3, message: 'execution reverted', data: '0x' }),
      failed({ code: -32015, message: 'out of gas' }),
    ],
  },
]

const simulated = [{ blockStateCalls: [{ calls: [{}] }] }, '0x2']
const proven = [chain.contract, ['0x0', '0x1'], '0x2']
const everywhere: readonly Asked[] = [
  ['eth_getBlockByNumber', ['0x2', false], block],
  ['eth_getBlockByNumber', ['0x2', true], chain.fullBlock],
  ['eth_getBlockByHash', [block.hash, true], chain.fullBlock],
  ['eth_getUncleByBlockHashAndIndex', [block.hash, '0x0'], block],
  ...chain.transactions.map((result): Asked => ['eth_getTransactionByHash', [result.hash], result]),
  ...chain.receipts.map((result): Asked => ['eth_getTransactionReceipt', [result.transactionHash], result]),
  ['eth_getBlockReceipts', ['0x2'], chain.blockReceipts],
  ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x2' }], chain.logs],
  ...[chain.proof, absent].map((result): Asked => ['eth_getProof', proven, result]),
  ['eth_feeHistory', ['0x2', '0x2', [10, 90]], chain.feeHistory],
  ['eth_feeHistory', ['0x2', '0x2', []], chain.feeHistoryPlain],
  ['eth_createAccessList', [{ to: chain.contract }, '0x2'], chain.accessList],
  ['eth_createAccessList', [{ to: chain.contract }, '0x2'], listed],
  ...[chain.simulate, failures].map((result): Asked => ['eth_simulateV1', simulated, result]),
]
const onPolygon: readonly Asked[] = [
  ['eth_getTransactionByHash', [delivered.hash], delivered],
  ['eth_getTransactionReceipt', [delivered.hash], stateSync],
]

/** The node implementations of each chain. */
const clientsOf: ReadonlyMap<number, readonly Client[]> = new Map([
  [1, ['geth', 'erigon', 'nethermind', 'besu', 'reth']],
  [137, ['bor', 'erigon']],
  [42161, ['nitro']],
  [31337, clients],
])

const aPair = fc.constantFrom(...clientsOf.keys()).chain((chainId) => {
  const some = fc.constantFrom(...(clientsOf.get(chainId) ?? []))
  return fc.record({
    chainId: fc.constant(chainId),
    answer: fc.constantFrom(...everywhere, ...(chainId === 137 ? onPolygon : [])),
    one: some,
    other: some,
  })
})

function spelled([method, params, result]: Asked, client: Client): unknown {
  return JSON.parse(JSON.stringify(formatReply(client, method, params, result)))
}

/** The group of an answer. */
function identity(shape: Shape, value: unknown, chainId: number): string | null {
  const text = canonical(shape, value, chainId)
  return text === null ? null : (identitiesOf(shape, chainId)?.(text).text ?? text)
}

describe('nodes of any two implementations', () => {
  test('agree on every result of a chain that they follow', () => {
    fc.assert(
      fc.property(aPair, ({ answer, one, other, chainId }) => {
        const { shape } = methodSpec(answer[0])
        const text = identity(shape, spelled(answer, one), chainId)
        expect(text).not.toBeNull()
        expect(identity(shape, spelled(answer, other), chainId)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('give one answer of the type that clients expect, equal to the answer of each', () => {
    fc.assert(
      fc.property(aPair, fc.boolean(), ({ answer, one, other, chainId }, verdict) => {
        const { shape } = methodSpec(answer[0])
        const values = [spelled(answer, one), spelled(answer, other)]
        const reported: unknown = JSON.parse(compose(shape, values, { agree: () => verdict, chainId }))
        expect(answerTypes[shape]?.safeParse(reported).error?.issues ?? []).toEqual([])
        // Without agreement on the gas, the field may be missing.
        if (shape !== 'access-list')
          expect(identity(shape, reported, chainId)).toBe(identity(shape, values[0], chainId))
      }),
      { numRuns: 2000 },
    )
  })
})
