import { type Electorate, isQuorum, weightOf } from '../quorum/electorate.ts'
import type { OperatorSet } from '../quorum/operator-set.ts'
import type { SendOutcome } from './transaction-evidence.ts'
import type { TransactionGroup } from './votes.ts'

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
