import type { CallResult } from '../calls/services.ts'
import type { CallRecord } from '../events/events.ts'
import type { Evidence } from '../events/evidence-types.ts'
import { CallError } from '../runtime/errors.ts'
import { header, prefix } from '../runtime/names.ts'
import { encodeError, encodeResult } from '../wire/encode.ts'
import type { IdText } from '../wire/types.ts'

/** How one entry of a request ended. */
export interface Ended {
  readonly id: IdText | undefined
  readonly status: number
  readonly outcome: CallResult['outcome']
  readonly result: CallResult | null
  readonly record: CallRecord
}

/** One response object's text, within what is left of the answer's bytes. */
export function encode(
  { id = 'null', outcome, result }: Ended,
  isExplained: boolean,
  bytesMax: number,
): { text: string; bytes: number } {
  const member =
    isExplained && result?.evidence != null
      ? `"${prefix}":${JSON.stringify(explain(result, result.evidence))}`
      : ''
  if ('error' in outcome) return measured(encodeError(id, outcome.error, member))
  // Characters are at least as many as they are bytes only in ASCII, which chain data is; a generous cap needs no more.
  if (outcome.raw.length > bytesMax) {
    result?.onUndelivered?.()
    return measured(encodeError(id, new CallError('answer-too-large').error, member))
  }
  return measured(encodeResult(id, outcome.raw, member))
}

function measured(text: string): { text: string; bytes: number } {
  return { text, bytes: text.length }
}

function explain({ block, cache }: CallResult, evidence: Evidence): Record<string, unknown> {
  const { id, agreed, needed, total, operators, dissenting, operatorsTotal, policy, isThin, ruleId } =
    evidence
  const why = { policy, thin: isThin, proven: ruleId === 'proven' }
  return {
    answer: id,
    agreed,
    needed,
    total,
    operators,
    dissenting,
    operatorsTotal,
    ...why,
    block: block?.number ?? null,
    cache,
  }
}

/** The headers of an answer; a batch's are those of its weakest member. */
export function headersOf(
  ended: readonly Ended[],
  durationMs: number,
  error: CallError | null,
): Record<string, string> {
  const headers: Record<string, string> = {
    ...plain,
    'server-timing': `rpc;dur=${durationMs.toFixed(1)}`,
  }
  let weakest: { result: CallResult; evidence: Evidence } | null = null
  for (const { result } of ended) {
    if (result?.evidence == null) continue
    if (
      weakest === null ||
      result.evidence.agreed / result.evidence.total < weakest.evidence.agreed / weakest.evidence.total
    )
      weakest = { result, evidence: result.evidence }
  }
  if (weakest !== null) {
    const { result, evidence } = weakest
    headers[header.certificate] = evidence.id
    const { agreed, needed, total, policy, isThin, ruleId } = evidence
    const how = [
      `${agreed}/${needed}/${total}`,
      ...(policy === 'everyday' ? [] : [`policy=${policy}`]),
      ...(ruleId === 'proven' ? ['proven'] : []),
    ]
    headers[header.agreement] = how.join('; ')
    if (isThin) headers[header.thin] = '1'
    if (result.block !== null) headers[header.block] = String(result.block.number)
    if (result.cache !== null) headers[header.cache] = result.cache
  }
  if (ended.some(({ result }) => result?.pending !== undefined)) headers[header.pending] = 'latest'
  return error === null ? headers : { ...headers, ...retryAfter(error) }
}

export function retryAfter({ retryAfterMs }: CallError): Record<string, string> {
  return retryAfterMs === undefined
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
}

export const plain = { 'content-type': 'application/json' }
