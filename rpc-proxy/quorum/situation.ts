import type { UpstreamState } from '../round/round.ts'
import type { OperatorIndex } from '../runtime/indexes.ts'
import { type Electorate, isQuorum } from './electorate.ts'
import { contains, difference, isEmpty, noOperators, type OperatorSet, setOf, union } from './operator-set.ts'
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

/** A node that can be sent the call. */
export interface ReadMember {
  readonly operator: OperatorIndex
  readonly isUsable: boolean
  /** Its breaker is not closed: no verdict waits for it alone. */
  readonly open: boolean
  /** Sent the call in tightened and protected rounds only. */
  readonly isWitness: boolean
  /** Its state is not `usable`, whatever is called: silence of a voter that tightens a round. */
  readonly isDown: boolean
}

interface Progress
  extends Pick<Situation, 'awaited' | 'stalled' | 'remaining' | 'remainingUsable' | 'stalledAreOpen'> {
  /** Every awaited upstream request is at a node whose breaker is not closed. */
  readonly awaitedAreOpen: boolean
  /** What a request counts as that has waited in our queue for as long as a stall. */
  readonly queuedTooLongAs: 'awaited' | 'stalled'
  /** Witnesses may be sent the call. */
  readonly withWitnesses: boolean
}

/** A situation, and what only the round's own policy depends on. */
export type RoundSituation = Situation & Progress

/** The situation of a round, changed in place: a round has some four steps. */
export type RoundSituationNow = { -readonly [Key in keyof RoundSituation]: RoundSituation[Key] }

interface Started {
  readonly state: UpstreamState
}

/** Writes which operators are awaited, have stalled, and could still be sent the call. `requests` are those of the members, by position. */
export function noteProgress(
  situation: RoundSituationNow,
  members: readonly ReadMember[],
  requests: readonly (Started | undefined)[],
): void {
  const { voted, queuedTooLongAs, withWitnesses } = situation
  let awaited = noOperators
  let stalled = noOperators
  let remaining = noOperators
  let remainingUsable = noOperators
  let stalledAreOpen = true
  let awaitedAreOpen = true
  // By index: it runs some nine times for each round, and an iterator makes an array for each step.
  for (let index = 0; index < members.length; index++) {
    const member = members[index] as ReadMember
    if (contains(voted, member.operator) || (member.isWitness && !withWitnesses)) continue
    const operator = setOf(member.operator)
    const own = requests[index]?.state
    const state = own === 'queued-too-long' ? queuedTooLongAs : own
    if (state === 'awaited' || state === 'queued') {
      awaited = union(awaited, operator)
      awaitedAreOpen &&= member.open
    } else if (state === 'stalled') {
      stalled = union(stalled, operator)
      stalledAreOpen &&= member.open
    } else if (state === undefined) {
      remaining = union(remaining, operator)
      if (member.isUsable) remainingUsable = union(remainingUsable, operator)
    }
  }
  // A second node of an operator that is awaited adds nothing.
  situation.awaited = awaited
  situation.stalled = stalled
  situation.remaining = difference(remaining, awaited)
  situation.remainingUsable = difference(remainingUsable, awaited)
  situation.stalledAreOpen = stalledAreOpen
  situation.awaitedAreOpen = awaitedAreOpen
}

/** An operator that votes every day has no usable node. */
export function isVoterDown(
  members: readonly Pick<ReadMember, 'operator' | 'isWitness' | 'isDown'>[],
): boolean {
  let up = noOperators
  let down = noOperators
  for (const { operator, isWitness, isDown } of members) {
    if (isWitness) continue
    if (isDown) down = union(down, setOf(operator))
    else up = union(up, setOf(operator))
  }
  return !isEmpty(difference(down, up))
}

/** No usable node is left that could still reply before its stall. */
export const isExhausted = (situation: RoundSituation): boolean =>
  situation.late || (isEmpty(situation.remainingUsable) && !isAnyAwaited(situation))

/** A node whose breaker is closed may still reply before its stall. */
export const isAnyAwaited = ({ awaited, awaitedAreOpen, late }: RoundSituation): boolean =>
  !late && !isEmpty(awaited) && !awaitedAreOpen
