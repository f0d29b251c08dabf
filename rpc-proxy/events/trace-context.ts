import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { TraceContext } from './events.ts'

/**
 * The span id of a request: 16 hex digits that follow from the answer's id and the node's name, so that who sends it and who
 * records it agree.
 *
 * @example
 * upstreamSpanId('k3f09a-1c', 'publicnode') // as in the `traceparent` that this node was sent
 */
export function upstreamSpanId(answer: string, node: string): string {
  const digits = bytesToHex(sha256(utf8ToBytes(`${answer}/${node}`)).subarray(0, 8))
  return /^0+$/.test(digits) ? `${digits.slice(1)}1` : digits
}

/** What a node is told of the trace, as W3C Trace Context writes it. */
export function traceparentFor({ traceId, isSampled }: TraceContext, answer: string, node: string): string {
  return `00-${traceId}-${upstreamSpanId(answer, node)}-0${isSampled ? 1 : 0}`
}
