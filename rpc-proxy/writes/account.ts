import type { AskRecord, Evidence, FailureReason, RuleId } from '../events.ts'
import type { GroupIndex, MemberIndex } from '../indexes.ts'
import { type Electorate, namesOf, weightOf } from '../quorum/electorate.ts'
import { countOperators, difference, noOperators, unionOf } from '../quorum/operator-set.ts'
import type { RefusalClass } from '../wire/types.ts'
import type { TransactionGroup } from './votes.ts'

/** What the caller of a broadcast is told. */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly hash: string }
  | { readonly kind: 'refused'; readonly class: RefusalClass }
  | { readonly kind: 'failed'; readonly reason: FailureReason }

interface Question {
  readonly id: string
  readonly chainId: number
  readonly hash: string
}

interface Standing {
  readonly startMs: number
  readonly endMs: number
  readonly outcome: SendOutcome
  /** The accepting one first. */
  readonly groups: readonly TransactionGroup[]
  readonly asks: readonly AskRecord[]
  /** What a rejection takes. */
  readonly electorate: Electorate
  readonly isDisputed: boolean
  readonly isFound: boolean
}

const labels = {
  acceptance: 'a broadcast needs one acceptance',
  'acceptance-disputed': 'accepted by one, refused by a quorum',
  found: 'a quorum finds the transaction',
  'rejection-quorum': 'enough weight refuses',
  'too-few-replies': 'too few nodes answered',
  'no-rejection-quorum': 'the nodes disagree',
} as const satisfies Partial<Record<RuleId, string>>

/** The evidence of a broadcast as it stands: a copy, which does not change when more replies come in. */
export function accountOf({ id, chainId, hash }: Question, standing: Standing): Evidence {
  const { startMs, endMs, outcome, groups, asks, electorate } = standing
  const winner = groups.find(({ rejection }) => isWinner(outcome, rejection))
  const operators = winner?.operators ?? noOperators
  const isAccepted = outcome.kind === 'accepted'
  const ruleId = ruleOf(standing)
  return {
    id,
    chainId,
    method: 'eth_sendRawTransaction',
    startMs,
    endMs,
    outcome: outcome.kind === 'failed' ? 'failed' : 'agreed',
    reason: outcome.kind === 'failed' ? outcome.reason : null,
    rule: labels[ruleId],
    ruleId,
    agreed: weightOf(electorate, operators),
    // One node is enough to take a transaction, and the lightest one weighs one.
    needed: isAccepted ? 1 : electorate.needed,
    total: electorate.total,
    operators: countOperators(operators),
    dissenting:
      outcome.kind === 'failed'
        ? 0
        : countOperators(difference(unionOf(groups.map((group) => group.operators)), operators)),
    operatorsMin: isAccepted ? 1 : electorate.operatorsMin,
    block: null,
    asks: asks.map((ask, member) => ({ ...ask, camp: groupOf(member as MemberIndex, groups) })),
    camps: groups.map((group) => ({
      weight: weightOf(electorate, group.operators),
      operators: namesOf(electorate, group.operators),
      nodes: group.members.map((member) => asks[member]?.node ?? ''),
      said: group.rejection ?? JSON.stringify(hash),
    })),
  }
}

function isWinner(outcome: SendOutcome, rejection: RefusalClass | null): boolean {
  if (outcome.kind === 'failed') return true
  return rejection === (outcome.kind === 'refused' ? outcome.class : null)
}

function ruleOf({ outcome, isDisputed, isFound }: Standing): keyof typeof labels {
  if (outcome.kind === 'failed')
    return outcome.reason === 'silent' ? 'too-few-replies' : 'no-rejection-quorum'
  if (outcome.kind === 'refused') return 'rejection-quorum'
  if (isDisputed) return 'acceptance-disputed'
  return isFound ? 'found' : 'acceptance'
}

function groupOf(member: MemberIndex, groups: readonly TransactionGroup[]): GroupIndex | null {
  const position = groups.findIndex(({ members }) => members.includes(member))
  return position < 0 ? null : (position as GroupIndex)
}
