import { type Electorate, isQuorum } from './electorate.ts'
import { isEmpty, type OperatorSet, union } from './operator-set.ts'
import type { ReplyGroup } from './reply-tally.ts'

/** All that a verdict may depend on. No time, no network: the same situation always gets the same verdict. */
export interface Situation {
  readonly electorate: Electorate
  readonly groups: readonly ReplyGroup[]
  readonly voted: OperatorSet
  /** Operators that do not have the block yet, of a call that may be retried at the previous block. */
  readonly behind: OperatorSet
  /** Operators with an upstream request in flight that has not stalled. */
  readonly awaited: OperatorSet
  /** Operators with an upstream request in flight that has stalled. */
  readonly stalled: OperatorSet
  /** Operators with a node left to send to. */
  readonly remaining: OperatorSet
  /** Of those, operators with a usable node. */
  readonly remainingUsable: OperatorSet
  /** Every stalled upstream request is at a node whose breaker is not closed. */
  readonly stalledAreOpen: boolean
  /** The deadline has passed. */
  readonly late: boolean
  /** Whether a result needs one vote more than a quorum. */
  readonly isSuspicious: (value: unknown) => boolean
}

export function resultGroups({ groups }: Situation): readonly ReplyGroup[] {
  return groups.filter((group) => group.kind === 'result')
}

/** Every usable node has replied or stalled. */
export function hasEverybodyReplied({ awaited, remainingUsable }: Situation): boolean {
  return isEmpty(awaited) && isEmpty(remainingUsable)
}

/** Operators that may still vote, whether or not a node of theirs has been sent the call. */
export function outstanding({ awaited, stalled, remaining }: Situation): OperatorSet {
  return union(union(awaited, stalled), remaining)
}

/** Too many nodes lack this block, and all others have replied or stalled. The previous block may have a quorum. */
export function lacksBlock({ electorate, groups, behind, awaited, remaining }: Situation): boolean {
  return (
    !isEmpty(behind) &&
    isEmpty(awaited) &&
    isEmpty(remaining) &&
    couldBeQuorumWith(behind, groups, electorate)
  )
}

/** Whether these and some group together would be a quorum. */
export function couldBeQuorumWith(
  joining: OperatorSet,
  groups: readonly ReplyGroup[],
  electorate: Electorate,
): boolean {
  for (const { operators } of groups) if (isQuorum(electorate, union(operators, joining))) return true
  return false
}

/** Only stalled nodes whose breakers are not closed are left. */
export function onlyOpenNodesLeft({ awaited, remaining, stalled, stalledAreOpen }: Situation): boolean {
  return isEmpty(awaited) && isEmpty(remaining) && !isEmpty(stalled) && stalledAreOpen
}
