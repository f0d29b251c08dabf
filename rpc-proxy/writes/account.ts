import type { AskRecord, Evidence, FailureReason } from '../events.ts'
import type { RefusalClass } from '../wire/types.ts'
import type { Needs, SendCamp, SendElectorate } from './count.ts'

/** What the caller of a broadcast is told. */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly hash: string }
  | { readonly kind: 'refused'; readonly class: RefusalClass }
  | { readonly kind: 'failed'; readonly reason: FailureReason }

interface Question {
  readonly id: string
  readonly chainId: number
  readonly electorate: SendElectorate
}

interface Standing {
  readonly startMs: number
  readonly endMs: number
  readonly outcome: SendOutcome
  /** The accepting one first. */
  readonly camps: readonly SendCamp[]
  readonly asks: readonly AskRecord[]
  readonly needs: Needs
  readonly isDisputed: boolean
  readonly isFound: boolean
}

/** The evidence of a broadcast as it stands: a copy, which does not change when more replies come in. */
export function accountOf({ id, chainId, electorate }: Question, standing: Standing): Evidence {
  const { startMs, endMs, outcome, camps, asks, needs } = standing
  const winner = camps.find(({ refusal }) => isWinner(outcome, refusal))
  const isAccepted = outcome.kind === 'accepted'
  return {
    id,
    chainId,
    method: 'eth_sendRawTransaction',
    startMs,
    endMs,
    outcome: outcome.kind === 'failed' ? 'failed' : 'agreed',
    reason: outcome.kind === 'failed' ? outcome.reason : null,
    rule: ruleOf(standing),
    agreed: winner?.weight ?? 0,
    // One node is enough to take a transaction, and the lightest one weighs one.
    needed: isAccepted ? 1 : needs.weight,
    total: electorate.total,
    operators: winner?.operators.length ?? 0,
    dissenting: outcome.kind === 'failed' ? 0 : dissentingFrom(winner, camps),
    operatorsMin: isAccepted ? 1 : needs.operators,
    block: null,
    asks: asks.map((ask, voter) => ({ ...ask, camp: placeOf(voter, camps) })),
    camps: camps.map(({ weight, operators, nodes, said }) => ({ weight, operators, nodes, said })),
  }
}

function dissentingFrom(winner: SendCamp | undefined, camps: readonly SendCamp[]): number {
  const others = new Set(camps.flatMap(({ operators }) => operators))
  for (const operator of winner?.operators ?? []) others.delete(operator)
  return others.size
}

function isWinner(outcome: SendOutcome, refusal: RefusalClass | null): boolean {
  if (outcome.kind === 'failed') return true
  return refusal === (outcome.kind === 'refused' ? outcome.class : null)
}

function ruleOf({ outcome, isDisputed, isFound }: Standing): string {
  if (outcome.kind === 'failed')
    return outcome.reason === 'silent' ? 'too few nodes answered' : 'the nodes disagree'
  if (outcome.kind === 'refused') return 'enough weight refuses'
  if (isDisputed) return 'accepted by one, refused by a quorum'
  return isFound ? 'a quorum finds the transaction' : 'a broadcast needs one acceptance'
}

function placeOf(voter: number, camps: readonly SendCamp[]): number | null {
  const place = camps.findIndex(({ voters }) => voters.includes(voter))
  return place < 0 ? null : place
}
