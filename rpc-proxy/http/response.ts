import type { CallResult } from '../calls/services.ts'
import type { CallRecord } from '../events/events.ts'
import type { Evidence } from '../events/evidence-types.ts'
import { CallError } from '../runtime/errors.ts'
import { header, prefix } from '../runtime/names.ts'
import { encodeError, encodeResult } from '../wire/encode.ts'

/** How one entry of a request ended. */
export interface Ended extends CallRecord {
  readonly status: number
  /** Units. */
  readonly cost: number
  readonly outcome: CallResult['outcome']
  readonly result: CallResult | null
}

/** One response object's text, within what is left of the response's bytes. */
export function encode(
  { id = 'null', outcome, result, cost }: Ended,
  isExplained: boolean,
  bytesMax: number,
): string {
  const member =
    isExplained && result?.evidence != null
      ? `"${prefix}":${JSON.stringify(explain(result, result.evidence, cost))}`
      : ''
  if ('error' in outcome) return encodeError(id, outcome.error, member)
  // Characters are as many as bytes in ASCII, which chain data is.
  if (outcome.raw.length > bytesMax) {
    result?.onUndelivered?.()
    return encodeError(id, new CallError('answer-too-large').error, member)
  }
  return encodeResult(id, outcome.raw, member)
}

function explain({ block, cache }: CallResult, evidence: Evidence, units: number): Record<string, unknown> {
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
    units,
  }
}

interface About {
  readonly durationMs: number
  readonly error: CallError | null
  readonly isExplained: boolean
}

/** The headers of a response; a batch's are those of its weakest member, and what all of it has cost where the caller asks. */
export function headersOf(
  ended: readonly Ended[],
  { durationMs, error, isExplained }: About,
): Record<string, string> {
  const headers: Record<string, string> = {
    ...plain,
    'server-timing': `rpc;dur=${durationMs.toFixed(1)}`,
  }
  let weakest: { result: CallResult; evidence: Evidence } | null = null
  for (const { id, result } of ended) {
    if (id === undefined || result === null) continue
    if (result.pending !== undefined) headers[header.pending] = 'latest'
    const { evidence } = result
    if (evidence !== null && (weakest === null || strengthOf(evidence) < strengthOf(weakest.evidence)))
      weakest = { result, evidence }
  }
  if (weakest !== null) {
    const { result, evidence } = weakest
    headers[header.certificate] = evidence.id
    headers[header.agreement] = agreementText(evidence)
    if (evidence.isThin) headers[header.thin] = '1'
    if (result.block !== null) headers[header.block] = String(result.block.number)
    if (result.cache !== null) headers[header.cache] = result.cache
  }
  if (isExplained) headers[header.units] = unitsText(ended)
  return error === null ? headers : Object.assign(headers, retryAfter(error))
}

function unitsText(ended: readonly Ended[]): string {
  const units = ended.reduce((sum, { cost }) => sum + cost, 0)
  return String(Math.round(units * 10) / 10)
}

const strengthOf = ({ agreed, total }: Evidence): number => agreed / total

function agreementText({ agreed, needed, total, policy, ruleId }: Evidence): string {
  const kind = policy === 'everyday' ? '' : `; policy=${policy}`
  return `${agreed}/${needed}/${total}${kind}${ruleId === 'proven' ? '; proven' : ''}`
}

export function retryAfter({ retryAfterMs }: CallError): Record<string, string> {
  return retryAfterMs === undefined
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
}

export const plain = { 'content-type': 'application/json' }
