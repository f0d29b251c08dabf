import type {
  BlockId,
  Evidence,
  FailureReason,
  GroupRecord,
  PinnedBlock,
  Policy,
  UpstreamRequestRecord,
} from '../events/evidence-types.ts'
import { countEligible, type Electorate, namesOf, neededOf, weightOf } from '../quorum/electorate.ts'
import { countOperators, difference, noOperators, type OperatorSet, unionOf } from '../quorum/operator-set.ts'
import type { Group } from '../quorum/tally.ts'
import type { RuleName } from '../quorum/verdict.ts'

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
export function buildEvidence({
  electorate,
  policy = 'everyday',
  isThin = false,
  rule,
  reason,
  operators,
  dissenting = noOperators,
  requests,
  groups,
  ...rest
}: EvidenceParts): Evidence {
  const {
    id,
    chainId,
    method,
    params,
    startMs,
    endMs,
    block,
    result,
    signed = null,
    difference: found,
    proof,
    confirmation,
  } = rest
  return {
    id,
    chainId,
    method,
    params,
    startMs,
    endMs,
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
    policy,
    isThin,
    block,
    electorate,
    supporters: operators,
    result,
    requests,
    groups,
    ...(signed !== null && { signed }),
    ...(found !== undefined && { difference: found }),
    ...(proof !== undefined && { proof }),
    ...(confirmation !== undefined && { confirmation }),
  }
}

interface GroupText {
  readonly nodes: readonly string[]
  readonly text: string
  readonly sha256?: string
}

/** How evidence shows a group: `nodes` that voted so, and the text of what they mean. */
export function recordOfGroup(
  { operators }: Pick<Group<number>, 'operators'>,
  electorate: Electorate,
  text: GroupText,
): GroupRecord {
  return { weight: weightOf(electorate, operators), operators: namesOf(electorate, operators), ...text }
}

/** Operators that count in any of the groups and are not among these. */
export function operatorsBeside(
  groups: readonly Pick<Group<number>, 'operators'>[],
  winners: OperatorSet,
): OperatorSet {
  return difference(unionOf(groups.map(({ operators }) => operators)), winners)
}

/** The operators of the heaviest group. */
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
