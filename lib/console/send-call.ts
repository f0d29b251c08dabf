import type { TracedCertificate } from '#lib/engine/engine.ts'
import { explain, gatewayPath } from '#lib/page/quorate.ts'
import type { ReadCall } from '#lib/page/reading.ts'
import { isRecord, parseJson } from '../parse-json.ts'
import { bodyOf } from './snippets.ts'

/** The outcome of a call. */
export interface ConsoleReply {
  /** HTTP status; null when the gateway could not be reached. */
  readonly status: number | null
  readonly tookMs: number
  /** Has a result or an error; undefined when it is not a JSON-RPC reply. */
  readonly reply: { readonly result?: unknown; readonly error?: unknown } | undefined
  /** Id of the answer's certificate; null when no node was asked. */
  readonly answer: string | null
  /** Null when it could not be fetched. */
  readonly certificate: TracedCertificate | null
}

const withinMs = 30_000

/**
 * Sends one call and fetches its certificate; never throws. Not by the transport: it shows the HTTP response that any client would
 * get. A page cannot read the certificates of a gateway on another site.
 */
export async function sendCall(gateway: string, chainId: number, call: ReadCall): Promise<ConsoleReply> {
  const startMs = performance.now()
  const { status, value } = await fetchJson(gatewayPath(gateway, chainId), {
    method: 'POST',
    headers: { 'content-type': 'application/json', [explain]: '1' },
    body: bodyOf(call),
  })
  const tookMs = performance.now() - startMs
  const reply = isRecord(value) ? value : {}
  const explained = isRecord(reply.quorate) ? reply.quorate.answer : undefined
  const answer = typeof explained === 'string' ? explained : null
  return {
    status,
    tookMs,
    reply: reply.error !== undefined || 'result' in reply ? reply : undefined,
    answer,
    certificate: answer === null || gateway !== '' ? null : await certificateOf(answer),
  }
}

async function certificateOf(answer: string): Promise<TracedCertificate | null> {
  const { status, value } = await fetchJson(`/api/rpc/answers/${encodeURIComponent(answer)}`, {})
  return status === 200 && isRecord(value) ? (value as unknown as TracedCertificate) : null
}

async function fetchJson(
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number | null; readonly value: unknown }> {
  try {
    const response = await fetch(url, { ...init, cache: 'no-store', signal: AbortSignal.timeout(withinMs) })
    return { status: response.status, value: parseJson(await response.text()) }
  } catch {
    return { status: null, value: undefined }
  }
}
