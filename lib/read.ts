import { TraceFlags, trace } from '@opentelemetry/api'
import { header, type Snapshot } from '#rpc-proxy'

export type { ChainSnapshot, NodeSnapshot, Snapshot } from '#rpc-proxy'

import { runningEngine } from './engine.ts'
import { env } from './env.ts'

interface PostOptions {
  /** Whose budget it is; null where callers cannot be told apart. */
  readonly caller: string | null
  readonly signal: AbortSignal
  /** More than half of all weight must agree, where half would do. */
  readonly majority?: boolean
}

/** Posts a JSON-RPC text, single or batch, with every reply explained; answers the response's text, empty where there is none. */
export async function post(
  chainId: number,
  body: string,
  { caller, signal, majority = false }: PostOptions,
): Promise<string> {
  const path = `/api/rpc/${chainId}`
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    [header.explain]: '1',
    ...(majority && { [header.majority]: '1' }),
    ...traceparent(),
  }
  const engine = env().GATEWAY_URL === undefined ? runningEngine() : null
  // We are the proxy here: the gateway counts us among its trusted hops, if any, and finds the visitor.
  const forwarded = caller === null ? {} : { 'x-forwarded-for': caller }
  if (engine === null)
    return (await overHttp(path, { method: 'POST', headers: { ...headers, ...forwarded }, body, signal }))
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

/**
 * The engine's state for the operator's pages, or null where it cannot be had. The caller must have checked that the reader is the operator; a gateway
 * that is not in this process checks again by these cookies, and may know of a log-out that this process does not: `refused`.
 */
export async function readSnapshot(cookie: string): Promise<Snapshot | 'refused' | null> {
  const engine = env().GATEWAY_URL === undefined ? runningEngine() : null
  if (engine !== null) return engine.gateway.snapshot()
  const { status, text } = await overHttp('/api/rpc/snapshot', { headers: { cookie } })
  if (status === 401) return 'refused'
  const value = parse(text)
  return isRecord(value) && Array.isArray(value.chains) ? (value as unknown as Snapshot) : null
}

/** Where the gateway is when it is not in this process: elsewhere, or the edge route of this very app. */
export function gatewayOrigin(): string {
  return env().GATEWAY_URL ?? ownAddress()
}

/** Where this app listens. Not APP_ORIGIN: a container often cannot reach itself by its public name. */
export function ownAddress(): string {
  const { PORT, HOST } = env()
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${PORT}`
}

/** The page's own trace goes on in the gateway, so that one request is one trace. */
function traceparent(): Readonly<Record<string, string>> {
  const { traceId, spanId, traceFlags } = trace.getActiveSpan()?.spanContext() ?? {}
  if (traceId === undefined || spanId === undefined) return {}
  return { traceparent: `00-${traceId}-${spanId}-0${(traceFlags ?? 0) & TraceFlags.SAMPLED}` }
}

async function overHttp(path: string, init: RequestInit): Promise<{ status: number | null; text: string }> {
  try {
    const response = await fetch(`${gatewayOrigin()}${path}`, {
      ...init,
      cache: 'no-store',
      redirect: 'manual',
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: null, text: '' }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
