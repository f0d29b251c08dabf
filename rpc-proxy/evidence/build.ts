import type {
  BlockId,
  EstimateConfirmation,
  Evidence,
  FailureReason,
  GroupRecord,
  PinnedBlock,
  Policy,
  UpstreamRequestRecord,
} from '../events/evidence-types.ts'
import { countEligible, type Electorate, namesOf, neededOf, weightOf } from '../quorum/electorate.ts'
import { countOperators, difference, noOperators, type OperatorSet, unionOf } from '../quorum/operator-set.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import { meaningOf, type ReplyGroup } from '../quorum/reply-tally.ts'
import type { Group } from '../quorum/tally.ts'
import type { RuleName } from '../quorum/verdict.ts'
import type { Excerpts } from './excerpt.ts'

/** What a result is believed, or not believed, for. */
export interface EvidenceParts {
  readonly id: string
  readonly chainId: number
  readonly method: string
  readonly params: Evidence['params']
  readonly block: PinnedBlock | null
  readonly electorate: Electorate
  /** `everyday` by default. */
  readonly policy?: Policy
  readonly isThin?: boolean
  readonly startMs: number
  readonly endMs: number
  readonly rule: RuleName
  /** Null where there was an agreement. */
  readonly reason: FailureReason | null
  /** Operators whose votes count for the result; of a failure, the heaviest group. */
  readonly operators: OperatorSet
  /** Operators that voted otherwise, where that contradicts the result. */
  readonly dissenting?: OperatorSet
  readonly requests: readonly UpstreamRequestRecord[]
  readonly groups: readonly GroupRecord[]
  readonly result: Evidence['result']
  /** Of a head: the last block that the chain's validators have signed as final, from which it descends. */
  readonly signed?: BlockId | null
  /** Where the groups differ, found while there were whole texts. */
  readonly difference?: Evidence['difference']
  readonly proof?: Evidence['proof']
  readonly confirmation?: Evidence['confirmation']
}

/** The evidence of a round. The only place that makes one. */
export function buildEvidence(parts: EvidenceParts): Evidence {
  const { electorate, operators, rule, reason, dissenting = noOperators } = parts
  return {
    id: parts.id,
    chainId: parts.chainId,
    method: parts.method,
    params: parts.params,
    startMs: parts.startMs,
    endMs: parts.endMs,
    outcome: reason === null ? 'agreed' : 'failed',
    reason,
    rule: rule.label,
    ruleId: rule.id,
    agreed: weightOf(electorate, operators),
    needed: neededOf(electorate),
    total: electorate.total,
    operators: countEligible(electorate, operators),
    dissenting: countOperators(dissenting),
    operatorsTotal: electorate.operators.length,
    operatorsMin: electorate.operatorsMin,
    policy: parts.policy ?? 'everyday',
    isThin: parts.isThin ?? false,
    block: parts.block,
    electorate,
    supporters: operators,
    result: parts.result,
    requests: parts.requests,
    groups: parts.groups,
    signed: parts.signed ?? undefined,
    difference: parts.difference,
    proof: parts.proof,
    confirmation: parts.confirmation,
  }
}

interface GroupText {
  readonly nodes: readonly string[]
  readonly text: string
  readonly sha256?: string | undefined
}

/** How evidence shows a group: `nodes` that voted so, and the text of what they mean. */
export function recordOfGroup(
  { operators }: Pick<Group<number>, 'operators'>,
  electorate: Electorate,
  { nodes, text, sha256 }: GroupText,
): GroupRecord {
  const record = {
    weight: weightOf(electorate, operators),
    operators: namesOf(electorate, operators),
    nodes,
    text,
  }
  return sha256 === undefined ? record : { ...record, sha256 }
}

/** Operators that count in any of the groups and are not among these. */
export function operatorsBeside(
  groups: readonly Pick<Group<number>, 'operators'>[],
  winners: OperatorSet,
): OperatorSet {
  return difference(unionOf(groups.map(({ operators }) => operators)), winners)
}

export function heaviestOf(
  groups: readonly Pick<Group<number>, 'operators'>[],
  electorate: Electorate,
): OperatorSet {
  return groups.reduce(
    (best, { operators }) =>
      weightOf(electorate, operators) > weightOf(electorate, best) ? operators : best,
    noOperators,
  )
}

/** What evidence says beside the votes. */
type EvidenceAbout = Pick<EvidenceParts, 'id' | 'chainId' | 'method' | 'params' | 'block' | 'electorate'> & {
  readonly reason: FailureReason | null
  readonly confirmation: EstimateConfirmation | undefined
}

/** The evidence of a read. Texts are kept by reference, but for those that are too long: their excerpts are. */
export function evidenceOf(
  outcome: ReadOutcome,
  about: EvidenceAbout,
  excerpts: Excerpts | null = null,
): Evidence {
  const { verdict, requests } = outcome
  const { electorate } = about
  const { groups } = excerpts ?? outcome
  return buildEvidence({
    id: about.id,
    chainId: about.chainId,
    method: about.method,
    params: about.params,
    block: about.block,
    electorate,
    confirmation: about.confirmation,
    policy: outcome.policy,
    isThin: outcome.isThin,
    startMs: outcome.startMs,
    endMs: outcome.endMs,
    rule: verdict.rule,
    reason: about.reason ?? (verdict.kind === 'failed' ? verdict.reason : null),
    operators: verdict.kind === 'agreed' ? verdict.operators : heaviestOf(groups, electorate),
    dissenting: dissentingFrom(outcome, groups),
    requests,
    groups: groups.map((group) => {
      const excerpt = excerpts?.of.get(group)
      const text = excerpt?.text ?? meaningOf(group)
      return recordOfGroup(group, electorate, {
        nodes: nodesOf(group, requests),
        text,
        sha256: excerpt?.sha256,
      })
    }),
    result: verdict.kind === 'failed' ? null : (verdict.raw ?? verdict.group.index),
    difference: excerpts?.difference,
  })
}

function nodesOf({ index }: ReplyGroup, requests: ReadOutcome['requests']): readonly string[] {
  // Kept for long: the copy that `map` makes has no room to grow.
  return requests.filter(({ group }) => group === index).map(({ node }) => node)
}

/** A result that was derived from several groups is contradicted by none of them. */
function dissentingFrom({ verdict }: ReadOutcome, groups: readonly ReplyGroup[]): OperatorSet {
  const isDerived = verdict.kind === 'failed' || verdict.raw !== null
  return isDerived ? noOperators : operatorsBeside(groups, verdict.operators)
}
