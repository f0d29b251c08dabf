import type { UnknownError } from '../wire/types.ts'
import {
  countOperators,
  difference,
  type Electorate,
  isEmpty,
  isQuorum,
  type OperatorSet,
  union,
  unionOf,
} from './electorate.ts'

/** An operator with a node that cannot reply: it has no such method, has pruned the block, or takes no such filter or range. */
export type Unable = { readonly operator: OperatorSet } & (
  | { readonly why: 'method' | 'pruned' | 'filter' }
  | { readonly why: 'unknown'; readonly error: UnknownError }
  /** `takes`: blocks in one range. */
  | { readonly why: 'range'; readonly takes: number }
)

type Unexplained = Extract<Unable, { why: 'unknown' }>

export function isSameError(a: UnknownError | undefined, b: UnknownError): boolean {
  return a?.code === b.code && a.message === b.message
}

interface SameError {
  readonly error: UnknownError
  /** That give it, and have answered nothing. */
  readonly operators: OperatorSet
}

/** The unknown errors that were given. */
function sameErrorsOf(unable: readonly Unable[], answered: OperatorSet): readonly SameError[] {
  const unknown = unable.filter((each): each is Unexplained => each.why === 'unknown')
  return unknown.map(({ error }) => {
    const alike = unknown.filter((other) => isSameError(other.error, error))
    return { error, operators: difference(unionOf(alike.map(({ operator }) => operator)), answered) }
  })
}

/** The unknown error that a quorum gives alike, and two operators at least: the words of one may hold its secrets. */
export function refusedBy(
  unable: readonly Unable[],
  answered: OperatorSet,
  electorate: Electorate,
): UnknownError | null {
  const isOfQuorum = ({ operators }: SameError) =>
    countOperators(operators) > 1 && isQuorum(electorate, operators)
  return sameErrorsOf(unable, answered).find(isOfQuorum)?.error ?? null
}

interface Errors {
  readonly electorate: Electorate
  readonly voted: OperatorSet
  readonly unable: readonly Unable[]
}

/** Whether a quorum would refuse alike if these did. */
export function mayRefuse({ electorate, voted, unable }: Errors, open: OperatorSet): boolean {
  return sameErrorsOf(unable, voted).some(({ operators }) => isQuorum(electorate, union(operators, open)))
}

/** Some operators answer and some refuse alike: together they would be a quorum, and none of the two sides is. */
export function isErrorDisputed({ electorate, voted, unable }: Errors): boolean {
  const isDisputed = ({ operators }: SameError) =>
    countOperators(operators) > 1 && isQuorum(electorate, union(operators, voted))
  return (
    !isEmpty(voted) &&
    refusedBy(unable, voted, electorate) === null &&
    sameErrorsOf(unable, voted).some(isDisputed)
  )
}
