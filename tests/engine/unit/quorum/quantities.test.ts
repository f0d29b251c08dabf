import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OperatorSet } from '../../../../rpc-proxy/quorum/electorate.ts'
import { highestBetween, highestReached, type Quantity } from '../../../../rpc-proxy/quorum/numbers.ts'
import { bits, operator } from '../../support/operators.ts'

interface Weighed extends Quantity {
  readonly weight: number
}

const quantities = (
  ...pairs: readonly (readonly [value: number | bigint, weight?: number])[]
): readonly Weighed[] =>
  pairs.map(([value, weight = 1], index) => ({ value: BigInt(value), weight, operators: operator(index) }))

const some = fc
  .array(fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 1, max: 512 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pairs) => quantities(...pairs))

const weightOf = (given: readonly Weighed[], isMeant: (each: Weighed) => boolean) =>
  given.filter(isMeant).reduce((sum, { weight }) => sum + weight, 0)
const quorumOf = (given: readonly Weighed[], needed: number) => (operators: OperatorSet) =>
  weightOf(given, (each) => (operators & each.operators) !== 0) >= needed
const between = (given: readonly Weighed[], needed: number) => highestBetween(given, quorumOf(given, needed))
const reached = (given: readonly Weighed[], needed: number) => highestReached(given, quorumOf(given, needed))

const highestOf = (values: readonly bigint[]) =>
  values.reduce<bigint | undefined>(
    (best, value) => (best === undefined || value > best ? value : best),
    undefined,
  )

describe('the highest value between two quorums', () => {
  test('compares numbers, not text', () => {
    expect(between(quantities([9], [10], [100]), 2)?.value).toBe(10n)
    expect(between(quantities([2n ** 255n], [2n ** 64n], [1]), 2)?.value).toBe(2n ** 64n)
  })

  test('does not exist when two of three differ', () => {
    expect(between(quantities([21_000], [21_001]), 2)).toBeUndefined()
    expect(between(quantities([21_000], [21_000]), 2)?.value).toBe(21_000n)
    expect(between([], 1)).toBeUndefined()
  })

  test('counts weight, and lists the voters on each side', () => {
    expect(between(quantities([1], [2], [9, 3]), 3)).toEqual({ value: 9n, atMost: 0b111, atLeast: 0b100 })
    expect(between(quantities([1], [2], [9]), 2)).toEqual({ value: 2n, atMost: 0b011, atLeast: 0b110 })
  })

  test('lies between honest values while liars are no quorum', () => {
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 600 }), (honest, lying, more) => {
        const liars = lying.map((each) => ({ ...each, operators: bits(each.operators << honest.length) }))
        const value = between([...liars, ...honest], weightOf(liars, () => true) + more)?.value
        if (value === undefined) return
        const values = honest.map((each) => each.value)
        expect(values.some((each) => each <= value) && values.some((each) => each >= value)).toBe(true)
      }),
    )
  })
})

test('the highest value reached is reported or exceeded by enough weight', () => {
  expect(reached(quantities([5], [7], [900]), 2)?.value).toBe(7n)
  expect(reached(quantities([5], [7], [900]), 3)?.value).toBe(5n)
  expect(reached(quantities([9, 2], [10]), 2)?.value).toBe(9n)
  expect(reached(quantities([9], [10]), 3)).toBeUndefined()
})

test('each is the largest such value', () => {
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 600 }), (given, needed) => {
      const values = given.map(({ value }) => value)
      const isReached = (value: bigint) => weightOf(given, (each) => each.value >= value) >= needed
      const isWithin = (value: bigint) => weightOf(given, (each) => each.value <= value) >= needed
      expect(reached(given, needed)?.value).toBe(highestOf(values.filter(isReached)))
      const good = values.filter((value) => isReached(value) && isWithin(value))
      expect(between(given, needed)?.value).toBe(highestOf(good))
    }),
  )
})
