import { TraceFlags, trace } from '@opentelemetry/api'
import {
  type Certificate,
  type Gateway,
  type History,
  type HistoryRange,
  header,
  type MethodFacts,
  methodFacts,
  type Snapshot,
} from '#rpc-proxy'
import { isRecord, parseJson } from '../parse-json.ts'

export type {
  Certificate,
  ChainHistory,
  ChainSnapshot,
  History,
  MethodFacts,
  NodeHistory,
  NodeSnapshot,
  SeenBlock,
  Snapshot,
  UpstreamOutcome,
} from '#rpc-proxy'
export type { CallerUsage } from './caller-usage.ts'
export type { ReplicaReport } from './replicas.ts'

import type { PublicCertificate } from '../certificate/public-certificate.ts'
import { env } from '../config/env.ts'
import type { CallerUsage } from './caller-usage.ts'
import { runningEngine, type TracedCertificate } from './engine.ts'
import { fetchGateway } from './gateway-address.ts'
import type { ReplicaReport } from './replicas.ts'
import type { Scorecard, ScorecardRange } from './scorecard.ts'

interface PostOptions {
  /** The caller whose budget pays; null where callers cannot be told apart. */
  readonly caller: string | null
  readonly signal: AbortSignal
  /** Requires a protected round. */
  readonly protect?: boolean
}

/** Posts a JSON-RPC call or batch and asks to explain every reply. Returns the response's text, empty when there is none. */
export async function post(
  chainId: number,
  body: string,
  { caller, signal, protect = false }: PostOptions,
): Promise<string> {
  const path = `/api/rpc/${chainId}`
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    [header.explain]: '1',
    ...(protect && { [header.protect]: '1' }),
    ...traceparent(),
  }
  const engine = env().GATEWAY_URL === undefined ? runningEngine() : null
  // We act as a proxy: a gateway with trusted hops finds the visitor in this header.
  const forwarded = caller === null ? {} : { 'x-forwarded-for': caller }
  if (engine === null)
    return (await readRoute(path, { method: 'POST', headers: { ...headers, ...forwarded }, body, signal }))
      .text
  const response = await engine.gateway.handle({
    method: 'POST',
    path,
    header: (name) => headers[name] ?? null,
    body: async () => ({ text: body }),
    caller,
    origin: null,
    signal,
  })
  return response.body
}

/** The value, `refused`, or null when it is unavailable. */
export type Read<Value> = Value | 'refused' | null

/**
 * The engine's state for the operator's pages. The caller must have checked that the visitor is the operator. The gateway checks these
 * cookies again and, in another process, may know of a log-out that this process does not: `refused`.
 */
export function readSnapshot(cookie: string): Promise<Read<Snapshot>> {
  return readView('snapshot', cookie)
}

/** The counts of a period. As for everything below, the caller must have checked that the visitor is the operator. */
export function readHistory(range: HistoryRange, cookie: string): Promise<Read<History>> {
  return readView(`history?from=${range.fromMs}&to=${range.toMs}&steps=${range.stepsMax}`, cookie)
}

export function readBlocks(
  cookie: string,
): Promise<Read<{ readonly chains: ReturnType<Gateway['blocks']> }>> {
  return readView('blocks', cookie)
}

/** The latest failures and disputes, newest first. */
export function readDisputes(
  most: number,
  cookie: string,
): Promise<Read<{ readonly answers: readonly Certificate[] }>> {
  return readView(`answers?only=disputes&limit=${most}`, cookie)
}

/** What callers with keys have used, by month. */
export function readUsage(cookie: string): Promise<Read<CallerUsage>> {
  return readView('usage?by=month', cookie)
}

/** How nodes and operators compare. */
export function readScorecard(last: ScorecardRange, cookie: string): Promise<Read<Scorecard>> {
  return readView(`scorecard?last=${last}`, cookie)
}

/** All processes behind the same address, the one that answers first; empty where there is only one. */
export function readReplicas(cookie: string): Promise<Read<{ readonly replicas: readonly ReplicaReport[] }>> {
  return readView('replicas', cookie)
}

/** A stored answer, or that it is not stored any more. */
type ReadStored<Value> = Read<Value> | 'gone'

/** One answer's certificate. */
export function readAnswer(id: string, cookie: string): Promise<ReadStored<TracedCertificate>> {
  return readStored(`answers/${encodeURIComponent(id)}`, cookie)
}

/** One answer's public certificate; `gone` also where none is public. */
export function readEvidence(id: string): Promise<ReadStored<PublicCertificate>> {
  return readStored(`answers/${encodeURIComponent(id)}/evidence`, '')
}

async function readStored<Value extends object>(path: string, cookie: string): Promise<ReadStored<Value>> {
  const response = await readRoute(`/api/rpc/${path}`, { headers: { cookie } })
  return response.status === 404 ? 'gone' : viewOf(response)
}

async function readView<Value extends object>(path: string, cookie: string): Promise<Read<Value>> {
  return viewOf(await readRoute(`/api/rpc/${path}`, { headers: { cookie } }))
}

function viewOf<Value extends object>({ status, text }: RouteText): Read<Value> {
  if (status === 401) return 'refused'
  const value = parseJson(text)
  return status === 200 && isRecord(value) ? (value as Value) : null
}

/** Static facts of every method. */
export function readMethods(): readonly MethodFacts[] {
  return methodFacts()
}

/** What the public health route answers; null when there is no answer until `signal`. */
export async function readHealth(signal: AbortSignal): Promise<unknown> {
  return parseJson((await readRoute('/api/rpc/health', { signal })).text) ?? null
}

/** Continues the page's trace in the gateway. */
function traceparent(): Readonly<Record<string, string>> {
  const { traceId, spanId, traceFlags } = trace.getActiveSpan()?.spanContext() ?? {}
  if (traceId === undefined || spanId === undefined) return {}
  return { traceparent: `00-${traceId}-${spanId}-0${(traceFlags ?? 0) & TraceFlags.SAMPLED}` }
}

interface RouteText {
  /** Null where there was no response. */
  readonly status: number | null
  readonly text: string
}

async function readRoute(path: string, init: RequestInit): Promise<RouteText> {
  try {
    const response = await fetchGateway(path, init)
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: null, text: '' }
  }
}
