import { callerKey, type KeyedCaller } from '../admission/caller.ts'
import { type CallInFlight, handleCall } from '../calls/dispatch.ts'
import { refundKnown, type Scope, scopeOf } from '../calls/scope.ts'
import type { CallResult, Services } from '../calls/services.ts'
import type { Chain } from '../chain/chain.ts'
import type { Config } from '../config/config-types.ts'
import type { CallRecord, RequestRecord } from '../events/events.ts'
import type { Evidence } from '../events/evidence-types.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import { methodLabel } from '../methods/table.ts'
import { gone } from '../runtime/abort.ts'
import type { Soon } from '../runtime/clock.ts'
import { CallError, type ErrorName } from '../runtime/errors.ts'
import { header, prefix } from '../runtime/names.ts'
import { type BatchEntry, decode, encodeError, encodeResult, type Rejected } from '../wire/json-rpc.ts'
import type { Call, IdText } from '../wire/types.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'

interface HandlerOptions {
  readonly chains: ReadonlyMap<number, Chain>
  readonly limits: Omit<Config['limits'], 'inFlightMax'>
  readonly isDraining: boolean
  /** Whose key the request has. */
  readonly keyed: KeyedCaller | null
  /** Called when it has its response. */
  readonly onEnd: () => void
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
  let isIn = false
  let state: RequestState | null = null
  const { admission } = services
  try {
    state = begin(request, services, options)
    const { limits, chains, isDraining } = options
    const chain = chains.get(state.chainId ?? -1)
    if (chain === undefined) throw new CallError('unknown-chain')
    if (request.method !== 'POST') throw new CallError('wrong-verb')
    if (isDraining) throw new CallError('draining', { retryAfterMs: 1000 })
    if (!isJson(request.header('content-type'))) throw new CallError('not-application-json')
    admission.check(state.caller)
    const text = textOf(await request.body(limits.bodyBytesMax, bodyMsMax))
    admission.enter(state.caller)
    isIn = true
    const decoded = decode(text, limits)
    const scope = scopeOf(chain, request, state)
    const answering = { request, services, limits, state }
    let response: GatewayResponse
    if (decoded.kind === 'refused') response = refuseAll(decoded, answering)
    else {
      state.batch = decoded.kind === 'batch'
      const { caller } = state
      const all =
        decoded.kind === 'batch'
          ? decoded.entries.map((entry) =>
              services.batchTurns.begin(caller, () => handleEntry(entry, scope, services)),
            )
          : [handleEntry(decoded.entry, scope, services)]
      // A cache hit is known by now, and waits for no other turn.
      response = respond(isKnown(all) ? all : await Promise.all(all), answering)
    }
    admission.answered(response.body.length, state.caller)
    return response
  } catch (error) {
    // What the host hands in has thrown before anything was known of the request.
    if (state === null) throw error
    return end(services, state, errorResponse(error, services, state))
  } finally {
    if (isIn) admission.leave(state?.caller ?? null)
    options.onEnd()
  }
}

/** A request that is being answered. */
interface Answering {
  readonly request: GatewayRequest
  readonly services: Services
  readonly limits: HandlerOptions['limits']
  readonly state: RequestState
}

const isKnown = (all: readonly Soon<Entry>[]): all is readonly Entry[] =>
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

function respond(all: readonly Entry[], { request, services, limits, state }: Answering): GatewayResponse {
  state.calls = all
  const replied = all.filter(({ id }) => id !== undefined)
  const [first] = replied
  if (first === undefined) return end(services, state, noContent)
  const isExplained = request.header(header.explain) === '1'
  let bytesLeft = limits.answerBytesMax
  const texts = replied.map((entry) => {
    const text = encode(entry, isExplained, bytesLeft)
    bytesLeft -= text.length
    return text
  })
  // Each member of a batch has an error of its own.
  const error = state.batch ? null : first.error
  const durationMs = services.clock.now() - state.startMs
  return end(services, state, {
    status: error?.status ?? 200,
    headers: headersOf(all, { durationMs, error, isExplained }),
    body: state.batch ? `[${texts.join(',')}]` : (texts[0] as string),
  })
}

/** One entry of a request, from its arrival to its end: also the record of it that observers get. */
class Entry implements CallRecord, CallInFlight {
  readonly id: IdText | undefined
  readonly params: readonly unknown[]
  readonly startMs: number
  method: string
  cost = 0
  isPinnedPending = false
  endMs = 0
  code = 0
  error: CallError | null = null
  cache: CallResult['cache'] = null
  evidence: CallResult['evidence'] = null
  result: CallResult | null = null
  outcome!: CallResult['outcome']
  readonly #scope: Scope
  readonly #services: Services

  constructor({ id, method, params }: Call, scope: Scope, services: Services) {
    this.id = id
    this.method = method
    this.params = params
    this.startMs = services.clock.now()
    this.#scope = scope
    this.#services = services
  }

  succeed(result: CallResult): this {
    const { outcome, cache, evidence } = result
    this.cost = refundKnown(this.#services, result, this.cost, this.#scope.caller)
    this.code = 'error' in outcome ? outcome.error.code : 0
    this.cache = cache
    this.evidence = evidence
    this.result = this.isPinnedPending ? { ...result, pending: 'latest' } : result
    this.outcome = outcome
    return this.#end()
  }

  fail(thrown: unknown): this {
    // The caller has left: the whole request ends without a response.
    if (thrown === gone) throw thrown
    const { chain, caller } = this.#scope
    const error = callErrorOf(thrown, this.#services, chain.config.id)
    noteError(error, caller, chain.config.id, this.#services)
    // The code of a refusal may be any number, and is no failure of ours.
    this.code = error.kind === 'refused' ? refusedCode : error.error.code
    this.error = error
    this.outcome = { error: error.error }
    if (error instanceof QuorumError) {
      const { evidence } = error
      this.evidence = evidence
      this.result = { outcome: this.outcome, evidence, block: evidence.block, cache: null }
    }
    return this.#end()
  }

  #end(): this {
    this.endMs = this.#services.clock.now()
    // A label of metrics: no text that callers choose.
    this.method = methodLabel(this.method)
    const { keyed } = this.#scope
    if (keyed !== null)
      this.#services.admission.usage.count(keyed.name, {
        method: this.method,
        units: this.cost,
        isHit: this.cache === 'hit' || this.cache === 'shared',
        isError: this.error !== null,
      })
    return this
  }
}

function handleEntry(read: BatchEntry, scope: Scope, services: Services): Soon<Entry> {
  if ('error' in read)
    return new Entry({ id: read.id, method: '_OTHER', params: [] }, scope, services).fail(read.error)
  const entry = new Entry(read.call, scope, services)
  try {
    const result = handleCall(services, entry, scope)
    return result instanceof Promise
      ? result.then(
          (known) => entry.succeed(known),
          (thrown) => entry.fail(thrown),
        )
      : entry.succeed(result)
  } catch (thrown) {
    // As a promise, so that a batch waits for the calls that it began before.
    return thrown === gone ? Promise.reject(thrown) : entry.fail(thrown)
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
function noteError(
  { kind }: CallError,
  caller: string | null,
  chainId: number | null,
  { emit, admission }: Pick<Services, 'emit' | 'admission'>,
): void {
  if (kind === 'overloaded') emit({ type: 'shed', chainId })
  if (kind === 'too-many-requests') emit({ type: 'rate-limited', chainId })
  if (unread.has(kind)) admission.refused(1, caller)
}

function errorResponse(thrown: unknown, services: Services, state: RequestState): GatewayResponse {
  if (thrown === gone) return { status: 499, headers: {}, body: '' }
  const error = callErrorOf(thrown, services, state.chainId ?? 0)
  noteError(error, state.caller, state.chainId, services)
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

/** An unexpected error is a breach: the caller is told no details, the operator is told all of them. */
function callErrorOf(thrown: unknown, { emit }: Pick<Services, 'emit'>, chainId: number): CallError {
  if (thrown instanceof CallError) return thrown
  const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'something was thrown'
  emit({ type: 'breach', chainId, invariant: 'no surprise', detail })
  return new CallError('breach', { detail })
}

/** What is known of a request while it is answered: the record that its observers get. */
interface RequestState extends RequestRecord {
  readonly caller: string | null
  /** Whose key it has. */
  readonly keyed: KeyedCaller | null
  endMs: number
  status: number
  batch: boolean
  calls: readonly CallRecord[]
}

function begin(
  request: Pick<GatewayRequest, 'path' | 'header' | 'caller'>,
  { clock, traceOf }: Pick<Services, 'clock' | 'traceOf'>,
  { chains, keyed }: { readonly chains: ReadonlyMap<number, Chain>; readonly keyed: KeyedCaller | null },
): RequestState {
  const chainId = chainIdOf(request.path)
  const traceparent = traceparentOf(request.header)
  return {
    startMs: clock.now(),
    endMs: 0,
    status: 0,
    caller: keyed?.budgetKey ?? (request.caller === null ? null : callerKey(request.caller)),
    keyed,
    chainId: chainId !== null && chains.has(chainId) ? chainId : null,
    batch: false,
    traceparent,
    trace: traceOf?.(traceparent) ?? null,
    calls: [],
  }
}

/** Tells the observers of a request that has its response, and returns that. */
function end(
  services: Pick<Services, 'clock' | 'emit'>,
  request: RequestState,
  response: GatewayResponse,
): GatewayResponse {
  request.endMs = services.clock.now()
  request.status = response.status
  services.emit({ type: 'request', request })
  return response
}

/** Whether a body is JSON-RPC by its type: `application/json`, and the two older names that geth takes as well. */
function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json(?:-rpc|request)?[ \t]*(;|$)/i.test(contentType.trim())
}

/** The chain that a path names; null where it names none. */
function chainIdOf(path: string): number | null {
  const text = /\/([1-9]\d{0,15})\/?$/.exec(path)?.[1]
  return text === undefined ? null : Number(text)
}

/**
 * The parent that W3C Trace Context names, as version 00 writes it. A later version is read by what it shares with 00: its
 * first 55 characters, whatever follows them after a dash, and of the flags "sampled" alone.
 */
export function traceparentOf(read: (name: string) => string | null): string | null {
  const text = read('traceparent')
  if (text === null) return null
  const [, version, ids, flags = '', more] = traceparentShape.exec(text) ?? []
  if (version === undefined || version === 'ff') return null
  if (version === '00') return more === '' ? text : null
  return `00-${ids}-0${Number.parseInt(flags, 16) & 1}`
}

const traceparentShape =
  /^([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16})-([0-9a-f]{2})((?:-.*)?)$/

/** One response object's text, within what is left of the response's bytes. */
function encode(
  { id = 'null', outcome, result, cost }: Entry,
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
function headersOf(
  ended: readonly Entry[],
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

function unitsText(ended: readonly Entry[]): string {
  const units = ended.reduce((sum, { cost }) => sum + cost, 0)
  return String(Math.round(units * 10) / 10)
}

const strengthOf = ({ agreed, total }: Evidence): number => agreed / total

function agreementText({ agreed, needed, total, policy, ruleId }: Evidence): string {
  const kind = policy === 'everyday' ? '' : `; policy=${policy}`
  return `${agreed}/${needed}/${total}${kind}${ruleId === 'proven' ? '; proven' : ''}`
}

function retryAfter({ retryAfterMs }: CallError): Record<string, string> {
  return retryAfterMs === undefined
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) }
}

const plain = { 'content-type': 'application/json' }
