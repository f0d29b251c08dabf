import type { ElectorateRecord, Evidence } from '../events/evidence-types.ts'
import { electorateOf } from '../quorum/electorate.ts'
import { contains, type OperatorSet } from '../quorum/operator-set.ts'
import { fewestOperators } from '../quorum/operators-to-lie.ts'
import type { OperatorIndex } from '../runtime/indexes.ts'

/** Requests that a proven call did without: the smallest quorum that could have agreed on it would have taken more. */
export function savedRequests({ electorate, needed, operatorsMin }: Evidence, requests: number): number {
  const voters = electorateOf(votersOf(electorate), needed, operatorsMin)
  return Math.max(0, (fewestOperators(voters) ?? 0) - requests)
}

function votersOf({ operators, weights, required }: ElectorateRecord) {
  return operators.map((operator, index) => ({
    operator,
    weight: weights[index] ?? 0,
    required: contains(required as OperatorSet, index as OperatorIndex),
  }))
}
