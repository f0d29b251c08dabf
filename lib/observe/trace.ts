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
import { type AskRecord, askSpanId, type CallRecord, type RequestRecord, type TraceContext } from '#rpc-proxy'
import { prefix } from '../names.ts'
import type { Ids } from './trace-ids.ts'

export interface TraceId {
  readonly traceId: string
  readonly spanId: string
}

/** Makes the spans of a request that has ended; null where it is not sampled. */
export type Trace = (request: RequestRecord) => TraceId | null

export interface SamplingOptions {
  /** Share of requests that are traced when nobody before us has decided, 0 to 1. */
  readonly ratio: number
  /** Whether the sampled flag of an incoming `traceparent` decides: only where a proxy of ours has set it. */
  readonly isParentTrusted: () => boolean
  readonly random: () => number
}

/** Decides when a request begins which trace it belongs to, and whether that is sampled; nodes may be told of it. */
export function createSampling({
  ratio,
  isParentTrusted,
  random,
}: SamplingOptions): (traceparent: string | null) => TraceContext {
  return (traceparent) => {
    const parent = parentOf(traceparent)
    return {
      traceId: parent?.traceId ?? traceIdFrom(random),
      isSampled: parent !== null && isParentTrusted() ? parent.isSampled : random() < ratio,
    }
  }
}

/** Four draws of eight digits; all zeros is no id. */
function traceIdFrom(random: () => number): string {
  const digits = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return /^0+$/.test(digits) ? `${digits.slice(1)}1` : digits
}

/**
 * Spans are made when a request has ended, from its records and with their times: a request that is not sampled costs
 * no object, and one that failed or was disputed is always there, although nobody could know at its start.
 */
export function createTrace(tracer: Tracer, ids: Ids): Trace {
  return (request) => {
    if (request.trace === null || !(request.trace.isSampled || isRemarkable(request))) return null
    const parent = parentOf(request.traceparent)
    if (parent === null) ids.nextTrace(request.trace.traceId)
    return tell({ tracer, ids }, request, parent?.context ?? ROOT_CONTEXT)
  }
}

interface Teller {
  readonly tracer: Tracer
  readonly ids: Ids
}

/** What an operator must be able to look up, sampled or not. */
function isRemarkable({ status, calls }: RequestRecord): boolean {
  return (
    status >= 500 ||
    calls.some(({ code, evidence }) => failures.has(code) || (evidence !== null && evidence.camps.length > 1))
  )
}

/** 'failed to meet quorum' and breaches: no caller's mistake. */
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
  else if (first !== undefined) tellAsks(teller, first, within)
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
  tellAsks(teller, call, trace.setSpan(context, span))
  if (failures.has(call.code)) fail(span, String(call.code))
  span.end(hrTime(call.endMs))
}

/** What was known, or asked for somebody else already, was not asked for this call. */
function tellAsks(
  { tracer, ids }: Teller,
  { method, cache, evidence, endMs }: CallRecord,
  context: Context,
): void {
  if (evidence === null || cache === 'hit' || cache === 'shared') return
  for (const ask of evidence.asks) {
    // The very span that the node was told of.
    ids.nextSpan(askSpanId(evidence.id, ask.node))
    const span = tracer.startSpan(
      method,
      {
        kind: SpanKind.CLIENT,
        startTime: hrTime(ask.startMs),
        attributes: askAttributes(ask, method, evidence.chainId),
      },
      context,
    )
    if (ask.outcome === 'fault') fail(span, ask.detail ?? 'fault')
    span.end(hrTime(ask.endMs ?? endMs))
  }
}

function callAttributes({ id, method, code, cache, evidence }: CallRecord): Attributes {
  return {
    'rpc.system.name': 'jsonrpc',
    'rpc.method': method,
    'rpc.status_code': code,
    // The caller's own text; long enough to find it again and no longer.
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

function askAttributes(ask: AskRecord, method: string, chainId: number): Attributes {
  return {
    'rpc.system.name': 'jsonrpc',
    'rpc.method': method,
    'server.address': ask.node,
    [`${prefix}.chain_id`]: chainId,
    [`${prefix}.node`]: ask.node,
    [`${prefix}.weight`]: ask.weight,
    [`${prefix}.outcome`]: ask.outcome,
    [`${prefix}.stalled`]: ask.stalledMs !== null,
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** W3C trace context, version 00; the engine has checked its form. */
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
