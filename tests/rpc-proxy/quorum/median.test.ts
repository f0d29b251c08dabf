import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { highestReached, type WeightedQuantity, weightedMedian } from '../../../rpc-proxy/quorum/median.ts'

const quantities = (
  ...pairs: readonly (readonly [value: number | bigint, weight?: number])[]
): WeightedQuantity[] =>
  pairs.map(([value, weight = 1], index) => ({ value: BigInt(value), weight, operators: 1 << index }))

const some = fc
  .array(fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 1, max: 512 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pairs) => quantities(...pairs))

describe('the weighted median', () => {
  test('is by number and not by text', () => {
    expect(weightedMedian(quantities([9], [10], [100]), false)).toBe(10n)
    expect(weightedMedian(quantities([21_000], [21_001], [3]), false)).toBe(21_000n)
    expect(weightedMedian(quantities([2n ** 255n], [2n ** 64n], [1]), false)).toBe(2n ** 64n)
  })

  test('of two middles is the lower, or the upper where that is asked for', () => {
    expect(weightedMedian(quantities([1], [2]), false)).toBe(1n)
    expect(weightedMedian(quantities([1], [2]), true)).toBe(2n)
    expect(weightedMedian(quantities([1], [2], [3]), true)).toBe(2n)
  })

  test('counts weight', () => {
    expect(weightedMedian(quantities([1], [2], [9, 3]), false)).toBe(9n)
    expect(weightedMedian(quantities([1, 3], [2], [9]), true)).toBe(1n)
  })

  test('of nothing is nothing', () => {
    expect(weightedMedian([], false)).toBeNull()
  })

  test('is the middle of a list in which each value stands as often as it weighs', () => {
    fc.assert(
      fc.property(some, (given) => {
        const list = given.flatMap(({ value, weight }) => Array.from({ length: weight }, () => value))
        list.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        expect(weightedMedian(given, false)).toBe(list[Math.ceil(list.length / 2) - 1])
        expect(weightedMedian(given, true)).toBe(list[Math.floor(list.length / 2)])
      }),
    )
  })

  test('lies within what the honest say while liars weigh less than half', () => {
    fc.assert(
      fc.property(some, some, fc.boolean(), (honest, liars, upper) => {
        const weightOf = (list: readonly WeightedQuantity[]) =>
          list.reduce((sum, { weight }) => sum + weight, 0)
        fc.pre(weightOf(liars) < weightOf(honest))
        const median = weightedMedian([...liars, ...honest], upper) as bigint
        const values = honest.map(({ value }) => value)
        expect(values.some((value) => value <= median) && values.some((value) => value >= median)).toBe(true)
      }),
    )
  })
})

describe('the highest value reached', () => {
  const reached = (given: readonly WeightedQuantity[], needed: number) =>
    highestReached(
      given,
      (operators) =>
        given.reduce((sum, each) => sum + (operators & each.operators ? each.weight : 0), 0) >= needed,
    )

  test('is what enough weight says or outbids', () => {
    expect(reached(quantities([5], [7], [900]), 2)).toBe(7n)
    expect(reached(quantities([5], [7], [900]), 3)).toBe(5n)
    expect(reached(quantities([9, 2], [10]), 2)).toBe(9n)
    expect(reached(quantities([9], [10]), 3)).toBeNull()
  })

  test('is the largest of all values for which that holds', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 600 }), (given, needed) => {
        const good = given
          .map(({ value }) => value)
          .filter(
            (value) =>
              given.filter((each) => each.value >= value).reduce((sum, { weight }) => sum + weight, 0) >=
              needed,
          )
        const expected = good.reduce<bigint | null>(
          (best, value) => (best === null || value > best ? value : best),
          null,
        )
        expect(reached(given, needed)).toBe(expected)
      }),
    )
  })
})
