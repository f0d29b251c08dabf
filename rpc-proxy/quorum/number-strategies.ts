import { hexText } from '../methods/local.ts'
import {
  isEmpty,
  isQuorum,
  noOperators,
  type OperatorSet,
  operatorsIn,
  union,
  weightOf,
} from './electorate.ts'
import type { ReplyGroup } from './tally.ts'
import {
  accept,
  accepts,
  blockMissing,
  deadlinePassed,
  failsIf,
  failureRules,
  firstOf,
  hasEverybodyReplied,
  lacksVotes,
  onlyStalledLeft,
  outstanding,
  quorumGroup,
  type RuleName,
  resultGroups,
  type Situation,
  type Strategy,
  type VerdictRule,
} from './verdict.ts'

/** The chain's own error: a revert or a rejection. */
const errorQuorum: VerdictRule = {
  id: 'error-quorum',
  label: 'enough weight reverts or rejects',
  decide: accepts(({ groups, electorate }) =>
    groups.find(({ kind, operators }) => kind !== 'result' && isQuorum(electorate, operators)),
  ),
}

const tooFewNumbers: VerdictRule = {
  id: 'too-few-numbers',
  label: 'too few can still answer',
  decide: failsIf(
    (situation) =>
      !hasNumbers(situation, outstanding(situation)) && !couldBeError(situation, outstanding(situation)),
  ),
}

const lastRules: readonly VerdictRule[] = [onlyStalledLeft, deadlinePassed, blockMissing]

/** The highest value that quorum weight reaches, once every node has replied. */
export const highest: Strategy = {
  decide: firstOf([
    errorQuorum,
    {
      id: 'highest-reached',
      label: 'everybody has been heard',
      decide(situation, rule) {
        if (!hasEverybodyReplied(situation) && !situation.late) return null
        const isReached = quorumOf(situation)
        const reached = sidesOf(situation).find(({ atLeast }) => isReached(atLeast))
        return reached === undefined
          ? null
          : { ...accepted(situation, reached.value, rule), operators: reached.atLeast }
      },
    },
    tooFewNumbers,
    ...lastRules,
  ]),
  needsMore: lacksNumbers,
  mayDiffer: true,
  sidesOf: (value) => [(reported) => reported >= value],
}

const betweenSides = (value: bigint) => [
  (reported: bigint) => reported <= value,
  (reported: bigint) => reported >= value,
]

const betweenQuorums: VerdictRule = {
  id: 'between-quorums',
  label: 'a quorum reports at most this, and a quorum at least this',
  decide(situation, rule) {
    const between = highestBetween(situation, quorumOf(situation))
    if (between === undefined) return null
    const { value, atMost, atLeast } = between
    const weight = (operators: OperatorSet) => weightOf(situation.electorate, operators)
    // Both support it; no more is claimed than the lighter of them.
    return {
      ...accepted(situation, value, rule),
      operators: weight(atMost) < weight(atLeast) ? atMost : atLeast,
    }
  },
}

/** The reported values are then tried, one after another. */
const noneBetween: VerdictRule = {
  id: 'none-between',
  label: 'no reported value lies between two quorums',
  decide: failsIf((situation) => hasEverybodyReplied(situation) && hasNumbers(situation, noOperators)),
}

/** A value between two quorums as soon as there is one; `none-between` where every node has replied and there is none. */
export const estimate: Strategy = {
  decide: firstOf([errorQuorum, betweenQuorums, noneBetween, tooFewNumbers, ...lastRules]),
  needsMore: lacksNumbers,
  mayDiffer: true,
  sidesOf: betweenSides,
}

/** The same where no value can be tried: a stalled node may still report one between two quorums. */
export const unconfirmedEstimate: Strategy = {
  decide: firstOf([
    errorQuorum,
    betweenQuorums,
    {
      id: 'no-value-between',
      label: 'no value can lie between two quorums any more',
      decide: failsIf(
        (situation) =>
          !couldBeBetween(situation, outstanding(situation)) &&
          !couldBeError(situation, outstanding(situation)),
      ),
    },
    ...lastRules,
  ]),
  needsMore: (situation) =>
    !isEmpty(situation.remainingUsable) ||
    (!isEmpty(situation.remaining) && !couldBeBetween(situation, situation.awaited)),
  mayDiffer: true,
  sidesOf: betweenSides,
}

/** Whether a call succeeds, whatever it returns. Stalled nodes are not waited for: another value is tried. */
export const succeeds: Strategy = {
  decide: firstOf([
    {
      id: 'outcome-quorum',
      label: 'enough weight has the same outcome of the call',
      decide: accepts(quorumGroup),
    },
    ...failureRules,
    {
      id: 'all-but-stalled-replied',
      label: 'every node that has not stalled has answered',
      decide: failsIf(({ awaited, remaining }) => isEmpty(awaited) && isEmpty(remaining)),
    },
    blockMissing,
  ]),
  needsMore: lacksVotes,
  mayDiffer: false,
  commonText: 'succeeds',
}

function accepted({ groups }: Situation, value: bigint, rule: RuleName) {
  const group = groups.find((each) => each.kind === 'result' && numberOf(each) === value) as ReplyGroup
  return { ...accept(group, rule), raw: hexText(value) }
}

function couldBeError({ groups, electorate }: Situation, joining: OperatorSet): boolean {
  return groups.some(
    ({ kind, operators }) => kind !== 'result' && isQuorum(electorate, union(operators, joining)),
  )
}

/** With these there would be numbers of quorum weight. */
function hasNumbers(situation: Situation, joining: OperatorSet): boolean {
  return isQuorum(situation.electorate, union(operatorsIn(resultGroups(situation)), joining))
}

function lacksNumbers(situation: Situation): boolean {
  return (
    !isEmpty(situation.remainingUsable) ||
    (!isEmpty(situation.remaining) && !hasNumbers(situation, situation.awaited))
  )
}

/** If these reported the right value, whichever that is. */
function couldBeBetween(situation: Situation, joining: OperatorSet): boolean {
  const isQuorumWith = quorumOf(situation, joining)
  return isQuorumWith(noOperators) || highestBetween(situation, isQuorumWith) !== undefined
}

/** Whether operators, once these have joined them, are a quorum. */
function quorumOf({ electorate }: Situation, joining = noOperators): IsQuorum {
  return (operators) => isQuorum(electorate, union(operators, joining))
}

/** The number that a group reports. */
export function numberOf(group: ReplyGroup): bigint {
  return BigInt(String(group.variants[0]?.value))
}

/** A reported number, with the operators that report at most and at least as much. */
interface Sides {
  readonly value: bigint
  readonly atMost: OperatorSet
  readonly atLeast: OperatorSet
}

type IsQuorum = (operators: OperatorSet) => boolean

/**
 * The highest value of which a quorum reports at most that and a quorum at least that. While liars are no quorum, some
 * honest operator reports no less and some honest operator no more, so that it lies within what the honest report.
 */
function highestBetween(situation: Situation, isQuorum: IsQuorum): Sides | undefined {
  return sidesOf(situation).find(({ atMost, atLeast }) => isQuorum(atMost) && isQuorum(atLeast))
}

/** From the highest value to the lowest. */
function sidesOf(situation: Situation): readonly Sides[] {
  const reported = resultGroups(situation)
    .filter(({ operators }) => !isEmpty(operators))
    .map((group) => ({ value: numberOf(group), operators: group.operators }))
  const reporting = (isMeant: (value: bigint) => boolean) =>
    operatorsIn(reported.filter(({ value }) => isMeant(value)))
  return reported
    .toSorted((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0))
    .map(({ value }) => ({
      value,
      atMost: reporting((other) => other <= value),
      atLeast: reporting((other) => other >= value),
    }))
}
