import {
  difference,
  type Electorate,
  isQuorum,
  noOperators,
  type OperatorSet,
  weightOf,
} from '../quorum/electorate.ts'
import { type Group, Tally } from '../quorum/tally.ts'
import type { ReadMember } from '../quorum/verdict.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { RejectionClass } from '../wire/rejections.ts'

/** A node that takes transactions. */
export type Writer = Pick<ReadMember, 'operator' | 'open'>

/** What one node made of a transaction; null: it accepted it. */
export interface TransactionVote {
  readonly member: MemberIndex
  readonly rejection: RejectionClass | null
}

export interface TransactionGroup extends Group {
  readonly rejection: RejectionClass | null
}

/** The votes on a transaction, counted. */
export interface TransactionCount {
  /** The accepting one first, then the heaviest. */
  readonly groups: readonly TransactionGroup[]
  readonly voted: OperatorSet
  /** The operators whose nodes have all rejected it, as far as they have replied, for whatever reasons, are a quorum. */
  readonly isRejected: boolean
}

class TransactionTally extends Tally<TransactionGroup> {
  protected override mayDiffer(first: TransactionGroup): boolean {
    return first.rejection === null
  }
}

/** One acceptance counts for its operator, whatever its other nodes say; to reject, all of them must give the same reason. */
export function countVotes(
  votes: readonly TransactionVote[],
  writers: readonly Writer[],
  electorate: Electorate,
): TransactionCount {
  const tally = new TransactionTally()
  const isAcceptance = ({ rejection }: TransactionVote) => rejection === null
  const sorted = [...votes.filter(isAcceptance), ...votes.filter((vote) => !isAcceptance(vote))]
  for (const { member, rejection } of sorted) {
    const group =
      tally.groups.find((each) => each.rejection === rejection) ??
      tally.open((index) => ({ index, rejection, members: [], operators: noOperators }))
    tally.count(group, member, (writers[member] as Writer).operator)
  }
  const accepting = tally.groups.find((group) => group.rejection === null)?.operators ?? noOperators
  return {
    groups: tally.groups.toSorted(
      (a, b) =>
        Number(a.rejection !== null) - Number(b.rejection !== null) ||
        weightOf(electorate, b.operators) - weightOf(electorate, a.operators),
    ),
    voted: tally.voted,
    isRejected: isQuorum(electorate, difference(tally.voted, accepting)),
  }
}
