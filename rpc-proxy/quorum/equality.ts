import { isQuorum } from './electorate.ts'
import { difference, isEmpty, listOperators, type OperatorSet, setOf, union } from './operator-set.ts'
import type { ReplyGroup } from './reply-tally.ts'
import { hasEverybodyReplied, resultGroups, type Situation } from './situation.ts'
import {
  accept,
  blockMissing,
  fail,
  failureRules,
  firstOf,
  lacksVotes,
  quorumGroup,
  type Strategy,
  type VerdictRule,
} from './verdict.ts'

const equalityRules: readonly VerdictRule[] = [
  {
    id: 'quorum',
    label: 'enough weight agrees',
    applies: (situation) => quorumGroup(situation) !== undefined,
    decide: (situation, rule) => accept(quorumGroup(situation) as ReplyGroup, rule),
  },
  blockMissing,
  ...failureRules,
]

const logsRules: readonly VerdictRule[] = [
  {
    id: 'quorum',
    label: 'enough weight agrees',
    applies: (situation) => unsuspiciousOf(situation) !== undefined,
    decide: (situation, rule) => accept(unsuspiciousOf(situation) as ReplyGroup, rule),
  },
  {
    id: 'quorum-and-one',
    label: 'enough weight agrees, with a vote to spare',
    applies: (situation) => winnerAndOneOf(situation) !== undefined,
    decide: (situation, rule) => accept(winnerAndOneOf(situation) as ReplyGroup, rule),
  },
  // The result looks incomplete and there is no further vote: it is returned, since nothing better will come, and never cached.
  {
    id: 'everybody-agrees',
    label: 'everybody agrees',
    applies: (situation) =>
      quorumGroup(situation) !== undefined &&
      resultGroups(situation).length === 1 &&
      hasEverybodyReplied(situation),
    decide: (situation, rule) => accept(quorumGroup(situation) as ReplyGroup, rule),
  },
  {
    id: 'suspicious',
    label: 'something speaks against what they say',
    applies: (situation) => quorumGroup(situation) !== undefined && hasEverybodyReplied(situation),
    decide: fail,
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

/** A suspicious group has a quorum; or there is one, and no other group could win by the replies that are awaited. */
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
