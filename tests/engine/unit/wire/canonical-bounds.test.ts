import { describe, expect, test } from 'vitest'
import { canonical } from '../../../../rpc-proxy/wire/canonical.ts'
import { chain, type Json } from '../../../support/canonical-chain.ts'

const { blockTimestamp: _, ...log } = chain.logs[0] as Json
const receipt = chain.receipts[1] as Json
const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))

describe('an answer larger than any honest one is a fault', () => {
  const extra = (count: number) => Object.fromEntries(times(count, (index) => [`vendor${index}`, 0]))

  test('more than 64 extra fields, at any depth of an object', () => {
    const { blobGasPrice: _, ...plain } = receipt
    expect(canonical('receipt', { ...plain, ...extra(64) })).toBe(canonical('receipt', plain))
    expect(canonical('receipt', { ...plain, ...extra(200) })).toBeNull()
    expect(canonical('logs', [{ ...log, ...extra(64) }])).not.toBeNull()
    expect(canonical('logs', [{ ...log, ...extra(65) }])).toBeNull()
  })

  const atOnePlace = (count: number) => times(count, (index) => ({ ...log, data: `0x${index + 1000}` }))
  test('more duplicate logs than any client bug has produced', () => {
    const logs = atOnePlace(64)
    expect(canonical('logs', logs)).toBe(canonical('logs', logs.toReversed()))
    expect(canonical('logs', logs)).not.toBeNull()
    expect(canonical('logs', atOnePlace(65))).toBeNull()
    expect(canonical('receipt', { ...receipt, logs: atOnePlace(65) })).toBeNull()
  })

  const path = (count: number) => times(count, () => '0x01')
  test('a proof longer than the longest trie path', () => {
    expect(canonical('proof', { ...chain.proof, accountProof: path(65) })).not.toBeNull()
    expect(canonical('proof', { ...chain.proof, accountProof: path(66) })).toBeNull()
    const slot = (chain.proof.storageProof as Json[])[0]
    expect(canonical('proof', { ...chain.proof, storageProof: times(257, () => slot) })).toBeNull()
  })

  test('a fee history with more blocks or percentiles than a call may ask for', () => {
    const rewards = (blocks: number, ranks: number) => ({
      ...chain.feeHistory,
      reward: times(blocks, () => times(ranks, () => '0x1')),
    })
    expect(canonical('fee-history', rewards(1024, 100))).not.toBeNull()
    expect(canonical('fee-history', rewards(1026, 1))).toBeNull()
    expect(canonical('fee-history', rewards(1, 101))).toBeNull()
  })
})

describe('a fee history without blobs', () => {
  const plain = chain.feeHistoryPlain
  const junks = ['', [[]], [[['0x0']]], [null], [false], [''], {}].map((junk) => ({ junk }))
  test.each(junks)('with $junk in the blob fields is a fault', ({ junk }) => {
    expect(canonical('fee-history', { ...plain, baseFeePerBlobGas: junk })).toBeNull()
    expect(canonical('fee-history', { ...plain, blobGasUsedRatio: junk })).toBeNull()
  })

  test.each([{ reward: [''] }, { reward: [{ length: 0 }] }, { reward: ['0x'] }])(
    'with $reward is a fault when no rewards were asked for',
    ({ reward }) => {
      expect(canonical('fee-history', { ...plain, reward })).toBeNull()
    },
  )
})
