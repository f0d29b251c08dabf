import type { Operators } from './electorate.ts'

export interface WeightedQuantity {
  readonly value: bigint
  readonly operators: Operators
  readonly weight: number
}

/** The value at half of the weight, numerically; of two middles the lower, or with `upper` the greater. Null for none. */
export function weightedMedian(quantities: readonly WeightedQuantity[], upper: boolean): bigint | null {
  const sorted = ascending(quantities)
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  let below = 0
  for (const { value, weight } of sorted) {
    below += weight
    if (upper ? below * 2 > total : below * 2 >= total) return value
  }
  return null
}

/** The highest value for which those that say it or more are a quorum. Null when there is none. */
export function highestReached(
  quantities: readonly WeightedQuantity[],
  isQuorum: (operators: Operators) => boolean,
): bigint | null {
  let reached: Operators = 0
  for (const { value, operators } of ascending(quantities).reverse()) {
    reached |= operators
    if (isQuorum(reached)) return value
  }
  return null
}

function ascending(quantities: readonly WeightedQuantity[]): WeightedQuantity[] {
  return [...quantities].sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
}
