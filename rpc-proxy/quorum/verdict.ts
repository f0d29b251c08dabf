import type { FailureReason, RuleId } from '../events/evidence-types.ts'
import type { UpstreamState } from '../round/round.ts'
import type { GroupIndex, OperatorIndex } from '../runtime/indexes.ts'
import {
  contains,
  difference,
  type Electorate,
  isEmpty,
  isQuorum,
  listOperators,
  noOperators,
  type OperatorSet,
  setOf,
  union,
} from './electorate.ts'
import type { ReplyGroup } from './tally.ts'

/** Code compares the id, people read the label. */
export interface RuleName {
  readonly id: RuleId
  readonly label: string
}

export interface AgreedVerdict {
  readonly kind: 'agreed'
  readonly rule: RuleName
  readonly group: ReplyGroup
  /** Operators whose votes count for it. */
  readonly operators: OperatorSet
  /** Other groups that say all that this one says. */
  readonly joined: readonly GroupIndex[]
  /** The result where it is not that of the group. */
  readonly raw: string | null
}

export interface Failed {
  readonly kind: 'failed'
  readonly rule: RuleName
  readonly reason: Exclude<FailureReason, 'heads' | 'pruned' | 'refused' | 'malformed'>
}

export type Verdict = AgreedVerdict | Failed

/** How votes become a verdict. `needsMore`: another node must be sent the call now. */
export interface Strategy {
  readonly decide: (situation: Situation) => Verdict | null
  readonly needsMore: (situation: Situation) => boolean
  /** Honest nodes have different results, so that two of one operator are no contradiction. */
  readonly mayDiffer: boolean
  /** The text of every result, where only success counts. */
  readonly commonText?: string
  /** The sides of a value of its own, each of which takes a quorum of reports. Absent: every result supports it. */
  readonly sidesOf?: (value: bigint) => readonly ((reported: bigint) => boolean)[]
}

export interface VerdictRule extends RuleName {
  /** Null where the rule does not apply. */
  readonly decide: (situation: Situation, rule: RuleName) => Verdict | null
}

/** Decides for the group that this finds. */
export function accepts(groupOf: (situation: Situation) => ReplyGroup | undefined): VerdictRule['decide'] {
  return (situation, rule) => {
    const group = groupOf(situation)
    return group === undefined ? null : accept(group, rule)
  }
}

/** Decides that there is no result where this applies. */
export function failsIf(applies: (situation: Situation) => boolean): VerdictRule['decide'] {
  return (situation, rule) => (applies(situation) ? fail(situation, rule) : null)
}

/**
 * The call is retried at the previous block. Without this it would wait until the deadline for nodes that have stalled, where those that
 * lack the block would, with a group, be a quorum.
 */
export const blockMissing: VerdictRule = {
  id: 'block-missing',
  label: 'too many lack the block still',
  decide: failsIf(lacksBlock),
}

const noGroupCanWin: VerdictRule = {
  id: 'no-group-can-win',
  label: 'no group can win any more',
  decide: failsIf((situation) => !couldAgree(difference(outstanding(situation), situation.voted), situation)),
}

export const onlyStalledLeft: VerdictRule = {
  id: 'only-stalled-left',
  label: 'only silent nodes are outstanding',
  decide: failsIf(onlyOpenNodesLeft),
}

export const deadlinePassed: VerdictRule = {
  id: 'deadline',
  label: 'the deadline has passed',
  decide: failsIf(({ late }) => late),
}

/** The rules by which a round of equal replies fails. */
export const failureRules: readonly VerdictRule[] = [noGroupCanWin, onlyStalledLeft, deadlinePassed]

export function firstOf(rules: readonly VerdictRule[]): Strategy['decide'] {
  return (situation) => {
    for (const rule of rules) {
      const verdict = rule.decide(situation, rule)
      if (verdict !== null) return verdict
    }
    return null
  }
}

export function quorumGroup({ groups, electorate }: Situation): ReplyGroup | undefined {
  for (const group of groups) if (isQuorum(electorate, group.operators)) return group
  return undefined
}

export function accept(group: ReplyGroup, rule: RuleName): AgreedVerdict {
  return { kind: 'agreed', rule, group, operators: group.operators, joined: [], raw: null }
}

function fail({ electorate, voted }: Situation, rule: RuleName): Failed {
  return { kind: 'failed', rule, reason: isQuorum(electorate, voted) ? 'disagree' : 'silent' }
}

/** The heaviest group, with all that is in flight and not stalled, would not be a quorum. */
export function lacksVotes(situation: Situation): boolean {
  return !isEmpty(situation.remaining) && !couldAgree(situation.awaited, situation)
}

/** Whether these alone, or some group that they join, would be a quorum. */
function couldAgree(operators: OperatorSet, { groups, electorate }: Situation): boolean {
  return isQuorum(electorate, operators) || couldBeQuorumWith(operators, groups, electorate)
}

const equalityRules: readonly VerdictRule[] = [
  { id: 'quorum', label: 'enough weight agrees', decide: accepts(quorumGroup) },
  blockMissing,
  ...failureRules,
]

const logsRules: readonly VerdictRule[] = [
  { id: 'quorum', label: 'enough weight agrees', decide: accepts(unsuspiciousOf) },
  {
    id: 'quorum-and-one',
    label: 'enough weight agrees, with a vote to spare',
    decide: accepts(winnerAndOneOf),
  },
  // The result looks incomplete and there is no further vote: it is returned, since nothing better will come, and never cached.
  {
    id: 'everybody-agrees',
    label: 'everybody agrees',
    decide: accepts((situation) =>
      resultGroups(situation).length === 1 && hasEverybodyReplied(situation)
        ? quorumGroup(situation)
        : undefined,
    ),
  },
  {
    id: 'suspicious',
    label: 'something speaks against what they say',
    decide: failsIf((situation) => quorumGroup(situation) !== undefined && hasEverybodyReplied(situation)),
  },
  blockMissing,
  ...failureRules,
]

/** Equal results, reverts and rejections, with quorum weight. */
export const equality: Strategy = {
  decide: firstOf(equalityRules),
  needsMore: lacksVotes,
  mayDiffer: false,
}

/** As equality, but a result that looks incomplete needs one vote more. */
export const logs: Strategy = {
  decide: firstOf(logsRules),
  needsMore: (situation) =>
    lacksVotes(situation) ||
    (needsOneMore(situation) &&
      unsuspiciousOf(situation) === undefined &&
      !isEmpty(situation.remaining) &&
      !couldHaveOneMore(situation)),
  mayDiffer: false,
}

function unsuspiciousOf({ groups, electorate, isSuspicious }: Situation): ReplyGroup | undefined {
  return groups.find(
    ({ operators, variants }) => isQuorum(electorate, operators) && !isSuspicious(variants[0]?.value),
  )
}

/** A group has a quorum; or one is suspicious, and no other could win with the replies that are awaited. */
function needsOneMore(situation: Situation): boolean {
  const { groups, electorate, awaited, isSuspicious } = situation
  if (quorumGroup(situation) !== undefined) return true
  const suspicious = groups.map(({ variants }) => isSuspicious(variants[0]?.value))
  const mayWin = ({ operators }: ReplyGroup, index: number) =>
    !suspicious[index] && isQuorum(electorate, union(operators, awaited))
  return suspicious.includes(true) && !groups.some(mayWin)
}

function winnerAndOneOf(situation: Situation): ReplyGroup | undefined {
  return situation.groups.find(({ operators }) => hasOneMore(situation, operators))
}

function couldHaveOneMore(situation: Situation): boolean {
  return situation.groups.some(({ operators }) => hasOneMore(situation, union(operators, situation.awaited)))
}

/** Still a quorum when any one of its operators is left out. */
function hasOneMore({ electorate }: Situation, operators: OperatorSet): boolean {
  const isQuorumWithout = (each: OperatorSet) => isQuorum(electorate, difference(operators, each))
  return !isEmpty(operators) && listOperators(operators).every((operator) => isQuorumWithout(setOf(operator)))
}

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
function lacksBlock({ electorate, groups, behind, awaited, remaining }: Situation): boolean {
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
function onlyOpenNodesLeft({ awaited, remaining, stalled, stalledAreOpen }: Situation): boolean {
  return isEmpty(awaited) && isEmpty(remaining) && !isEmpty(stalled) && stalledAreOpen
}

/** A node that can be sent the call. */
export interface ReadMember {
  readonly operator: OperatorIndex
  /** Whether it is worth asking now; the others are the last resort, never excluded. */
  readonly isUsable: boolean
  /** Its breaker is not closed: no verdict waits for it alone. */
  readonly open: boolean
  /** Sent the call in tightened and protected rounds only. */
  readonly isWitness: boolean
  /** Its state is not `usable`, whatever is called: silence of a voter that tightens a round. */
  readonly isDown: boolean
}

/** A situation, and what only the round's own policy depends on. */
export interface RoundSituation extends Situation {
  /** Every awaited upstream request is at a node whose breaker is not closed. */
  readonly awaitedAreOpen: boolean
  /** How a request counts that has waited in our queue for as long as a stall. */
  readonly queuedTooLongAs: 'awaited' | 'stalled'
  /** Witnesses may be sent the call. */
  readonly withWitnesses: boolean
}

/** The situation of a round, changed in place: a round has some four steps. */
export type RoundSituationNow = { -readonly [Key in keyof RoundSituation]: RoundSituation[Key] }

/** Writes which operators are awaited, have stalled, and could still be sent the call. `requests` are those of the members, by position. */
export function noteProgress(
  situation: RoundSituationNow,
  members: readonly ReadMember[],
  requests: readonly ({ readonly state: UpstreamState } | undefined)[],
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
