import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Shape } from '../../../../rpc-proxy/wire/canonical.ts'
import { canonical, compose } from '../../../../rpc-proxy/wire/canonical.ts'
import { record } from '../../../../rpc-proxy/wire/record.ts'
import { block, chain, type Json, samples, stateSync } from '../../../support/canonical-chain.ts'

/** Composes the given versions; two are a quorum. */
const two = (places: readonly number[]) => places.length >= 2
const composed = (shape: Shape, values: readonly unknown[], chainId?: number): unknown =>
  JSON.parse(compose(shape, values, { agree: two, ...(chainId === undefined ? {} : { chainId }) }))

const receipt = chain.receipts[1] as Json
const [log] = receipt.logs as [Json]

describe('an answer composed of several', () => {
  test('sorts logs numerically by block, transaction and log index', () => {
    const sorted = ['0x9 0xff 0xff', '0x10 0x2 0x9', '0x10 0x2 0x10', '0x10 0x2 0x100', '0x10 0x10 0x3'].map(
      (place) => {
        const [blockNumber, transactionIndex, logIndex] = place.split(' ')
        return { ...log, blockNumber, transactionIndex, logIndex }
      },
    )
    expect(composed('logs', [[...sorted].reverse(), sorted])).toEqual(sorted)
  })

  test('never returns the failure text of a node', () => {
    const result = (error: string) => ({ accessList: [], gasUsed: '0x1', error })
    expect(composed('access-list', [result('reverted at https://key@node'), result('no')])).toEqual(
      result('execution reverted'),
    )
  })

  test('drops a quirk without a quorum for it', () => {
    const erigon = { ...stateSync, cumulativeGasUsed: '0x20fffe5', effectiveGasPrice: '0xbd01025' }
    expect(composed('receipt', [stateSync, erigon], 137)).not.toHaveProperty('cumulativeGasUsed')
    expect(composed('receipt', [stateSync, erigon, erigon], 137)).toMatchObject({
      cumulativeGasUsed: '0x20fffe5',
    })
  })

  test('gives a transaction both v and yParity, and a gas price only by quorum', () => {
    const [mined] = [chain.transactions[3] as Json]
    const { yParity: _, ...older } = mined
    const result = composed('transaction', [{ ...older, gasPrice: '0x1' }, mined]) as Json
    expect(result).toMatchObject({ v: mined.v, yParity: mined.v, hash: mined.hash })
    expect(result).not.toHaveProperty('gasPrice')
    expect(composed('transaction', [older, mined])).toHaveProperty('gasPrice', mined.gasPrice)
  })

  test('treats __proto__ and constructor as ordinary fields', () => {
    const hostile = JSON.parse(
      `{"__proto__":{"polluted":1},"constructor":1,${JSON.stringify(receipt).slice(1)}`,
    ) as Json
    const result = composed('receipt', [hostile, hostile, receipt]) as Json
    expect(result).not.toHaveProperty('polluted')
    const merged = record({}).merge([hostile, hostile], { agree: two, chainId: 0 })
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('drops fields that cannot be serialized', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(composed('block', Array(2).fill({ ...block, deep }))).not.toHaveProperty('deep')
  })

  test('equals the answer of the group, for every shape and any voters', () => {
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
