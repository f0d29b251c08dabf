import type { Clock } from '../clock.ts'
import { type Send, SendFault, type SendResponse } from '../ports.ts'
import { encodeCall } from '../wire/encode.ts'
import { type NodeResponse, readResponse, readResponses } from '../wire/reply.ts'
import type { FaultKind, Reply } from '../wire/types.ts'
import { classify, type ErrorContext } from './classify.ts'
import { createGather, type Waiting, whenAllLeft } from './gather.ts'

/** A call as it goes to a node. */
export interface NodeCall {
  readonly method: string
  /** JSON text of the params, the same for every node. */
  readonly params: string
  readonly context: ErrorContext
  /**
   * `look` is the engine's own: it has places of its own in the node's budget. That and `single` travel alone: the work or
   * the answer may be large, and what becomes of a batch becomes of all that is in it.
   */
  readonly lane?: 'batch' | 'single' | 'look'
}

export interface ExchangeOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Calls in one POST; 1 means that none are gathered. */
  readonly batchCallsMax: number
  /** Cap on one reply's body, bytes, decompressed. */
  readonly answerBytesMax: number
}

/** Sends calls to one endpoint and reads what comes back; never throws. */
export type Exchange = (call: NodeCall, signal: AbortSignal) => Promise<Reply>

const learnedMs = 600_000

const decoder = new TextDecoder('utf-8', { fatal: true })

interface ExchangePorts {
  readonly clock: Clock
  readonly send: Send
  /** A call of a batch that failed is asked once more. */
  readonly onMore?: () => void
}

/**
 * With `batchCallsMax` over 1, calls of the same moment travel as one JSON-RPC batch, except those whose work or answer may be
 * large. A lone call travels as an object. What a batch that failed brought no reply to is asked once more, each call alone, so
 * that no call fails because of another; a node that fails at a batch is sent smaller ones for ten minutes.
 */
export function createExchange(
  options: ExchangeOptions,
  { clock, send, onMore = () => {} }: ExchangePorts,
): Exchange {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...options.headers }
  let lastId = 0
  /** Calls that it takes in one batch, as it has said or shown lately. */
  let learned = { callsMax: options.batchCallsMax, untilMs: Number.POSITIVE_INFINITY }

  function callsMax(): number {
    return clock.now() < learned.untilMs ? learned.callsMax : options.batchCallsMax
  }

  function learnFrom(failed: readonly Waiting<NodeCall>[]): void {
    learned = {
      callsMax: Math.min(callsMax(), Math.ceil(failed.length / 2)),
      untilMs: clock.now() + learnedMs,
    }
  }

  async function post(body: string, signal: AbortSignal): Promise<string | Refused> {
    try {
      const response = await send({
        url: options.url,
        headers,
        body,
        bytesMax: options.answerBytesMax,
        signal,
      })
      return textOf(response, clock.now())
    } catch (cause) {
      return {
        reply: { kind: 'fault', fault: cause instanceof SendFault ? cause.kind : 'connection' },
        text: null,
        status: null,
      }
    }
  }

  /** Calls that failed together: who counts their faults counts one. */
  let posts = 0

  async function single(call: NodeCall, signal: AbortSignal): Promise<Reply> {
    const id = ++lastId
    const text = await post(encodeCall(id, call.method, call.params), signal)
    return typeof text === 'string' ? replyTo(call, id, readResponse(text)) : refusedBy(text, call)
  }

  async function batch(calls: readonly Waiting<NodeCall>[]): Promise<void> {
    const [only] = calls
    // Some nodes refuse arrays, whatever is in them.
    if (only !== undefined && calls.length === 1) {
      only.settle(await single(only.call, only.signal))
      return
    }
    const number = ++posts
    const ids = calls.map(() => ++lastId)
    const bodies = calls.map(({ call }, at) => encodeCall(ids[at] as number, call.method, call.params))
    const text = await post(`[${bodies.join(',')}]`, whenAllLeft(calls))
    const responses = typeof text === 'string' ? readResponses(text, calls.length) : null
    const isRefused = responses === null && refusesBatch(text)
    if (isRefused) learnFrom(calls)
    for (const [at, waiting] of calls.entries()) {
      const { call, settle, signal } = waiting
      const id = ids[at] as number
      const reply =
        typeof text !== 'string'
          ? refusedBy(text, call)
          : responses === null
            ? replyToWhole(call, text)
            : replyTo(call, id, responses.get(String(id)) ?? 'missing')
      if (signal.aborted) settle({ kind: 'fault', fault: 'cancelled' })
      else if (isRefused || mayBeNeighbours(reply, responses === null)) void alone(waiting, calls, number)
      else settle(responses === null ? shared(reply, number) : reply)
    }
  }

  async function alone(
    { call, signal, settle }: Waiting<NodeCall>,
    batch: readonly Waiting<NodeCall>[],
    post: number,
  ): Promise<void> {
    onMore()
    const reply = await single(call, signal)
    // The batch was what it failed at.
    if (reply.kind !== 'fault') learnFrom(batch)
    settle(shared(reply, post))
  }

  const gather = createGather<NodeCall>(clock, { callsMax, sendAll: (calls) => void batch(calls) })

  return (call, signal) =>
    options.batchCallsMax > 1 && !travelsAlone(call) ? gather(call, signal) : single(call, signal)
}

/** A transaction among them: it goes out once. */
function travelsAlone({ context, lane = 'batch' }: NodeCall): boolean {
  return lane !== 'batch' || context.chosen || context.sends
}

/**
 * Whether a call of a batch may have failed because of another one: the exchange failed as a whole, its reply is missing, or
 * there was no room left for it (geth's `--rpc.batch-response-max-size`). A node that limits us or cannot be reached is not asked more.
 */
function mayBeNeighbours(reply: Reply, isWhole: boolean): boolean {
  if (reply.kind === 'fault') return isWhole ? ofAll.has(reply.fault) : reply.fault === 'short-batch'
  return isWhole || (reply.kind === 'cannot' && reply.why === 'size')
}

const ofAll: ReadonlySet<FaultKind> = new Set(['too-large', 'http', 'malformed', 'error'])

/** The fault of a whole exchange, as one of its calls is told it. */
function shared(reply: Reply, post: number): Reply {
  return reply.kind === 'fault' ? { ...reply, post } : reply
}

/**
 * Whether a node says of a batch, by one error object or by HTTP 413, that it is too much at a time, or we say it of what came
 * back.
 */
function refusesBatch(text: string | Refused): boolean {
  if (typeof text !== 'string' && (text.status === 413 || isTooLarge(text.reply))) return true
  const response = readResponse(typeof text === 'string' ? text : (text.text ?? ''))
  return response !== null && 'error' in response && /\bbatch/i.test(response.error.message.slice(0, 400))
}

/** A batch may be refused by one error object for all of it. */
function replyToWhole(call: NodeCall, text: string): Reply {
  const response = readResponse(text)
  return response !== null && 'error' in response
    ? classify(response.error, call.context)
    : { kind: 'fault', fault: 'malformed' }
}

function replyTo(call: NodeCall, id: number, response: NodeResponse | null | 'missing'): Reply {
  if (response === 'missing') return { kind: 'fault', fault: 'short-batch' }
  if (response === null) return { kind: 'fault', fault: 'malformed' }
  if (response.id !== String(id)) return { kind: 'fault', fault: 'wrong-id' }
  return 'raw' in response ? { kind: 'answer', raw: response.raw } : classify(response.error, call.context)
}

/** What HTTP makes of an exchange that brought no answer, and the body of a 4xx. */
interface Refused {
  readonly reply: Reply
  readonly text: string | null
  /** HTTP status; null where nothing came back. */
  readonly status: number | null
}

function isTooLarge(reply: Reply): boolean {
  return reply.kind === 'fault' && reply.fault === 'too-large'
}

/** Some nodes say in the body of a 4xx what they cannot do. It may excuse them; it is never a vote. */
function refusedBy({ reply, text }: Refused, call: NodeCall): Reply {
  // An answer as large as its caller wanted it.
  if (isTooLarge(reply) && call.context.chosen) return { kind: 'cannot', why: 'size' }
  const response = text === null ? null : readResponse(text)
  if (response === null || !('error' in response)) return reply
  const excuse = classify(response.error, call.context)
  return excuse.kind === 'cannot' ||
    excuse.kind === 'behind' ||
    (excuse.kind === 'fault' && excuse.fault === 'rate-limited')
    ? excuse
    : reply
}

function textOf({ status, retryAfter, body }: SendResponse, nowMs: number): string | Refused {
  const refused = (reply: Reply, text: string | null = null): Refused => ({ reply, text, status })
  if (status === 429)
    return refused({ kind: 'fault', fault: 'rate-limited', retryAfterMs: retryAfterMs(retryAfter, nowMs) })
  if (status >= 300 && status < 400) return refused({ kind: 'fault', fault: 'redirect' })
  const text = decoded(body)
  if (status !== 200) return refused({ kind: 'fault', fault: 'http' }, status < 500 ? text : null)
  return text ?? refused({ kind: 'fault', fault: 'malformed' })
}

function decoded(body: Uint8Array | string): string | null {
  if (typeof body === 'string') return body
  try {
    return decoder.decode(body)
  } catch {
    return null
  }
}

/** RFC 9110, 10.2.3: seconds or a date. */
function retryAfterMs(text: string | null, nowMs: number): number {
  if (text === null) return 1000
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isFinite(ms) ? Math.max(ms, 0) : 1000
}
