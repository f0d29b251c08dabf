import {
  countOperators,
  difference,
  isEmpty,
  isQuorum,
  noOperators,
  type OperatorSet,
  operatorsIn,
  union,
} from './electorate.ts'
import type { ReplyGroup } from './tally.ts'
import {
  accept,
  accepts,
  blockMissing,
  deadlinePassed,
  failsIf,
  firstOf,
  hasEverybodyReplied,
  onlyStalledLeft,
  outstanding,
  resultGroups,
  type Situation,
  type Strategy,
  type VerdictRule,
} from './verdict.ts'

const rules: readonly VerdictRule[] = [
  { id: 'object-quorum', label: 'enough weight has it', decide: accepts(objectOf) },
  {
    id: 'pending-quorum',
    label: 'enough weight knows it, in a block or not yet',
    decide(situation, rule) {
      const pending = hasEverybodyReplied(situation) ? pendingOf(situation, noOperators) : undefined
      if (pending === undefined) return null
      const same = sameTransaction(situation, pending)
      return {
        ...accept(pending, rule),
        operators: operatorsIn(same),
        joined: same.filter((group) => group !== pending).map(({ index }) => index),
      }
    },
  },
  {
    id: 'null-quorum',
    label: 'nobody else has it',
    decide: accepts((situation) => (hasEverybodyReplied(situation) ? nullOf(situation) : undefined)),
  },
  blockMissing,
  {
    id: 'no-group-can-win',
    label: 'no group can win any more',
    decide: failsIf((situation) => {
      const open = difference(outstanding(situation), situation.voted)
      return !couldAnyBeFound(situation, open) && pendingOf(situation, open) === undefined
    }),
  },
  onlyStalledLeft,
  deadlinePassed,
]

/** As equality, but `null` means "I do not have it" and wins only when no other node says otherwise. */
export const lookup: Strategy = {
  decide: firstOf(rules),
  needsMore: (situation) =>
    (!isEmpty(situation.remaining) && !couldAnyBeFound(situation, situation.awaited)) ||
    (situation.groups.some(({ isNull }) => isNull) && !isEmpty(situation.remainingUsable)),
  mayDiffer: false,
}

function objectOf(situation: Situation): ReplyGroup | undefined {
  return situation.groups.find((group) => !group.isNull && couldBeFound(situation, group, noOperators))
}

/** Whether a group may win once these have joined it: an object that others lack takes two operators and an agreed block. */
function couldBeFound(
  { groups, electorate, isSuspicious }: Situation,
  group: ReplyGroup,
  joining: OperatorSet,
): boolean {
  const operators = union(group.operators, joining)
  if (!isQuorum(electorate, operators)) return false
  if (group.isNull || !groups.some(({ isNull }) => isNull)) return true
  return isBySeveral(electorate, operators) && !isSuspicious(group.variants[0]?.value)
}

function couldAnyBeFound(situation: Situation, joining: OperatorSet): boolean {
  return (
    isQuorum(situation.electorate, joining) ||
    situation.groups.some((group) => couldBeFound(situation, group, joining))
  )
}

/**
 * The group by which a transaction is pending, if it has a quorum once these have joined: of its own operators and of those
 * that have the same transaction in a block already.
 */
function pendingOf(situation: Situation, joining: OperatorSet): ReplyGroup | undefined {
  const { electorate } = situation
  return resultGroups(situation).find((group) => {
    if (!isPending(group)) return false
    const operators = union(operatorsIn(sameTransaction(situation, group)), joining)
    return isQuorum(electorate, operators) && isBySeveral(electorate, operators)
  })
}

function sameTransaction(situation: Situation, pending: ReplyGroup): readonly ReplyGroup[] {
  const signed = signedPartOf(pending)
  return resultGroups(situation).filter(
    (group) => group === pending || (!group.isNull && signedPartOf(group) === signed),
  )
}

/** A pending transaction: its block is null, or not named at all. Blocks and receipts have no `gas`. */
function isPending({ variants }: ReplyGroup): boolean {
  const value = variants[0]?.value
  if (typeof value !== 'object' || value === null || !('gas' in value)) return false
  const { blockHash = null } = value as { readonly blockHash?: unknown }
  return blockHash === null
}

/** A transaction without its inclusion. */
function signedPartOf({ text }: ReplyGroup): string {
  const { blockHash, blockNumber, transactionIndex, ...signed } = JSON.parse(text)
  return JSON.stringify(signed)
}

function nullOf({ groups, electorate }: Situation): ReplyGroup | undefined {
  return groups.find(({ isNull, operators }) => isNull && isQuorum(electorate, operators))
}

function isBySeveral({ operators: all }: Situation['electorate'], operators: OperatorSet): boolean {
  return countOperators(operators) >= Math.min(2, all.length)
}
