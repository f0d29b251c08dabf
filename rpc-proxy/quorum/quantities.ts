import { noOperators, type OperatorSet, union } from './operator-set.ts'

/** A number, and the operators that report it. */
export interface Quantity {
  readonly value: bigint
  readonly operators: OperatorSet
}

/** A reported number, with the operators that report at most and at least as much. */
export interface Sides {
  readonly value: bigint
  readonly atMost: OperatorSet
  readonly atLeast: OperatorSet
}

type IsQuorum = (operators: OperatorSet) => boolean

/** The highest value that a quorum reaches: it reports that much or more. */
export function highestReached(quantities: readonly Quantity[], isQuorum: IsQuorum): Sides | undefined {
  return sidesOf(quantities).find(({ atLeast }) => isQuorum(atLeast))
}

/**
 * The highest value of which a quorum reports at most that and a quorum at least that. While liars are no quorum, some
 * honest operator reports no less and some honest operator no more, so that it lies within what the honest report.
 */
export function highestBetween(quantities: readonly Quantity[], isQuorum: IsQuorum): Sides | undefined {
  return sidesOf(quantities).find(({ atMost, atLeast }) => isQuorum(atMost) && isQuorum(atLeast))
}

/** From the highest value to the lowest. */
function sidesOf(quantities: readonly Quantity[]): readonly Sides[] {
  const reporting = (isMeant: (value: bigint) => boolean) =>
    quantities.reduce(
      (set, { value, operators }) => (isMeant(value) ? union(set, operators) : set),
      noOperators,
    )
  return [...quantities]
    .sort((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0))
    .map(({ value }) => ({
      value,
      atMost: reporting((other) => other <= value),
      atLeast: reporting((other) => other >= value),
    }))
}
