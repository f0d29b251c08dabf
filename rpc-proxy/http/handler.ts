import { callErrorOf } from '../calls/call-error.ts'
import { handleCall } from '../calls/dispatch.ts'
import { scopeOf } from '../calls/scope.ts'
import type { Scope, Services } from '../calls/services.ts'
import type { Chain } from '../chain/chain.ts'
import type { CallRecord } from '../events/events.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import { methodLabel } from '../methods/table.ts'
import { gone } from '../runtime/abort.ts'
import { CallError, type ErrorName } from '../runtime/errors.ts'
import { header } from '../runtime/names.ts'
import { type BatchEntry, decode } from '../wire/decode.ts'
import { encodeError } from '../wire/encode.ts'
import type { IdText } from '../wire/types.ts'
import { isJson } from './envelope.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'
import { begin, end, type RequestState } from './request-state.ts'
import { type Ended, encode, headersOf, plain, retryAfter } from './response.ts'

export interface HandlerOptions {
  readonly chains: ReadonlyMap<number, Chain>
  readonly limits: {
    readonly bodyBytesMax: number
    readonly batchCallsMax: number
    readonly answerBytesMax: number
  }
  readonly isDraining: boolean
}

/** How long a caller may take to send its body. */
const bodyMsMax = 5_000
/** A caller with too many bodies open may come again when some of them have ended. */
const openBodiesRetryMs = 1_000

/** HTTP in, HTTP out: checks the request, answers each call, restores ids and order. Never throws. */
export async function handle(
  request: GatewayRequest,
  services: Services,
  options: HandlerOptions,
): Promise<GatewayResponse> {
  const state = begin(request, services, options.chains)
  let leave = () => {}
  try {
    const chain = options.chains.get(state.chainId ?? -1)
    if (chain === undefined) throw new CallError('unknown-chain')
    if (request.method !== 'POST') throw new CallError('wrong-verb')
    if (options.isDraining) throw new CallError('draining', { retryAfterMs: 1000 })
    if (!isJson(request.header('content-type'))) throw new CallError('not-application-json')
    services.admission.check(state.caller)
    const text = await textOf(request, options.limits.bodyBytesMax)
    leave = services.admission.enter(state.caller)
    const response = await resultText(text, chain, request, services, options, state)
    services.admission.answered(response.body.length, state.caller)
    return response
  } catch (error) {
    return end(services, state, errorResponse(error, services, state))
  } finally {
    leave()
  }
}

async function resultText(
  text: string,
  chain: Chain,
  request: GatewayRequest,
  services: Services,
  { limits }: HandlerOptions,
  state: RequestState,
): Promise<GatewayResponse> {
  const decoded = decode(text, limits)
  const isExplained = request.header(header.explain) === '1'
  const scope = scopeOf(chain, request, state)
  if (decoded.kind === 'refused') {
    const { error, batch } = decoded
    if (batch !== null) services.admission.refused(batch.calls, state.caller)
    if (batch === null || batch.ids.length === 0) throw error
    const body = `[${batch.ids.map((id) => encodeError(id, error.error)).join(',')}]`
    if (body.length > limits.answerBytesMax) throw error
    return end(services, state, { status: error.status, headers: plain, body })
  }
  if (decoded.kind === 'single') {
    const ended = await handleEntry(decoded.entry, scope, services)
    state.calls = [ended.record]
    if (ended.id === undefined) return end(services, state, { status: 204, headers: {}, body: '' })
    return end(services, state, {
      status: ended.status,
      headers: headersOf([ended], services.clock.now() - state.startMs, ended.record.error),
      body: encode(ended, isExplained, limits.answerBytesMax).text,
    })
  }
  state.batch = true
  const all = await Promise.all(decoded.entries.map((entry) => handleEntry(entry, scope, services)))
  state.calls = all.map(({ record }) => record)
  const replied = all.filter(({ id }) => id !== undefined)
  if (replied.length === 0) return end(services, state, { status: 204, headers: {}, body: '' })
  let bytesLeft = limits.answerBytesMax
  const texts = replied.map((ended) => {
    const { text: entryText, bytes } = encode(ended, isExplained, bytesLeft)
    bytesLeft -= bytes
    return entryText
  })
  return end(services, state, {
    status: 200,
    headers: headersOf(replied, services.clock.now() - state.startMs, null),
    body: `[${texts.join(',')}]`,
  })
}

async function handleEntry(entry: BatchEntry, scope: Scope, services: Services): Promise<Ended> {
  const startMs = services.clock.now()
  if ('error' in entry) {
    takeNote(entry.error, scope.caller, scope.chain.config.id, services)
    return endedBadly(entry.error, entry.id, '_OTHER', startMs, services)
  }
  const { id, method } = entry.call
  try {
    const result = await handleCall(services, entry.call, scope)
    const code = 'error' in result.outcome ? result.outcome.error.code : 0
    const record: CallRecord = {
      id,
      method: methodLabel(method),
      startMs,
      endMs: services.clock.now(),
      code,
      error: null,
      cache: result.cache,
      evidence: result.evidence,
    }
    return { id, status: 200, outcome: result.outcome, result, record }
  } catch (thrown) {
    // The caller has left: the whole request ends without a response.
    if (thrown === gone) throw thrown
    const error = callErrorOf(thrown, services, scope.chain.config.id)
    takeNote(error, scope.caller, scope.chain.config.id, services)
    return endedBadly(error, id, methodLabel(method), startMs, services)
  }
}

function endedBadly(
  error: CallError,
  id: IdText | undefined,
  method: string,
  startMs: number,
  services: Services,
): Ended {
  const evidence = error instanceof QuorumError ? error.evidence : null
  const result =
    evidence === null
      ? null
      : { outcome: { error: error.error }, evidence, block: evidence.block, cache: null }
  const record: CallRecord = {
    id,
    method,
    startMs,
    endMs: services.clock.now(),
    code: error.error.code,
    error,
    cache: null,
    evidence,
  }
  return { id, status: error.status, outcome: { error: error.error }, result, record }
}

/** Errors that come before a call has a cost. Reading it was work, so it is charged the minimum. */
const unread: ReadonlySet<ErrorName> = new Set([
  'not-json',
  'not-a-request',
  'empty-batch',
  'body-too-large',
  'body-too-slow',
  'bad-params',
  'no-method',
  'not-allowed',
])

/** Emits every limit that a request or a call has met, and charges for calls that cannot be answered. */
function takeNote(
  { kind }: CallError,
  caller: string | null,
  chainId: number | null,
  { emit, admission }: Services,
): void {
  if (kind === 'overloaded') emit({ type: 'shed', chainId })
  if (kind === 'too-many-requests') emit({ type: 'rate-limited', chainId })
  if (unread.has(kind)) admission.refused(1, caller)
}

function errorResponse(thrown: unknown, services: Services, state: RequestState): GatewayResponse {
  if (thrown === gone) return { status: 499, headers: {}, body: '' }
  const error = callErrorOf(thrown, services, state.chainId ?? 0)
  takeNote(error, state.caller, state.chainId, services)
  const allow = error.kind === 'wrong-verb' ? { allow: 'POST, OPTIONS' } : {}
  return {
    // Nothing of the request could be answered.
    status: error.kind === 'breach' ? 500 : error.status,
    headers: { ...plain, ...allow, ...retryAfter(error) },
    body: encodeError('null', error.error),
  }
}

async function textOf(request: GatewayRequest, bytesMax: number): Promise<string> {
  const body = await request.body(bytesMax, bodyMsMax)
  if ('text' in body) return body.text
  if (body.fault === 'gone') throw gone
  const kind = bodyErrors[body.fault]
  throw new CallError(kind, kind === 'too-many-requests' ? { retryAfterMs: openBodiesRetryMs } : {})
}

const bodyErrors = {
  'too-large': 'body-too-large',
  'too-slow': 'body-too-slow',
  'too-many': 'too-many-requests',
  'not-utf8': 'not-json',
} as const
