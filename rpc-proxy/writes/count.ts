import type { CampRecord } from '../events.ts'
import type { RefusalClass } from '../wire/types.ts'

/** What one node made of a transaction. */
export type SendBallot = { readonly voter: number } & (
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly class: RefusalClass }
)

/** A node that takes transactions. */
export interface Writer {
  readonly name: string
  readonly operator: string
  readonly weight: number
  readonly stallMs: number
  /** Its breaker is not closed: no verdict waits for it alone. */
  readonly open: boolean
}

/** What a refusal takes; weights are those of the chain's operators. */
export interface SendElectorate {
  readonly operators: readonly string[]
  readonly weights: readonly number[]
  readonly total: number
  readonly needed: number
  readonly operatorsMin: number
}

/** The ballot where a quorum finds the transaction: its nonce is used, and what used it is this one. */
export function asFound(ballot: SendBallot): SendBallot {
  return ballot.kind === 'refused' && ballot.class === 'nonce-too-low'
    ? { voter: ballot.voter, kind: 'accepted' }
    : ballot
}

/** Ballots that say the same, with the weight of the operators behind them. */
export interface SendCamp extends CampRecord {
  /** Null: the transaction was accepted. */
  readonly refusal: RefusalClass | null
  readonly voters: readonly number[]
}

/**
 * The camps of a broadcast: the accepting one first, then refusals, heaviest first. One acceptance speaks for its
 * operator; of refusals an operator's nodes must all have given the same.
 */
export function campsOf(
  ballots: readonly SendBallot[],
  writers: readonly Writer[],
  { electorate, hash }: { readonly electorate: SendElectorate; readonly hash: string },
): readonly SendCamp[] {
  const operatorOf = ({ voter }: SendBallot) => writers[voter]?.operator ?? ''
  const classes = new Map<RefusalClass | null, readonly SendBallot[]>()
  for (const ballot of ballots) {
    const refusal = ballot.kind === 'refused' ? ballot.class : null
    classes.set(refusal, [...(classes.get(refusal) ?? []), ballot])
  }

  const camps = [...classes].map(([refusal, members]) => {
    const strangers = new Set(ballots.filter((ballot) => !members.includes(ballot)).map(operatorOf))
    const operators = [...new Set(members.map(operatorOf))].filter(
      (operator) => refusal === null || !strangers.has(operator),
    )
    return {
      refusal,
      said: refusal ?? JSON.stringify(hash),
      weight: weightOf(operators, electorate),
      operators,
      nodes: members.map(({ voter }) => writers[voter]?.name ?? ''),
      voters: members.map(({ voter }) => voter),
    }
  })
  return camps.sort((a, b) => Number(a.refusal !== null) - Number(b.refusal !== null) || b.weight - a.weight)
}

/** Operators whose nodes have all refused, as far as they have replied. */
export function refusersOf(ballots: readonly SendBallot[], writers: readonly Writer[]): readonly string[] {
  const operatorOf = ({ voter }: SendBallot) => writers[voter]?.operator ?? ''
  const takers = new Set(ballots.filter(({ kind }) => kind === 'accepted').map(operatorOf))
  return [...new Set(ballots.map(operatorOf))].filter((operator) => !takers.has(operator))
}

/** What these operators weigh together. */
export function weightOf(operators: readonly string[], electorate: SendElectorate): number {
  return operators.reduce(
    (sum, operator) => sum + (electorate.weights[electorate.operators.indexOf(operator)] ?? 0),
    0,
  )
}

export interface Needs {
  readonly weight: number
  readonly operators: number
}

/**
 * What it takes to refuse: the chain's quorum, or all operators that take transactions where they weigh less, since
 * no other operator is ever asked. One whose node is cordoned still counts: cordoning must not make a quorum cheaper.
 */
export function refusalNeeds(takers: readonly string[], electorate: SendElectorate): Needs {
  const operators = [...new Set(takers)]
  return {
    weight: Math.min(electorate.needed, weightOf(operators, electorate)),
    operators: Math.min(electorate.operatorsMin, operators.length),
  }
}
