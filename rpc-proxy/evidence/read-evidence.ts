import type { EstimateConfirmation, Evidence, FailureReason } from '../events/evidence-types.ts'
import { noOperators, type OperatorSet } from '../quorum/operator-set.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import { meaningOf, type ReplyGroup } from '../quorum/reply-tally.ts'
import { buildEvidence, type EvidenceParts, heaviestOf, operatorsBeside, recordOfGroup } from './build.ts'
import type { Excerpts } from './excerpt.ts'

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
