import { difference, isEmpty, type OperatorSet } from '../quorum/operator-set.ts'

/** Which of the words that operators have given still count. It outlives a reload that leaves the voters as they are. */
export interface Trust {
  /** Counts the distrusts so far: a round remembers the epoch in which it began. */
  readonly epoch: () => number
  /** What these operators have said until now counts no more. */
  readonly distrust: (operators: OperatorSet) => void
  /** Those of these operators whose word of that moment still counts. */
  readonly believed: (operators: OperatorSet, epoch: number) => OperatorSet
}

export function createTrust(): Trust {
  /** Each distrust, the oldest first: an operator is named by its latest one alone. */
  let distrusts: readonly { readonly operators: OperatorSet; readonly epoch: number }[] = []
  let now = 0

  return {
    epoch: () => now,
    distrust(operators) {
      now += 1
      const others = distrusts
        .map((each) => ({ ...each, operators: difference(each.operators, operators) }))
        .filter((each) => !isEmpty(each.operators))
      distrusts = [...others, { operators, epoch: now }]
    },
    believed(operators, epoch) {
      // Every cache hit asks, and hardly ever has anybody been distrusted since.
      if (epoch === now) return operators
      return distrusts.reduce(
        (left, each) => (each.epoch > epoch ? difference(left, each.operators) : left),
        operators,
      )
    },
  }
}
