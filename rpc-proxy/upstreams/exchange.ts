import type { Clock } from '../clock.ts'
import { type Send, SendFault, type SendResponse } from '../ports.ts'
import { encodeCall } from '../wire/encode.ts'
import { type NodeResponse, readResponse, readResponses } from '../wire/reply.ts'
import type { Reply } from '../wire/types.ts'
import { classify, type ErrorContext } from './classify.ts'

/** A call as it goes to a node. */
export interface NodeCall {
  readonly method: string
  /** JSON text of the params, the same for every node. */
  readonly params: string
  readonly context: ErrorContext
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

interface Waiting {
  readonly id: number
  readonly call: NodeCall
  readonly signal: AbortSignal
  readonly settle: (reply: Reply) => void
}

const learnedMs = 600_000

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * With `batchCallsMax` over 1, calls of the same moment travel as one JSON-RPC batch. A node that finds a batch too large
 * is sent none of that size for ten minutes; the calls in it are given back as `cannot`, for others to answer.
 */
export function createExchange(
  options: ExchangeOptions,
  { clock, send }: { clock: Clock; send: Send },
): Exchange {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...options.headers }
  const soon = clock.soon ?? queueMicrotask
  let lastId = 0
  let waiting: Waiting[] = []
  /** Calls that it takes in one batch, as it has said lately. */
  let learned = { callsMax: options.batchCallsMax, untilMs: Number.POSITIVE_INFINITY }

  function callsMax(): number {
    return clock.now() < learned.untilMs ? learned.callsMax : options.batchCallsMax
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

  function gather(call: NodeCall, signal: AbortSignal): Promise<Reply> {
    return new Promise((settle) => {
      // The calls of one request come here in one turn of the microtask queue, those of others that have arrived by now
      // before the host's next turn: whoever gathers finds them all.
      if (waiting.length === 0) soon(flush)
      waiting.push({ id: ++lastId, call, signal, settle })
      if (waiting.length >= callsMax()) flush()
    })
  }

  function flush(): void {
    const calls = waiting.filter(({ signal }) => !signal.aborted)
    for (const { signal, settle } of waiting)
      if (signal.aborted) settle({ kind: 'fault', fault: 'cancelled' })
    waiting = []
    if (calls.length > 0) void batch(calls)
  }

  async function batch(calls: readonly Waiting[]): Promise<void> {
    const number = ++posts
    const text = await post(
      `[${calls.map(({ id, call }) => encodeCall(id, call.method, call.params)).join(',')}]`,
      whenAllLeft(calls),
    )
    const responses = typeof text === 'string' ? readResponses(text, calls.length) : null
    const isRefused = calls.length > 1 && responses === null && refusesBatch(text)
    if (isRefused)
      learned = {
        callsMax: Math.min(callsMax(), Math.ceil(calls.length / 2)),
        untilMs: clock.now() + learnedMs,
      }
    for (const { id, call, settle, signal } of calls) {
      if (signal.aborted) settle({ kind: 'fault', fault: 'cancelled' })
      else if (isRefused) settle({ kind: 'cannot', why: 'batch' })
      else if (typeof text !== 'string') settle(shared(refusedBy(text, call), number))
      else if (responses === null) settle(shared(replyToWhole(call, text), number))
      else settle(replyTo(call, id, responses.get(String(id)) ?? 'missing'))
    }
  }

  return options.batchCallsMax > 1 ? gather : single
}

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

/** Fires when every caller of a batch has left. The platform's own join keeps signals alive and is not to be had everywhere. */
function whenAllLeft(calls: readonly Waiting[]): AbortSignal {
  const controller = new AbortController()
  let staying = calls.length
  for (const { signal } of calls) {
    const leave = () => {
      staying--
      if (staying === 0) controller.abort()
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  return controller.signal
}

/** RFC 9110, 10.2.3: seconds or a date. */
function retryAfterMs(text: string | null, nowMs: number): number {
  if (text === null) return 1000
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isFinite(ms) ? Math.max(ms, 0) : 1000
}
