import type { Evidence, GroupRecord } from '../events/evidence-types.ts'
import { textCharsMax } from './excerpt.ts'

/** The evidence of an answer that is cached: without its proof, and with no text that repeats the answer `raw` in other bytes. */
export function storedEvidence(evidence: Evidence, raw: string): Evidence {
  // A text longer than that is cut already, or the answer in other bytes. A beginning is no answer, and may be a character longer so that it parts no surrogate pair.
  const repeats = ({ text, sha256 }: GroupRecord) =>
    sha256 === undefined && text !== raw && text.length > textCharsMax
  const { groups, proof } = evidence
  const isLong = groups.some(repeats)
  if (!isLong && typeof proof !== 'object') return evidence
  return {
    ...evidence,
    groups: isLong ? groups.map((group) => (repeats(group) ? { ...group, text: raw } : group)) : groups,
    proof: typeof proof === 'object' ? undefined : proof,
  }
}

/** Its estimated memory besides the answer, bytes. */
export function bytesOf(
  { requests, params, groups, difference, confirmation }: Evidence,
  raw: string,
): number {
  let bytes = 300 + 150 * requests.length + 2 * (params?.length ?? 0)
  for (const { text, nodes, operators } of groups)
    bytes += 100 + 8 * (nodes.length + operators.length) + (text === raw ? 0 : 2 * text.length)
  // Rare, and long where it is there: fifty places, and at each of them what every group says.
  if (difference !== undefined || confirmation !== undefined)
    bytes += 2 * JSON.stringify([difference, confirmation]).length
  return bytes
}
