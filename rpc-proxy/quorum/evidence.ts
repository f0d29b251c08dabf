import { CallError } from '../errors.ts'
import type { CampRecord, Evidence, FailureReason, PinnedBlock } from '../events.ts'
import { countOf, type Electorate, type Operators, weightOf } from './electorate.ts'
import type { Excerpt, Excerpts } from './excerpt.ts'
import type { Outcome } from './question.ts'
import { type Camp, saidBy } from './tally.ts'
import type { Incapacity } from './unable.ts'

/** A quorum that was not met, with what it rests on. */
export class QuorumError extends CallError {
  readonly evidence: Evidence

  /** `incapacity`: what a quorum is unable to do alike, which the caller is told in a node's words. */
  constructor(evidence: Evidence, incapacity: Incapacity | null = null) {
    const { kind, ...told } = toldOf(evidence, incapacity)
    super(kind, { ...told, detail: `${evidence.method}: ${evidence.rule}` })
    this.evidence = evidence
  }
}

function toldOf({ method, reason, id }: Evidence, incapacity: Incapacity | null) {
  if (incapacity?.why === 'method')
    return { kind: 'no-method', message: `the method ${method} does not exist / is not available` } as const
  if (incapacity?.why === 'range')
    return { kind: 'bad-params', message: `exceed maximum block range: ${incapacity.blocks}` } as const
  return { kind: 'no-quorum', data: { reason, answer: id } } as const
}

interface About {
  readonly id: string
  readonly chainId: number
  readonly method: string
  readonly block: PinnedBlock | null
  readonly electorate: Electorate
}

/** How an outcome came about, to be kept. Texts are kept by reference, but for those that are too long: their excerpts are. */
export function evidenceOf(
  { verdict, startMs, endMs, asks, ...outcome }: Outcome,
  { id, chainId, method, block, electorate }: About,
  excerpts: Excerpts | null = null,
): Evidence {
  const { camps } = excerpts ?? outcome
  const operators = verdict.kind === 'agreed' ? verdict.operators : largest(electorate, camps)
  return {
    id,
    chainId,
    method,
    startMs,
    endMs,
    outcome: verdict.kind,
    reason: verdict.kind === 'failed' ? verdict.reason : null,
    rule: verdict.rule,
    agreed: weightOf(electorate, operators),
    needed: neededOf(electorate),
    total: electorate.total,
    operators: countOf(operators),
    dissenting: countOf(dissentingFrom(verdict, camps)),
    operatorsMin: electorate.operatorsMin,
    block,
    asks,
    camps: camps.map((camp) => ({ ...recordOf(camp, electorate, asks), ...wordsOf(camp, excerpts) })),
    difference: excerpts?.difference,
  }
}

/** Evidence of what never got as far as an ask. */
export function evidenceOfNothing(about: About, atMs: number, reason: FailureReason, rule: string): Evidence {
  const { electorate, ...rest } = about
  return {
    ...rest,
    startMs: atMs,
    endMs: atMs,
    outcome: 'failed',
    reason,
    rule,
    agreed: 0,
    needed: neededOf(electorate),
    total: electorate.total,
    operators: 0,
    dissenting: 0,
    operatorsMin: electorate.operatorsMin,
    asks: [],
    camps: [],
  }
}

/** The weight that it takes, with the majority where that is asked for. */
export function neededOf({ needed, total, majority }: Electorate): number {
  return majority ? Math.max(needed, Math.floor(total / 2) + 1) : needed
}

/** An answer that was derived from several groups is contradicted by none of them. */
function dissentingFrom(verdict: Outcome['verdict'], camps: readonly Camp[]): Operators {
  if (verdict.kind === 'failed' || verdict.raw !== null) return 0
  return camps.reduce<Operators>((set, { operators }) => set | operators, 0) & ~verdict.operators
}

function largest(electorate: Electorate, camps: readonly Camp[]): Operators {
  return camps.reduce(
    (best, { operators }) =>
      weightOf(electorate, operators) > weightOf(electorate, best) ? operators : best,
    0,
  )
}

function recordOf(camp: Camp, electorate: Electorate, asks: Outcome['asks']): Omit<CampRecord, 'said'> {
  return {
    weight: weightOf(electorate, camp.operators),
    operators: electorate.operators.filter((_, index) => camp.operators & (1 << index)),
    nodes: asks.filter(({ camp: index }) => index !== null && index === camp.place).map(({ node }) => node),
  }
}

function wordsOf(camp: Camp, excerpts: Excerpts | null): Excerpt | { readonly said: string } {
  return excerpts?.of.get(camp) ?? { said: saidBy(camp) }
}
