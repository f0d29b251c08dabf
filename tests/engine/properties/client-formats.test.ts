import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Client, clients, formatReply } from '../../../demo/nodes/clients/reply-format.ts'
import { methodSpec } from '../../../rpc-proxy/methods/table.ts'
import type { Shape } from '../../../rpc-proxy/wire/canonical.ts'
import { canonical, compose } from '../../../rpc-proxy/wire/canonical.ts'
import { identitiesOf } from '../../../rpc-proxy/wire/reply-identity.ts'
import { block, chain, delivered, type Json, stateSync } from '../../support/canonical-chain.ts'
import { answerTypes } from '../unit/wire/result-types.ts'

interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

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

const everywhere: readonly Asked[] = [
  { method: 'eth_getBlockByNumber', params: ['0x2', false], result: block },
  { method: 'eth_getBlockByNumber', params: ['0x2', true], result: chain.fullBlock },
  { method: 'eth_getBlockByHash', params: [block.hash, true], result: chain.fullBlock },
  { method: 'eth_getUncleByBlockHashAndIndex', params: [block.hash, '0x0'], result: block },
  ...chain.transactions.map((result) => ({
    method: 'eth_getTransactionByHash',
    params: [result.hash],
    result,
  })),
  ...chain.receipts.map((result) => ({
    method: 'eth_getTransactionReceipt',
    params: [result.transactionHash],
    result,
  })),
  { method: 'eth_getBlockReceipts', params: ['0x2'], result: chain.blockReceipts },
  { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x2' }], result: chain.logs },
  { method: 'eth_getProof', params: [chain.contract, ['0x0', '0x1'], '0x2'], result: chain.proof },
  { method: 'eth_getProof', params: [chain.contract, ['0x0', '0x1'], '0x2'], result: absent },
  { method: 'eth_feeHistory', params: ['0x2', '0x2', [10, 90]], result: chain.feeHistory },
  { method: 'eth_feeHistory', params: ['0x2', '0x2', []], result: chain.feeHistoryPlain },
  { method: 'eth_createAccessList', params: [{ to: chain.contract }, '0x2'], result: chain.accessList },
  { method: 'eth_createAccessList', params: [{ to: chain.contract }, '0x2'], result: listed },
  {
    method: 'eth_simulateV1',
    params: [{ blockStateCalls: [{ calls: [{}] }] }, '0x2'],
    result: chain.simulate,
  },
  { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls: [{}] }] }, '0x2'], result: failures },
]
const onPolygon: readonly Asked[] = [
  { method: 'eth_getTransactionByHash', params: [delivered.hash], result: delivered },
  { method: 'eth_getTransactionReceipt', params: [delivered.hash], result: stateSync },
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

function spelled({ method, params, result }: Asked, client: Client): unknown {
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
        const { shape } = methodSpec(answer.method)
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
        const { shape } = methodSpec(answer.method)
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
