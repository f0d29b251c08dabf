import type { Leave } from '../admission/admission.ts'
import { callErrorOf } from '../calls/call-error.ts'
import { handleCall } from '../calls/dispatch.ts'
import { scopeOf } from '../calls/scope.ts'
import type { CallResult, Scope, Services } from '../calls/services.ts'
import type { Chain } from '../chain/chain.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import { methodLabel } from '../methods/table.ts'
import { gone } from '../runtime/abort.ts'
import { CallError, type ErrorName } from '../runtime/errors.ts'
import { header } from '../runtime/names.ts'
import { andThen, type Soon } from '../runtime/soon.ts'
import { type BatchEntry, decode, type Rejected } from '../wire/decode.ts'
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
  let leave: Leave | null = null
  try {
    const chain = options.chains.get(state.chainId ?? -1)
    if (chain === undefined) throw new CallError('unknown-chain')
    if (request.method !== 'POST') throw new CallError('wrong-verb')
    if (options.isDraining) throw new CallError('draining', { retryAfterMs: 1000 })
    if (!isJson(request.header('content-type'))) throw new CallError('not-application-json')
    services.admission.check(state.caller)
    const text = textOf(await request.body(options.limits.bodyBytesMax, bodyMsMax))
    leave = services.admission.enter(state.caller)
    const soon = answer(text, { request, services, limits: options.limits, state }, chain)
    // A cache hit is known by now, and waits for no other turn.
    const response = soon instanceof Promise ? await soon : soon
    services.admission.answered(response.body.length, state.caller)
    return response
  } catch (error) {
    return end(services, state, errorResponse(error, services, state))
  } finally {
    leave?.()
  }
}

/** A request that is being answered. */
interface Answering {
  readonly request: GatewayRequest
  readonly services: Services
  readonly limits: HandlerOptions['limits']
  readonly state: RequestState
}

function answer(text: string, answering: Answering, chain: Chain): Soon<GatewayResponse> {
  const { request, services, limits, state } = answering
  const decoded = decode(text, limits)
  if (decoded.kind === 'refused') return refuseAll(decoded, answering)
  const scope = scopeOf(chain, request, state)
  if (decoded.kind === 'single')
    return andThen(handleEntry(decoded.entry, scope, services), (ended) => respondToOne(ended, answering))
  state.batch = true
  const all = decoded.entries.map((entry) => handleEntry(entry, scope, services))
  return isKnown(all)
    ? respondToBatch(all, answering)
    : Promise.all(all).then((ended) => respondToBatch(ended, answering))
}

const isKnown = (all: readonly Soon<Ended>[]): all is readonly Ended[] =>
  !all.some((each) => each instanceof Promise)

/** Under its ids, where a batch is refused whole. */
function refuseAll({ error, batch }: Rejected, { services, limits, state }: Answering): GatewayResponse {
  if (batch !== null) services.admission.refused(batch.calls, state.caller)
  if (batch === null || batch.ids.length === 0) throw error
  const body = `[${batch.ids.map((id) => encodeError(id, error.error)).join(',')}]`
  if (body.length > limits.answerBytesMax) throw error
  return end(services, state, { status: error.status, headers: plain, body })
}

const noContent: GatewayResponse = { status: 204, headers: {}, body: '' }

function respondToOne(ended: Ended, { request, services, limits, state }: Answering): GatewayResponse {
  state.calls = [ended]
  if (ended.id === undefined) return end(services, state, noContent)
  return end(services, state, {
    status: ended.status,
    headers: headersOf([ended], services.clock.now() - state.startMs, ended.error),
    body: encode(ended, isExplained(request), limits.answerBytesMax),
  })
}

function respondToBatch(
  all: readonly Ended[],
  { request, services, limits, state }: Answering,
): GatewayResponse {
  state.calls = all
  const replied = all.filter(({ id }) => id !== undefined)
  if (replied.length === 0) return end(services, state, noContent)
  const explained = isExplained(request)
  let bytesLeft = limits.answerBytesMax
  const texts = replied.map((ended) => {
    const text = encode(ended, explained, bytesLeft)
    bytesLeft -= text.length
    return text
  })
  return end(services, state, {
    status: 200,
    headers: headersOf(replied, services.clock.now() - state.startMs, null),
    body: `[${texts.join(',')}]`,
  })
}

const isExplained = (request: GatewayRequest): boolean => request.header(header.explain) === '1'

function handleEntry(entry: BatchEntry, scope: Scope, services: Services): Soon<Ended> {
  const startMs = services.clock.now()
  if ('error' in entry) {
    takeNote(entry.error, scope.caller, scope.chain.config.id, services)
    return endedBadly(entry.error, entry.id, '_OTHER', startMs, services)
  }
  const { id, method } = entry.call
  const failed = (thrown: unknown): Ended => {
    // The caller has left: the whole request ends without a response.
    if (thrown === gone) throw thrown
    const error = callErrorOf(thrown, services, scope.chain.config.id)
    takeNote(error, scope.caller, scope.chain.config.id, services)
    return endedBadly(error, id, methodLabel(method), startMs, services)
  }
  const succeeded = (result: CallResult): Ended => {
    const { outcome, cache, evidence } = result
    const code = 'error' in outcome ? outcome.error.code : 0
    const ends = { startMs, endMs: services.clock.now() }
    return {
      id,
      method: methodLabel(method),
      ...ends,
      code,
      error: null,
      cache,
      evidence,
      status: 200,
      result,
      outcome,
    }
  }
  try {
    const result = handleCall(services, entry.call, scope)
    return result instanceof Promise ? result.then(succeeded, failed) : succeeded(result)
  } catch (thrown) {
    // As a promise, so that a batch waits for the calls that it began before.
    return thrown === gone ? Promise.reject(thrown) : failed(thrown)
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
  const outcome = { error: error.error }
  return {
    id,
    method,
    startMs,
    endMs: services.clock.now(),
    // The code of a refusal may be any number, and is no failure of ours.
    code: error.kind === 'refused' ? refusedCode : error.error.code,
    error,
    cache: null,
    evidence,
    status: error.status,
    result: evidence === null ? null : { outcome, evidence, block: evidence.block, cache: null },
    outcome,
  }
}

const refusedCode = -32000

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

function textOf(body: Awaited<ReturnType<GatewayRequest['body']>>): string {
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
