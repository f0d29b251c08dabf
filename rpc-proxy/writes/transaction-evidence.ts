import type { Evidence, FailureReason, UpstreamRequestRecord } from '../events/evidence-types.ts'
import { buildEvidence, operatorsBeside, recordOfGroup } from '../evidence/build.ts'
import {
  difference,
  type Electorate,
  isQuorum,
  noOperators,
  type OperatorSet,
  weightOf,
} from '../quorum/electorate.ts'
import { type Group, Tally } from '../quorum/tally.ts'
import type { RuleName } from '../quorum/verdict.ts'
import type { GroupIndex, MemberIndex, OperatorIndex } from '../runtime/indexes.ts'
import type { RejectionClass } from '../wire/types.ts'

/** What the caller of a broadcast is told. */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly hash: string }
  | { readonly kind: 'refused'; readonly class: RejectionClass }
  | { readonly kind: 'failed'; readonly reason: FailureReason }

interface Question {
  readonly id: string
  readonly chainId: number
  readonly hash: string
}

interface Account {
  readonly startMs: number
  readonly endMs: number
  readonly outcome: SendOutcome
  /** The accepting one first. */
  readonly groups: readonly TransactionGroup[]
  readonly requests: readonly UpstreamRequestRecord[]
  /** What a rejection takes. */
  readonly electorate: Electorate
  readonly isDisputed: boolean
  readonly isFound: boolean
}

const rules = {
  acceptance: { id: 'acceptance', label: 'a broadcast needs one acceptance' },
  disputed: { id: 'acceptance-disputed', label: 'accepted by one, refused by a quorum' },
  found: { id: 'found', label: 'a quorum finds the transaction' },
  rejection: { id: 'rejection-quorum', label: 'enough weight refuses' },
  silent: { id: 'too-few-replies', label: 'too few nodes answered' },
  disagree: { id: 'no-rejection-quorum', label: 'the nodes disagree' },
} as const satisfies Record<string, RuleName>

/** The evidence of a broadcast as it stands: a copy, which does not change when more replies come in. */
export function accountOf({ id, chainId, hash }: Question, account: Account): Evidence {
  const { startMs, endMs, outcome, groups, requests, electorate } = account
  const winner = groups.find(({ rejection }) => isWinner(outcome, rejection))
  const operators = winner?.operators ?? noOperators
  const isFailed = outcome.kind === 'failed'
  // One node is enough to take a transaction, and the lightest one weighs one.
  const deciding = outcome.kind === 'accepted' ? { ...electorate, needed: 1, operatorsMin: 1 } : electorate
  return buildEvidence({
    id,
    chainId,
    method: 'eth_sendRawTransaction',
    params: null,
    block: null,
    electorate: deciding,
    startMs,
    endMs,
    rule: ruleOf(account),
    reason: isFailed ? outcome.reason : null,
    operators,
    dissenting: isFailed ? noOperators : operatorsBeside(groups, operators),
    requests: requests.map((request, member) => ({
      ...request,
      group: groupOf(member as MemberIndex, groups),
    })),
    groups: groups.map((group) =>
      recordOfGroup(group, electorate, {
        nodes: group.members.map((member) => requests[member]?.node ?? ''),
        text: group.rejection ?? JSON.stringify(hash),
      }),
    ),
    result: isFailed || winner === undefined ? null : groups.indexOf(winner),
  })
}

function isWinner(outcome: SendOutcome, rejection: RejectionClass | null): boolean {
  if (outcome.kind === 'failed') return true
  return rejection === (outcome.kind === 'refused' ? outcome.class : null)
}

function ruleOf({ outcome, isDisputed, isFound }: Account): RuleName {
  if (outcome.kind === 'failed') return outcome.reason === 'silent' ? rules.silent : rules.disagree
  if (outcome.kind === 'refused') return rules.rejection
  if (isDisputed) return rules.disputed
  return isFound ? rules.found : rules.acceptance
}

function groupOf(member: MemberIndex, groups: readonly TransactionGroup[]): GroupIndex | null {
  const position = groups.findIndex(({ members }) => members.includes(member))
  return position < 0 ? null : (position as GroupIndex)
}

/** Whether a quorum finds the transaction: searched for once, when a node says that its nonce is used. */
export type Search = 'not-started' | 'running' | 'found' | 'not-found'

/** All that the sender's result may depend on. */
export interface TransactionSituation {
  readonly hash: string
  /** The accepting one first. */
  readonly groups: readonly TransactionGroup[]
  /** What a rejection takes. */
  readonly electorate: Electorate
  readonly voted: OperatorSet
  readonly search: Search
  /** A node has neither replied nor stalled. */
  readonly isAwaited: boolean
  /** A node may still reply whose breaker is closed: those that have stalled among them. */
  readonly isOutstanding: boolean
}

/** What used the nonce may be this very transaction. One that a node has accepted is not searched for. */
export function needsSearch({ search, groups }: TransactionSituation): boolean {
  if (search !== 'not-started' || groups[0]?.rejection === null) return false
  return groups.some(({ rejection }) => rejection === 'nonce-too-low')
}

/** What the sender is told; null while that is open. */
export function decideTransaction(situation: TransactionSituation): SendOutcome | null {
  const { hash, groups, electorate, search, isAwaited, isOutstanding } = situation
  if (groups[0]?.rejection === null) return { kind: 'accepted', hash }
  // Nodes one block behind reject what the next one takes: a rejection waits for all, or their stall.
  if (isAwaited) return null
  const rejecting = groups.find(({ operators }) => isQuorum(electorate, operators))
  if (rejecting?.rejection === 'nonce-too-low' && search === 'running') return null
  if (rejecting?.rejection) return { kind: 'refused', class: rejecting.rejection }
  return search === 'running' || isOutstanding ? null : failure(situation)
}

/** No node has accepted it, and no quorum rejects it for one reason. */
export function failure({ groups, electorate, voted }: TransactionSituation): SendOutcome {
  const isSilent = groups.length === 0 || weightOf(electorate, voted) < electorate.needed
  return { kind: 'failed', reason: isSilent ? 'silent' : 'disagree' }
}

/** A node that takes transactions. */
export interface Writer {
  readonly operator: OperatorIndex
  /** Its breaker is not closed: no verdict waits for it alone. */
  readonly open: boolean
}

/** What one node made of a transaction; null: it accepted it. */
export interface TransactionVote {
  readonly member: MemberIndex
  readonly rejection: RejectionClass | null
}

interface TransactionGroup extends Group {
  readonly rejection: RejectionClass | null
}

/** The votes on a transaction, counted. */
export interface TransactionCount {
  /** The accepting one first, then the heaviest. */
  readonly groups: readonly TransactionGroup[]
  readonly voted: OperatorSet
  /** Operators whose nodes have all rejected it, as far as they have replied, for whatever reasons. */
  readonly rejecting: OperatorSet
}

/** The vote where a quorum finds the transaction: its nonce is used, and what used it is this one. */
export function asFound(vote: TransactionVote): TransactionVote {
  return vote.rejection === 'nonce-too-low' ? { ...vote, rejection: null } : vote
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
    rejecting: difference(tally.voted, accepting),
  }
}

export function isRejected({ rejecting }: TransactionCount, electorate: Electorate): boolean {
  return isQuorum(electorate, rejecting)
}
