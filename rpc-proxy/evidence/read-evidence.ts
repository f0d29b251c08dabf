import type { EstimateConfirmation, Evidence, FailureReason } from '../events/evidence-types.ts'
import { noOperators, type OperatorSet } from '../quorum/operator-set.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import { meaningOf, type ReplyGroup } from '../quorum/reply-tally.ts'
import { buildEvidence, type EvidenceParts, heaviestOf, operatorsBeside, recordOfGroup } from './build.ts'
import type { Excerpts } from './excerpt.ts'

/** What evidence says beside the votes. */
export type EvidenceAbout = Pick<
  EvidenceParts,
  'id' | 'chainId' | 'method' | 'params' | 'block' | 'electorate' | 'policy' | 'isThin'
> & { readonly reason?: FailureReason; readonly confirmation?: EstimateConfirmation }

/** The evidence of a read. Texts are kept by reference, but for those that are too long: their excerpts are. */
export function evidenceOf(
  outcome: ReadOutcome,
  about: EvidenceAbout,
  excerpts: Excerpts | null = null,
): Evidence {
  const { verdict, startMs, endMs, requests } = outcome
  const { electorate } = about
  const { groups } = excerpts ?? outcome
  const record = (group: ReplyGroup) => {
    const nodes = requests.filter((request) => request.group === group.index).map(({ node }) => node)
    const text = excerpts?.of.get(group) ?? { text: meaningOf(group) }
    return recordOfGroup(group, electorate, { nodes, ...text })
  }
  return buildEvidence({
    ...about,
    startMs,
    endMs,
    rule: verdict.rule,
    reason: about.reason ?? (verdict.kind === 'failed' ? verdict.reason : null),
    operators: verdict.kind === 'agreed' ? verdict.operators : heaviestOf(groups, electorate),
    dissenting: dissentingFrom(outcome, groups),
    requests,
    groups: groups.map(record),
    result: verdict.kind === 'failed' ? null : (verdict.raw ?? verdict.group.index),
    difference: excerpts?.difference,
  })
}

/** A result that was derived from several groups is contradicted by none of them. */
function dissentingFrom({ verdict }: ReadOutcome, groups: readonly ReplyGroup[]): OperatorSet {
  const isDerived = verdict.kind === 'failed' || verdict.raw !== null
  return isDerived ? noOperators : operatorsBeside(groups, verdict.operators)
}
