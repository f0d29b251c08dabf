import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Evidence, GroupRecord } from '../events/evidence-types.ts'
import { textCharsMax } from '../evidence/build.ts'
import { hashedText } from '../methods/facts.ts'
import { contains, type OperatorSet } from '../quorum/electorate.ts'
import type { OperatorIndex } from '../runtime/indexes.ts'
import { beginningOf, difference, type FieldDifference, shortened } from '../wire/difference.ts'

/** What a certificate shows of one group: what it said (shortened past 4,096 characters) and a digest of what that means. */
interface CertificateGroup extends GroupRecord {
  readonly sha256: string
}

/** An operator that may vote, or that voted without a weight. */
interface CertificateOperator {
  readonly name: string
  readonly weight: number
  /** Without its vote there is no quorum. */
  readonly required: boolean
  /** Its vote counts for the result; of a failure, for the heaviest group. */
  readonly supports: boolean
}

/** One answer, explained: plain JSON, no URL, key or header in it. Times are epoch milliseconds, digests SHA-256 in hex. */
export interface Certificate
  extends Omit<Evidence, 'groups' | 'difference' | 'params' | 'electorate' | 'supporters' | 'result'> {
  /** Of the JSON text that nodes were sent, with the number of the agreed block in place of a tag; null for a transaction. */
  readonly paramsSha256: string | null
  /** Of the result in canonical form, which is that of its group unless it was derived from several; null for a failure. */
  readonly resultSha256: string | null
  readonly electorate: readonly CertificateOperator[]
  readonly groups: readonly CertificateGroup[]
  readonly difference: readonly FieldDifference[]
}

/** Explains one answer. Pure but expensive (it hashes and compares texts): call it lazily. */
export function certify(evidence: Evidence): Certificate {
  const { params, result, electorate, supporters, requests, groups, difference: found, ...more } = evidence
  const { confirmation, signed, proof, ...rest } = more
  const certified = groups.map((group) => ({
    weight: group.weight,
    operators: group.operators,
    nodes: group.nodes,
    text: group.sha256 === undefined ? shortened(group.text, textCharsMax) : beginningOf(group.text),
    sha256: group.sha256 ?? digestOf(group, evidence),
  }))
  return {
    ...rest,
    ...(confirmation !== undefined && { confirmation }),
    ...(signed !== undefined && { signed }),
    ...(proof !== undefined && { proof }),
    requests: requests.map((request) => ({ ...request })),
    paramsSha256: params === null ? null : digest(params),
    resultSha256:
      typeof result === 'string'
        ? digest(hashedText(evidence, result))
        : (certified[result ?? -1]?.sha256 ?? null),
    electorate: operatorsOf({ electorate, supporters, groups }),
    groups: certified,
    difference: found ?? difference(groups.map(({ text }) => text)),
  }
}

/** Those that may vote or did, in the order of the configuration. */
function operatorsOf({
  electorate,
  supporters,
  groups,
}: Pick<Evidence, 'electorate' | 'supporters' | 'groups'>): readonly CertificateOperator[] {
  const { operators, weights, required } = electorate
  const voted = groups.flatMap((group) => group.operators)
  return operators.flatMap((name, index) => {
    const weight = weights[index] ?? 0
    const isIn = (set: number) => contains(set as OperatorSet, index as OperatorIndex)
    if (weight === 0 && !voted.includes(name)) return []
    return [{ name, weight, required: isIn(required), supports: isIn(supporters) }]
  })
}

const digest = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** Digests by group, because one evidence is looked at many times; they go with their groups. */
const digests = new WeakMap<GroupRecord, string>()

function digestOf(group: GroupRecord, evidence: Evidence): string {
  const known = digests.get(group)
  if (known !== undefined) return known
  const made = digest(hashedText(evidence, group.text))
  digests.set(group, made)
  return made
}
