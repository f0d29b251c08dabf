import type { IncomingMessage, ServerResponse } from 'node:http'

/** One JSON-RPC request as a node received it. */
export type DemoCall = { readonly id?: unknown; readonly method: string; readonly params: readonly unknown[] }

/** The reply of a node to one call. */
export type DemoReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

/** Answers one call. */
export type Say = (call: DemoCall) => DemoReply | Promise<DemoReply>

/** An HTTP response. */
export type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** One HTTP request that a fault profile handles. */
export type DemoRequest = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  /** Sends the answer. A fault profile that changes answers passes on a request with its own `respond`. */
  respond(answer: Answer): void
}

/** Handles a request: answers it, breaks it or leaves it unanswered. */
export type Behaviour = (incoming: DemoRequest) => void | Promise<void>

/** The calls in a body, in order; empty if it is not JSON-RPC. */
export function callsIn(body: Buffer): readonly DemoCall[] {
  const parsed = parse(body)
  return (Array.isArray(parsed) ? parsed : [parsed]).filter(isCall).map(withParams)
}

/** Answers a body call by call, as a batch if it was one. */
export async function speak(incoming: DemoRequest, say: Say): Promise<void> {
  const parsed = parse(incoming.body)
  const answer = async (entry: unknown) => {
    if (!isCall(entry))
      return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } }
    return { jsonrpc: '2.0', id: entry.id ?? null, ...(await say(withParams(entry))) }
  }
  const reply = Array.isArray(parsed) ? await Promise.all(parsed.map(answer)) : await answer(parsed)
  incoming.respond({ status: 200, body: JSON.stringify(reply) })
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function isCall(entry: unknown): entry is DemoCall {
  return typeof entry === 'object' && entry !== null && 'method' in entry && typeof entry.method === 'string'
}

function withParams(call: DemoCall): DemoCall {
  return { id: call.id, method: call.method, params: Array.isArray(call.params) ? call.params : [] }
}
