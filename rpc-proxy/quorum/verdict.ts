import type { FailureReason, RuleId } from '../events/evidence-types.ts'
import type { GroupIndex } from '../runtime/indexes.ts'
import { isQuorum } from './electorate.ts'
import { difference, isEmpty, type OperatorSet } from './operator-set.ts'
import type { ReplyGroup } from './reply-tally.ts'
import { couldBeQuorumWith, lacksBlock, onlyOpenNodesLeft, outstanding, type Situation } from './situation.ts'

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
  /** The one text of all results, where only that there is one counts. */
  readonly commonText?: string
  /** The sides of a value of its own, each of which takes a quorum of reports. Absent: every result supports it. */
  readonly sidesOf?: (value: bigint) => readonly ((reported: bigint) => boolean)[]
}

export interface VerdictRule extends RuleName {
  readonly applies: (situation: Situation) => boolean
  readonly decide: (situation: Situation, rule: RuleName) => Verdict
}

/** The call is retried at the previous block. */
export const blockMissing: VerdictRule = {
  id: 'block-missing',
  label: 'too many lack the block still',
  applies: lacksBlock,
  decide: fail,
}

const noGroupCanWin: VerdictRule = {
  id: 'no-group-can-win',
  label: 'no group can win any more',
  applies: (situation) => !couldAgree(difference(outstanding(situation), situation.voted), situation),
  decide: fail,
}

export const onlyStalledLeft: VerdictRule = {
  id: 'only-stalled-left',
  label: 'only silent nodes are outstanding',
  applies: onlyOpenNodesLeft,
  decide: fail,
}

export const deadlinePassed: VerdictRule = {
  id: 'deadline',
  label: 'the deadline has passed',
  applies: ({ late }) => late,
  decide: fail,
}

/** The rules by which a round of equal replies fails. */
export const failureRules: readonly VerdictRule[] = [noGroupCanWin, onlyStalledLeft, deadlinePassed]

export function firstOf(rules: readonly VerdictRule[]): Strategy['decide'] {
  return (situation) => {
    for (const rule of rules) if (rule.applies(situation)) return rule.decide(situation, rule)
    return null
  }
}

/**
 * The same strategy, but it fails early when only stalled nodes are outstanding and the nodes that lack the block would, with
 * a group, be a quorum: the previous block may have one. Otherwise the call would wait for the stalled nodes until the deadline.
 */
export function orRetryLower(strategy: Strategy): Strategy {
  return {
    ...strategy,
    decide: (situation) =>
      strategy.decide(situation) ??
      (blockMissing.applies(situation) ? blockMissing.decide(situation, blockMissing) : null),
  }
}

/** The first group with a quorum. */
export function quorumGroup({ groups, electorate }: Situation): ReplyGroup | undefined {
  for (const group of groups) if (isQuorum(electorate, group.operators)) return group
  return undefined
}

export function accept(group: ReplyGroup, rule: RuleName): AgreedVerdict {
  return { kind: 'agreed', rule, group, operators: group.operators, joined: [], raw: null }
}

export function fail({ electorate, voted }: Situation, rule: RuleName): Failed {
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
