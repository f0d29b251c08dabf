import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Evidence, GroupRecord } from '../events/events.ts'
import { beginningOf, difference, type FieldDifference, shortened } from '../wire/difference.ts'

/** What a certificate shows of one group: what it said (shortened past 4,096 characters) and a digest of the whole. */
export interface CertificateGroup {
  readonly weight: number
  readonly operators: readonly string[]
  readonly nodes: readonly string[]
  readonly text: string
  readonly sha256: string
}

/** One answer, explained: plain JSON, no URL, key or header in it. Times are epoch milliseconds. */
export interface Certificate extends Omit<Evidence, 'groups' | 'difference' | 'ruleId'> {
  /** Winning weight less the weight of everybody else; 0 means the other half could have said otherwise. */
  readonly margin: number
  readonly groups: readonly CertificateGroup[]
  readonly difference: readonly FieldDifference[]
}

const textCharsMax = 4096

/** Explains one answer. Pure but expensive (it hashes and compares texts): call it lazily. */
export function certify(evidence: Evidence): Certificate {
  const { requests, groups, difference: found, ...rest } = fieldsOf(evidence)
  return {
    ...rest,
    requests: requests.map((request) => ({ ...request })),
    margin: rest.agreed - (rest.total - rest.agreed),
    groups: groups.map((group) => ({
      weight: group.weight,
      operators: group.operators,
      nodes: group.nodes,
      text: group.sha256 === undefined ? shortened(group.text, textCharsMax) : beginningOf(group.text),
      sha256: group.sha256 ?? digestOf(group),
    })),
    difference: found ?? difference(groups.map(({ text }) => text)),
  }
}

/** Fields of its own, each read once: kept evidence computes some of them. */
function fieldsOf(evidence: Evidence): Omit<Evidence, 'ruleId'> {
  const { id, chainId, method, startMs, endMs, outcome, reason, rule, agreed, needed, total } = evidence
  const {
    operators,
    dissenting,
    operatorsTotal,
    operatorsMin,
    policy,
    isThin,
    block,
    requests,
    groups,
    difference,
    confirmation,
  } = evidence
  const what = { id, chainId, method, startMs, endMs, outcome, reason, rule }
  const why = confirmation === undefined ? {} : { confirmation }
  const who = { agreed, needed, total, operators, dissenting, operatorsTotal, operatorsMin, policy, isThin }
  return { ...what, ...who, block, requests, groups, difference, ...why }
}

/** Digests by group, because one evidence is looked at many times; they go with their groups. */
const digests = new WeakMap<GroupRecord, string>()

function digestOf(group: GroupRecord): string {
  const known = digests.get(group)
  if (known !== undefined) return known
  const digest = bytesToHex(sha256(utf8ToBytes(group.text)))
  digests.set(group, digest)
  return digest
}
