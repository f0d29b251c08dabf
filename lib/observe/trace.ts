import {
  type Attributes,
  type Context,
  type HrTime,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { RandomIdGenerator } from '@opentelemetry/sdk-trace'
import {
  type CallRecord,
  type RequestRecord,
  type TraceContext,
  type UpstreamRequestRecord,
  upstreamSpanId,
} from '#rpc-proxy'
import { prefix } from '../public-names.ts'
import type { SpanIds } from './trace-ids.ts'

export interface TraceId {
  readonly traceId: string
  readonly spanId: string
}

/** Creates the spans of a finished request; null when it is not sampled. */
export type Trace = (request: RequestRecord) => TraceId | null

export interface SamplingOptions {
  /** Share of requests that are sampled when the parent does not decide, 0 to 1. */
  readonly ratio: number
  /** Whether the sampled flag of an incoming `traceparent` decides: only when a trusted proxy sets it. */
  readonly isParentTrusted: () => boolean
  readonly random: () => number
}

const traceIds = new RandomIdGenerator()

/** Decides at the start of a request which trace it belongs to and whether it is sampled. Nodes may receive both. */
export function createSampling({
  ratio,
  isParentTrusted,
  random,
}: SamplingOptions): (traceparent: string | null) => TraceContext {
  return (traceparent) => {
    const parent = parentOf(traceparent)
    return {
      traceId: parent?.traceId ?? traceIds.generateTraceId(),
      isSampled: parent !== null && isParentTrusted() ? parent.isSampled : random() < ratio,
    }
  }
}

/**
 * Creates the spans after a request has ended, from its records and their times. So an unsampled request costs no object, and
 * a failed or disputed one is always traced, although that was not known at its start.
 */
export function createTrace(tracer: Tracer, ids: SpanIds): Trace {
  return (request) => {
    if (request.trace === null || !(request.trace.isSampled || isRemarkable(request))) return null
    const parent = parentOf(request.traceparent)
    if (parent === null) ids.nextTrace = request.trace.traceId
    return tell({ tracer, ids }, request, parent?.context ?? ROOT_CONTEXT)
  }
}

interface Teller {
  readonly tracer: Tracer
  readonly ids: SpanIds
}

/** Always traced, sampled or not. */
function isRemarkable({ status, calls }: RequestRecord): boolean {
  return (
    status >= 500 ||
    calls.some(
      ({ code, evidence }) => failures.has(code) || (evidence !== null && evidence.groups.length > 1),
    )
  )
}

/** No quorum, and internal errors. Other codes are the caller's mistakes. */
const failures = new Set([-32010, -32603])

function tell(teller: Teller, request: RequestRecord, context: Context): TraceId {
  const { calls, batch, startMs, endMs, status, chainId } = request
  const [first] = calls
  const span = teller.tracer.startSpan(
    batch ? 'batch' : (first?.method ?? 'refused'),
    {
      kind: SpanKind.SERVER,
      startTime: hrTime(startMs),
      attributes: {
        'rpc.system.name': 'jsonrpc',
        'http.request.method': 'POST',
        'http.response.status_code': status,
        ...(chainId !== null && { [`${prefix}.chain_id`]: chainId }),
        ...(batch ? { [`${prefix}.calls`]: calls.length } : first !== undefined && callAttributes(first)),
      },
    },
    context,
  )
  const within = trace.setSpan(context, span)
  if (batch) for (const call of calls) tellCall(teller, call, within)
  else if (first !== undefined) traceRequests(teller, first, within)
  const failed = calls.find((call) => failures.has(call.code))
  if (status >= 500 || failed !== undefined) fail(span, String(failed?.code ?? status))
  span.end(hrTime(endMs))
  const { traceId, spanId } = span.spanContext()
  return { traceId, spanId }
}

function tellCall(teller: Teller, call: CallRecord, context: Context): void {
  const span = teller.tracer.startSpan(
    call.method,
    { kind: SpanKind.INTERNAL, startTime: hrTime(call.startMs), attributes: callAttributes(call) },
    context,
  )
  traceRequests(teller, call, trace.setSpan(context, span))
  if (failures.has(call.code)) fail(span, String(call.code))
  span.end(hrTime(call.endMs))
}

/** A cache hit or a shared request caused no asks of this call's own. */
function traceRequests(
  { tracer, ids }: Teller,
  { method, cache, evidence, endMs }: CallRecord,
  context: Context,
): void {
  if (evidence === null || cache === 'hit' || cache === 'shared') return
  for (const request of evidence.requests) {
    // The span id that was sent to the node.
    ids.nextSpan = upstreamSpanId(evidence.id, request.node)
    const span = tracer.startSpan(
      method,
      {
        kind: SpanKind.CLIENT,
        startTime: hrTime(request.startMs),
        attributes: requestAttributes(request, method, evidence.chainId),
      },
      context,
    )
    if (request.outcome === 'fault') fail(span, request.detail ?? 'fault')
    span.end(hrTime(request.endMs ?? endMs))
  }
}

function callAttributes({ id, method, code, cache, evidence }: CallRecord): Attributes {
  return {
    'rpc.system.name': 'jsonrpc',
    'rpc.method': method,
    'rpc.status_code': code,
    // The caller's own text, so its length is limited.
    ...(id !== undefined && { 'jsonrpc.request.id': id.slice(0, 64) }),
    ...(cache !== null && { [`${prefix}.cache`]: cache }),
    ...(evidence !== null && {
      [`${prefix}.answer`]: evidence.id,
      [`${prefix}.outcome`]: evidence.reason ?? evidence.outcome,
      [`${prefix}.agreed_weight`]: evidence.agreed,
      [`${prefix}.quorum`]: evidence.needed,
      ...(evidence.block !== null && { [`${prefix}.block`]: evidence.block.number }),
    }),
  }
}

function requestAttributes(request: UpstreamRequestRecord, method: string, chainId: number): Attributes {
  return {
    'rpc.system.name': 'jsonrpc',
    'rpc.method': method,
    'server.address': request.node,
    [`${prefix}.chain_id`]: chainId,
    [`${prefix}.node`]: request.node,
    [`${prefix}.weight`]: request.weight,
    [`${prefix}.outcome`]: request.outcome,
    [`${prefix}.stalled`]: request.stalledMs !== null,
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** W3C trace context, version 00. The engine has validated it. */
function parentOf(
  traceparent: string | null,
): { readonly traceId: string; readonly context: Context; readonly isSampled: boolean } | null {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  const isSampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0
  const spanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return { traceId, context: trace.setSpanContext(ROOT_CONTEXT, spanContext), isSampled }
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}
