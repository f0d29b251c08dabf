import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Make, makes, spell } from '../../demo/nodes/makes/spelling.ts'
import { ruleOf } from '../../rpc-proxy/methods/table.ts'
import { canonical, compose } from '../../rpc-proxy/wire/canonical.ts'
import { block, chain, type Json } from '../rpc-proxy/wire/canonical-chain.ts'

interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

const [deployed] = chain.transactions as readonly [Json]
const absent: Json = { ...chain.proof, balance: '0x0', nonce: '0x0', codeHash: `0x${'0'.repeat(64)}` }
const asked: readonly Asked[] = [
  { method: 'eth_getBlockByNumber', params: ['0x2', false], result: block },
  { method: 'eth_getBlockByNumber', params: ['0x2', true], result: chain.fullBlock },
  { method: 'eth_getBlockByHash', params: [block.hash, true], result: chain.fullBlock },
  ...[...chain.transactions, deployed].map((result) => ({
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
  {
    method: 'eth_simulateV1',
    params: [{ blockStateCalls: [{ calls: [{}] }] }, '0x2'],
    result: chain.simulate,
  },
]

const anAnswer = fc.constantFrom(...asked)
const aMake = fc.constantFrom(...makes)

function spelled({ method, params, result }: Asked, make: Make): unknown {
  return JSON.parse(JSON.stringify(spell(make, method, params, result)))
}

describe('nodes of any two makes', () => {
  test('agree on every result, whatever chain it is of', () => {
    fc.assert(
      fc.property(
        anAnswer,
        aMake,
        aMake,
        fc.constantFrom(1, 137, 42161, 31337),
        (answer, one, other, chainId) => {
          const { shape } = ruleOf(answer.method)
          const text = canonical(shape, spelled(answer, one), chainId)
          expect(text).not.toBeNull()
          expect(canonical(shape, spelled(answer, other), chainId)).toBe(text)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('are told as one answer that each of them would have agreed on', () => {
    fc.assert(
      fc.property(anAnswer, aMake, aMake, fc.boolean(), (answer, one, other, verdict) => {
        const { shape } = ruleOf(answer.method)
        const raw = compose(shape, [spelled(answer, one), spelled(answer, other)], { agree: () => verdict })
        expect(canonical(shape, JSON.parse(raw))).toBe(canonical(shape, spelled(answer, one)))
      }),
      { numRuns: 1000 },
    )
  })

  test('do write it differently: every make has at least one result of its own', () => {
    const texts = (make: Make) => JSON.stringify(asked.map((answer) => spelled(answer, make)))
    expect(new Set(makes.map(texts)).size).toBe(makes.length)
  })
})
