import { CallError } from '../errors.ts'
import type { CampRecord, Evidence, FailureReason, PinnedBlock } from '../events.ts'
import { type Electorate, namesOf, neededOf, weightOf } from './electorate.ts'
import type { Excerpt, Excerpts } from './excerpt.ts'
import { countOperators, difference, noOperators, type OperatorSet, unionOf } from './operator-set.ts'
import type { Outcome } from './question.ts'
import { meaningOf, type ReplyGroup } from './reply-tally.ts'
import type { Incapacity } from './unable.ts'
import type { RuleName } from './verdict.ts'

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
  if (incapacity?.why === 'pruned') return { kind: 'pruned', data: { reason, answer: id } } as const
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
  const { groups } = excerpts ?? outcome
  const operators = verdict.kind === 'agreed' ? verdict.operators : heaviest(electorate, groups)
  return {
    id,
    chainId,
    method,
    startMs,
    endMs,
    outcome: verdict.kind,
    reason: verdict.kind === 'failed' ? verdict.reason : null,
    rule: verdict.rule.label,
    ruleId: verdict.rule.id,
    agreed: weightOf(electorate, operators),
    needed: neededOf(electorate),
    total: electorate.total,
    operators: countOperators(operators),
    dissenting: countOperators(dissentingFrom(verdict, groups)),
    operatorsMin: electorate.operatorsMin,
    block,
    asks,
    camps: groups.map((group) => ({ ...recordOf(group, electorate, asks), ...wordsOf(group, excerpts) })),
    difference: excerpts?.difference,
  }
}

/** Evidence of what never got as far as an ask. */
export function evidenceOfNothing(
  about: About,
  atMs: number,
  reason: FailureReason,
  rule: RuleName,
): Evidence {
  const { electorate, ...rest } = about
  return {
    ...rest,
    startMs: atMs,
    endMs: atMs,
    outcome: 'failed',
    reason,
    rule: rule.label,
    ruleId: rule.id,
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

/** A result that was derived from several groups is contradicted by none of them. */
function dissentingFrom(verdict: Outcome['verdict'], groups: readonly ReplyGroup[]): OperatorSet {
  if (verdict.kind === 'failed' || verdict.raw !== null) return noOperators
  return difference(unionOf(groups.map(({ operators }) => operators)), verdict.operators)
}

function heaviest(electorate: Electorate, groups: readonly ReplyGroup[]): OperatorSet {
  return groups.reduce(
    (best, { operators }) =>
      weightOf(electorate, operators) > weightOf(electorate, best) ? operators : best,
    noOperators,
  )
}

function recordOf(
  group: ReplyGroup,
  electorate: Electorate,
  asks: Outcome['asks'],
): Omit<CampRecord, 'said'> {
  return {
    weight: weightOf(electorate, group.operators),
    operators: namesOf(electorate, group.operators),
    nodes: asks.filter(({ camp }) => camp === group.index).map(({ node }) => node),
  }
}

function wordsOf(group: ReplyGroup, excerpts: Excerpts | null): Excerpt | { readonly said: string } {
  return excerpts?.of.get(group) ?? { said: meaningOf(group) }
}
