import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, compose } from '../../../rpc-proxy/wire/canonical.ts'
import { record } from '../../../rpc-proxy/wire/record.ts'
import type { Shape } from '../../../rpc-proxy/wire/shapes.ts'
import { block, chain, type Json, samples, stateSync } from './canonical-chain.ts'

/** Two of the given versions are a quorum. */
const two = (places: readonly number[]) => places.length >= 2
const composed = (shape: Shape, values: readonly unknown[], chainId?: number): unknown =>
  JSON.parse(compose(shape, values, { agree: two, ...(chainId === undefined ? {} : { chainId }) }))

const receipt = chain.receipts[1] as Json
const [log] = receipt.logs as [Json]

describe('an answer put together from several', () => {
  test('keeps what was compared and drops what only one node says', () => {
    const result = composed('block', [
      { ...block, size: '0x1' },
      { ...block, size: '0x2', author: '<script>' },
    ]) as Json
    expect(result).not.toHaveProperty('author')
    expect(result).not.toHaveProperty('size')
    expect(result).toMatchObject({
      hash: block.hash,
      transactions: block.transactions,
      totalDifficulty: '0x0',
    })
  })

  test('keeps a field of vendors on which a quorum has the same bytes', () => {
    const versions = [
      { ...block, size: '0x1' },
      { ...block, size: '0x2' },
      { ...block, size: '0x2' },
    ]
    expect(composed('block', versions)).toMatchObject({ size: '0x2' })
  })

  test('does so inside of it too', () => {
    const geth = { ...receipt, logs: [{ ...log, blockTimestamp: '0x5' }] }
    const nethermind = { ...receipt, logs: [log] }
    const { blockTimestamp: _, ...bare } = log
    const erigon = { ...receipt, logs: [{ ...bare, timestamp: '0x5' }] }
    const lonely = composed('receipt', [geth, erigon]) as { logs: Json[] }
    expect(lonely.logs[0]).not.toHaveProperty('blockTimestamp')
    const shared = composed('receipt', [geth, nethermind, nethermind, erigon]) as { logs: Json[] }
    expect(shared.logs[0]).toMatchObject({ blockTimestamp: log.blockTimestamp, data: log.data })
  })

  test('finds the same log in two orders, and returns them sorted', () => {
    const other = { ...log, logIndex: '0x9', data: '0x02' }
    const one = [
      { ...log, blockTimestamp: '0x5' },
      { ...other, blockTimestamp: '0x6' },
    ]
    const swapped = [...one].reverse()
    expect(composed('logs', [one, swapped])).toEqual(one)
  })

  test('sorts them as numbers: by block, then by transaction, then by place', () => {
    const at = (blockNumber: string, transactionIndex: string, logIndex: string) => ({
      ...log,
      blockNumber,
      transactionIndex,
      logIndex,
    })
    const sorted = [
      at('0x9', '0xff', '0xff'),
      at('0x10', '0x2', '0x9'),
      at('0x10', '0x2', '0x10'),
      at('0x10', '0x2', '0x100'),
      at('0x10', '0x10', '0x3'),
    ]
    expect(composed('logs', [[...sorted].reverse(), sorted])).toEqual(sorted)
  })

  test('writes a field as null only where somebody wrote it', () => {
    const { contractAddress: _, ...without } = receipt
    expect(composed('receipt', [without, { ...without, x: 1 }])).not.toHaveProperty('contractAddress')
    expect(composed('receipt', [without, receipt])).toHaveProperty('contractAddress', null)
  })

  test('writes quantities and hex in one way', () => {
    const loud = {
      ...receipt,
      gasUsed: '0x000557E',
      blockHash: `0x${(receipt.blockHash as string).slice(2).toUpperCase()}`,
    }
    expect(composed('receipt', [loud, receipt])).toMatchObject({
      gasUsed: '0x557e',
      blockHash: receipt.blockHash,
    })
  })

  test("never hands on a node's words for a failure", () => {
    const result = (error: string) => ({ accessList: [], gasUsed: '0x1', error })
    expect(composed('access-list', [result('reverted at https://key@node'), result('no')])).toEqual(
      result('execution reverted'),
    )
  })

  test('leaves a quirk out unless a quorum has it alike', () => {
    const erigon = { ...stateSync, cumulativeGasUsed: '0x20fffe5', effectiveGasPrice: '0xbd01025' }
    expect(composed('receipt', [stateSync, erigon], 137)).not.toHaveProperty('cumulativeGasUsed')
    expect(composed('receipt', [stateSync, erigon, erigon], 137)).toMatchObject({
      cumulativeGasUsed: '0x20fffe5',
    })
  })

  test('gives a transaction both names of its parity, and the price only by quorum', () => {
    const [mined] = [chain.transactions[3] as Json]
    const { yParity: _, ...older } = mined
    const result = composed('transaction', [{ ...older, gasPrice: '0x1' }, mined]) as Json
    expect(result).toMatchObject({ v: mined.v, yParity: mined.v, hash: mined.hash })
    expect(result).not.toHaveProperty('gasPrice')
    expect(composed('transaction', [older, mined])).toHaveProperty('gasPrice', mined.gasPrice)
  })

  test('does not let a name change what an object is', () => {
    const hostile = JSON.parse(
      `{"__proto__":{"polluted":1},"constructor":1,${JSON.stringify(receipt).slice(1)}`,
    ) as Json
    const result = composed('receipt', [hostile, hostile, receipt]) as Json
    expect(result).not.toHaveProperty('polluted')
    const merged = record({}).merge([hostile, hostile], { agree: two, chainId: 0 })
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('does without what cannot be written', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(
      composed('block', [
        { ...block, deep },
        { ...block, deep },
      ]),
    ).not.toHaveProperty('deep')
  })

  test('is null where the camp says null', () => {
    expect(compose('receipt', [null, null], { agree: two })).toBe('null')
  })

  test('says what the camp says, for every shape and whoever agrees', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.boolean(),
        fc.jsonValue(),
        ([shape, value], verdict, extra) => {
          const other =
            typeof value === 'object' && !Array.isArray(value) && shape !== 'json' && shape !== 'storage'
              ? { ...(value as Json), extra }
              : value
          const raw = compose(shape, [value, other], { agree: () => verdict })
          expect(canonical(shape, JSON.parse(raw))).toBe(canonical(shape, value))
        },
      ),
      { numRuns: 300 },
    )
  })
})
