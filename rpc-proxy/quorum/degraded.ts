import { type Electorates, isQuorum } from './electorate.ts'
import { difference, intersection, isEmpty, type OperatorSet, union } from './operator-set.ts'
import { isAnyAwaited, isExhausted, type RoundSituation } from './progress.ts'
import type { ReplyGroup } from './reply-tally.ts'
import type { Failed, RuleName, Strategy, Verdict } from './verdict.ts'

const tooThin: RuleName = { id: 'thin', label: 'too few nodes can be reached for a protected result' }

/** What the everyday rule makes of a tightened round; without those that must vote, once they can carry no result any more. */
export function degradedVerdict(
  strategy: Strategy,
  situation: RoundSituation,
  { everyday, degraded }: Electorates,
): Verdict | null {
  const verdict = strategy.decide({ ...situation, electorate: everyday })
  const isOpen = verdict === null && !isExhausted(situation)
  return verdict?.kind === 'agreed' || isOpen
    ? verdict
    : strategy.decide({ ...situation, electorate: degraded })
}

/**
 * Silence may make a result thin: a witness that votes otherwise, or another everyday quorum, is not passed over. `contradicting`: whose
 * results contradict an agreed block.
 */
export function isContradicted(
  operators: OperatorSet,
  contradicting: OperatorSet,
  { voted, groups, isSuspicious }: RoundSituation,
  { everyday, degraded }: Electorates,
): boolean {
  const witnesses = difference(union(voted, contradicting), everyday.eligible)
  const electorate = isQuorum(everyday, operators) ? everyday : degraded
  const isRival = (group: ReplyGroup) =>
    isEmpty(intersection(group.operators, operators)) &&
    isQuorum(electorate, group.operators) &&
    !isSuspicious(group.variants[0]?.value)
  return !isEmpty(difference(witnesses, operators)) || groups.some(isRival)
}

/** Why a protected round has no result: nodes disagree, or too few of them can be reached. */
export function protectedFailure(
  verdict: Failed | null,
  situation: RoundSituation,
  isDisputed: boolean,
): Failed {
  const isSilent = situation.groups.length === 0 && !isAnyAwaited(situation)
  if (verdict?.reason === 'disagree' || isSilent)
    return verdict ?? { kind: 'failed', rule: tooThin, reason: 'silent' }
  return { kind: 'failed', rule: tooThin, reason: isDisputed ? 'disagree' : 'thin' }
}
