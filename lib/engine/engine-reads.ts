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
  if (engine === null) {
    const init = { method: 'POST', headers: { ...headers, ...forwarded(caller) }, body, signal }
    return (await readRoute(path, init)).text
  }
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

/** The app is a proxy here: a gateway with trusted hops reads the visitor's address from this header. */
function forwarded(caller: string | null): Readonly<Record<string, string>> {
  return caller === null ? {} : { 'x-forwarded-for': caller }
}

/** The value, `refused`, or null when it is unavailable. */
export type Read<Value> = Value | 'refused' | null

/**
 * The engine's state for the operator's pages. The caller must have checked that the visitor is the operator. The gateway checks these
 * cookies again and, in another process, may know of a log-out that this process does not: `refused`.
 */
export const readSnapshot = (cookie: string) => readView<Snapshot>('snapshot', cookie)

/** The counts of a period. As for everything below, the caller must have checked that the visitor is the operator. */
export const readHistory = ({ fromMs, toMs, stepsMax }: HistoryRange, cookie: string) =>
  readView<History>(`history?from=${fromMs}&to=${toMs}&steps=${stepsMax}`, cookie)

export const readBlocks = (cookie: string) =>
  readView<{ readonly chains: ReturnType<Gateway['blocks']> }>('blocks', cookie)

/** The latest failures and disputes, newest first. */
export const readDisputes = (most: number, cookie: string) =>
  readView<{ readonly answers: readonly Certificate[] }>(`answers?only=disputes&limit=${most}`, cookie)

/** What callers with keys have used, by month. */
export const readUsage = (cookie: string) => readView<CallerUsage>('usage?by=month', cookie)

/** How nodes and operators compare. */
export const readScorecard = (last: ScorecardRange, cookie: string) =>
  readView<Scorecard>(`scorecard?last=${last}`, cookie)

/** All processes behind the same address, the one that answers first; empty where there is only one. */
export const readReplicas = (cookie: string) =>
  readView<{ readonly replicas: readonly ReplicaReport[] }>('replicas', cookie)

/** A stored answer, or that it is not stored any more. */
type ReadStored<Value> = Read<Value> | 'gone'

/** One answer's certificate. */
export const readAnswer = (id: string, cookie: string) =>
  readStored<TracedCertificate>(`answers/${encodeURIComponent(id)}`, { cookie })

/** The public certificate of an answer; `gone` if certificates are not public. `caller`: as for `post`. */
export const readEvidence = (id: string, caller: string | null) =>
  readStored<PublicCertificate>(`answers/${encodeURIComponent(id)}/evidence`, forwarded(caller))

async function readView<Value extends object>(path: string, cookie: string): Promise<Read<Value>> {
  const value = await readStored<Value>(path, { cookie })
  return value === 'gone' ? null : value
}

async function readStored<Value extends object>(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReadStored<Value>> {
  const { status, text } = await readRoute(`/api/rpc/${path}`, { headers })
  if (status === 401) return 'refused'
  if (status === 404) return 'gone'
  const value = parseJson(text)
  return status === 200 && isRecord(value) ? (value as Value) : null
}

/** Static facts of every method. */
export const readMethods = (): readonly MethodFacts[] => methodFacts()

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

/** `status` is null where there was no response. */
async function readRoute(path: string, init: RequestInit) {
  try {
    const response = await fetchGateway(path, init)
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: null, text: '' }
  }
}
