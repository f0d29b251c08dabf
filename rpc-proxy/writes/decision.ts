import type { SendOutcome } from './account.ts'
import type { Needs, SendCamp } from './count.ts'

/** Whether a quorum finds the transaction: asked once, when a node says that its nonce is used. */
export type Finding = 'not-asked' | 'asked' | 'found' | 'not-found'

/** All that the answer to a sender may rest on. */
export interface SendSituation {
  readonly hash: string
  /** The accepting one first. */
  readonly camps: readonly SendCamp[]
  readonly needs: Needs
  /** Weight of the operators that have accepted or refused. */
  readonly answeredWeight: number
  readonly finding: Finding
  /** A node has neither replied nor stalled. */
  readonly isAwaited: boolean
  /** A node may still reply whose breaker is closed: those that have stalled among them. */
  readonly isOutstanding: boolean
}

/** What used the nonce may be this very transaction. One that a node has accepted is not searched for. */
export function wantsToFind({ finding, camps }: SendSituation): boolean {
  if (finding !== 'not-asked' || camps[0]?.refusal === null) return false
  return camps.some(({ refusal }) => refusal === 'nonce-too-low')
}

/** What the sender is told; null while that is open. */
export function decide(situation: SendSituation): SendOutcome | null {
  const { hash, camps, needs, finding, isAwaited, isOutstanding } = situation
  if (camps[0]?.refusal === null) return { kind: 'accepted', hash }
  // Nodes one block behind refuse what the next one takes: a refusal waits for all, or their stall.
  if (isAwaited) return null
  const refused = camps.find(({ weight, operators }) => isEnough(needs, weight, operators))
  if (refused?.refusal === 'nonce-too-low' && finding === 'asked') return null
  if (refused?.refusal) return { kind: 'refused', class: refused.refusal }
  return finding === 'asked' || isOutstanding ? null : failure(situation)
}

/** No node has accepted it, and no quorum refuses it for one reason. */
export function failure({ camps, needs, answeredWeight }: SendSituation): SendOutcome {
  const isSilent = camps.length === 0 || answeredWeight < needs.weight
  return { kind: 'failed', reason: isSilent ? 'silent' : 'disagree' }
}

export function isEnough(needs: Needs, weight: number, operators: readonly string[]): boolean {
  return weight >= needs.weight && operators.length >= needs.operators
}
