import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { CampRecord, Evidence } from '../events/events.ts'
import { beginningOf, difference, type FieldDifference, shortened } from '../wire/difference.ts'

/** What a certificate shows of one camp: what it said (shortened past 4,096 characters) and a digest of the whole. */
export interface CertificateCamp {
  readonly weight: number
  readonly operators: readonly string[]
  readonly nodes: readonly string[]
  readonly said: string
  readonly sha256: string
}

/** One answer, explained: plain JSON, no URL, key or header in it. Times are epoch milliseconds. */
export interface Certificate extends Omit<Evidence, 'camps' | 'difference' | 'ruleId'> {
  /** Winning weight less the weight of everybody else; 0 means the other half could have said otherwise. */
  readonly margin: number
  readonly camps: readonly CertificateCamp[]
  readonly difference: readonly FieldDifference[]
}

const saidCharsMax = 4096

/** Explains one answer. Pure but expensive (it hashes and compares texts): call it lazily. */
export function certify(evidence: Evidence): Certificate {
  const { asks, camps, difference: found, ...rest } = fieldsOf(evidence)
  return {
    ...rest,
    asks: asks.map((ask) => ({ ...ask })),
    margin: rest.agreed - (rest.total - rest.agreed),
    camps: camps.map((camp) => ({
      weight: camp.weight,
      operators: camp.operators,
      nodes: camp.nodes,
      said: camp.sha256 === undefined ? shortened(camp.said, saidCharsMax) : beginningOf(camp.said),
      sha256: camp.sha256 ?? digestOf(camp),
    })),
    difference: found ?? difference(camps.map(({ said }) => said)),
  }
}

/** Fields of its own, each read once: kept evidence computes some of them. */
function fieldsOf(evidence: Evidence): Omit<Evidence, 'ruleId'> {
  const { id, chainId, method, startMs, endMs, outcome, reason, rule, agreed, needed, total } = evidence
  const { operators, dissenting, operatorsMin, block, asks, camps, difference, confirmation } = evidence
  const what = { id, chainId, method, startMs, endMs, outcome, reason, rule }
  const why = confirmation === undefined ? {} : { confirmation }
  const who = { agreed, needed, total, operators, dissenting, operatorsMin }
  return { ...what, ...who, block, asks, camps, difference, ...why }
}

/** Digests by camp, because one evidence is looked at many times; they go with their camps. */
const digests = new WeakMap<CampRecord, string>()

function digestOf(camp: CampRecord): string {
  const known = digests.get(camp)
  if (known !== undefined) return known
  const digest = bytesToHex(sha256(utf8ToBytes(camp.said)))
  digests.set(camp, digest)
  return digest
}
