import type { NodeConfig } from '../config/config-types.ts'
import { type Send, SendFault, type SendResponse } from '../events/ports.ts'
import { type Signal, whenAllLeft } from '../runtime/abort.ts'
import { type Clock, deadline, deferOf } from '../runtime/clock.ts'
import type { RoundCallers } from '../runtime/fair-slots.ts'
import type { FaultKind } from '../wire/fault.ts'
import {
  encodeCall,
  looseErrors,
  type NodeError,
  type NodeResponse,
  type Responses,
  readResponse,
  readResponses,
} from '../wire/json-rpc.ts'
import { errorFault, type Reply } from '../wire/types.ts'
import { classify } from './classify.ts'
import { type ErrorContext, internalCall, thisCallAlone, wordsOf } from './errors/error-pattern.ts'
import { msToMidnight, restIn, retryAfterMs } from './errors/rates.ts'

/** A call as it goes to a node. */
export interface NodeCall {
  readonly method: string
  /** JSON text of the params, the same for every node. */
  readonly params: string
  readonly context: ErrorContext
  /**
   * `head-poll` is the engine's own: it has places of its own in the node's budget. That and `single` travel alone: the work or
   * the answer may be large, and what becomes of a batch becomes of all that is in it.
   */
  readonly lane?: 'batch' | 'single' | 'head-poll'
  /** The callers in whose turns it waits for a place; the engine's own where no caller caused it. */
  readonly callers?: RoundCallers
  /** The trace that it belongs to. A batch names that of its first call. */
  readonly traceparent?: string
}

interface PostCallsOptions extends Pick<NodeConfig, 'url' | 'headers' | 'batchCallsMax'> {
  /** Cap on one reply's body, bytes, decompressed. */
  readonly answerBytesMax: number
}

/** The departure of who waits for a reply. */
export interface CallSignal extends Signal {
  /** The reply is arriving and waits for our buffer: the node is not silent. */
  readonly onWait?: () => void
}

/** Sends a call and reads what comes back; never rejects. */
export type SendCall = (call: NodeCall, signal: CallSignal) => Promise<Reply>

interface Posted {
  readonly call: NodeCall
  readonly signal: CallSignal
}

/** A call on its way, and who hears of its reply. */
interface Waiting extends Posted {
  readonly onReply: (reply: Reply) => void
}

/** How long a probe of two calls may take. */
const probeMs = 5000

interface PostCallsPorts {
  readonly clock: Clock
  readonly send: Send
  /** A call of a batch that failed is asked once more. */
  readonly onMore?: (method: string) => void
}

/**
 * Sends calls to one endpoint. With `batchCallsMax` over 1, calls of the same moment travel as one JSON-RPC batch, except those whose
 * work or answer may be large. A lone call travels as an object. What a batch that failed brought no reply to is sent once more, each
 * call alone, so that no call fails because of another; a node that fails at a batch is sent smaller ones for a while.
 */
export class PostCalls {
  readonly #options: PostCallsOptions
  readonly #ports: PostCallsPorts
  readonly #defer: (run: () => void) => void
  readonly #headers: Readonly<Record<string, string>>
  readonly #keys: readonly string[]
  readonly #size
  /** Calls that wait for others of this turn of the event loop, to travel together. */
  #waiting: Waiting[] = []
  #lastId = 0
  /** POSTs under way. */
  #open = 0

  constructor(options: PostCallsOptions, ports: PostCallsPorts) {
    const { clock } = ports
    this.#options = options
    this.#ports = ports
    this.#defer = deferOf(clock)
    this.#headers = { 'content-type': 'application/json', accept: 'application/json', ...options.headers }
    this.#keys = keysIn([options.url, ...Object.values(options.headers)])
    this.#size = createBatchSize(options.batchCallsMax, { clock, tryTwo: () => this.#tryTwo() })
  }

  readonly send: SendCall = (call, signal) => new Promise((onReply) => this.post({ call, signal, onReply }))

  /** As `send`. Calls `onReply` once, and not before it returns. */
  post(waiting: Waiting): void {
    if (travelsAlone(waiting.call)) this.#single(waiting)
    else if (this.#size.max() > 1) this.#gather(waiting)
    else {
      if (this.#open > 0) this.#size.wanted()
      this.#single(waiting)
    }
  }

  #gather(waiting: Waiting): void {
    // The calls of one request come here in one turn of the microtask queue, those of others that have arrived by now
    // before the host's next turn: all of them are in this batch.
    if (this.#waiting.length === 0) this.#defer(this.#flush)
    this.#waiting.push(waiting)
    if (this.#waiting.length >= this.#size.max()) this.#flush()
  }

  /** Sends what waits, without what was aborted meanwhile. */
  readonly #flush = (): void => {
    const all = this.#waiting
    this.#waiting = []
    const calls = all.filter(({ signal }) => !signal.aborted)
    if (calls.length < all.length)
      for (const { signal, onReply } of all)
        if (signal.aborted) onReply({ kind: 'fault', fault: 'cancelled' })
    const [only] = calls
    // Some nodes refuse arrays, whatever is in them.
    if (only !== undefined && calls.length === 1) this.#single(only)
    else if (only !== undefined) this.#batch(calls)
  }

  #post(
    body: string,
    calls: readonly Posted[],
    signal: Signal,
    onReceived: (received: Received) => void,
  ): void {
    const { url, answerBytesMax } = this.#options
    const { clock, send } = this.#ports
    const traceparent = calls[0]?.call.traceparent
    this.#open++
    sent(send, {
      url,
      headers: traceparent === undefined ? this.#headers : { ...this.#headers, traceparent },
      body,
      bytesMax: answerBytesMax,
      idempotent: !calls.some(({ call }) => call.context.sends),
      signal,
      onWait() {
        for (const each of calls) each.signal.onWait?.()
      },
    }).then(
      (response) => {
        this.#open--
        onReceived(received(response, clock.now()))
      },
      (cause: unknown) => {
        this.#open--
        onReceived({ kind: 'fault', fault: cause instanceof SendFault ? cause.kind : 'connection' })
      },
    )
  }

  #single(waiting: Waiting): void {
    const { call, signal, onReply } = waiting
    const id = ++this.#lastId
    this.#post(encodeCall(id, call.method, call.params), [waiting], signal, (received) => {
      onReply(this.#replyOf(received, { context: call.context, id, responses: 'one' }))
    })
  }

  #batch(calls: readonly Waiting[]): void {
    this.#postAll(calls, whenAllLeft(calls), (firstId, received, responses) => {
      // The calls of one failed POST share it, so the breaker counts one fault.
      const post = {}
      const acceptedMax = batchMaxAfter(received, calls.length)
      if (acceptedMax !== null) this.#size.refused(acceptedMax)
      else if (responses?.byId.size === calls.length) this.#size.took(calls.length)
      for (let index = 0; index < calls.length; index++) {
        const waiting = calls[index] as Waiting
        const { call, onReply, signal } = waiting
        const reply = this.#replyOf(received, { context: call.context, id: firstId + index, responses })
        if (signal.aborted) onReply({ kind: 'fault', fault: 'cancelled' })
        else if (acceptedMax !== null || mayBeNeighbours(reply, responses === null))
          this.#alone(waiting, { post, acceptedMax: acceptedMax ?? Math.ceil(calls.length / 2) })
        else onReply(responses === null ? shared(reply, post) : reply)
      }
    })
  }

  #replyOf(received: Received, reading: Reading): Reply {
    try {
      const reply = replyOf(received, reading, this.#ports.clock.now())
      // Words that repeat a key of its address or headers go no further, however many nodes say them.
      const words = ('unknown' in reply && reply.unknown?.message) || ''
      return words !== '' && this.#keys.some((key) => words.includes(key)) ? excuseOf(reply) : reply
    } catch {
      // A text that cannot be read without an exception is a fault of its node.
      return errorFault
    }
  }

  /** Sends calls as one array, under ids from the first one on; `responses` is null for a malformed array. */
  #postAll(
    calls: readonly Posted[],
    signal: Signal,
    onReceived: (firstId: number, received: Received, responses: Responses | null) => void,
  ): void {
    const firstId = this.#lastId + 1
    const bodies = calls.map(({ call }) => encodeCall(++this.#lastId, call.method, call.params))
    this.#post(`[${bodies.join(',')}]`, calls, signal, (received) =>
      onReceived(
        firstId,
        received,
        received.kind === 'text' ? readResponses(received.text, calls.length) : null,
      ),
    )
  }

  #alone(
    { call, signal, onReply }: Waiting,
    batch: { readonly post: object; readonly acceptedMax: number },
  ): void {
    this.#ports.onMore?.(call.method)
    this.#single({
      call,
      signal,
      onReply: (reply) => {
        // The batch was what it failed at.
        if (reply.kind !== 'fault') this.#size.refused(batch.acceptedMax)
        onReply(shared(reply, batch.post))
      },
    })
  }

  /** Whether it answers two calls of our own in one array. */
  #tryTwo(): Promise<boolean> {
    const { clock, onMore } = this.#ports
    const { signal, cancel } = deadline(clock, probeMs)
    const calls = [chainIdCall, chainIdCall].map((call) => ({ call, signal }))
    for (const { call } of calls) onMore?.(call.method)
    return new Promise((resolve) =>
      this.#postAll(calls, signal, (firstId, _, responses) => {
        cancel()
        resolve(
          responses !== null &&
            calls.every(
              (_, index) =>
                memberReply(internalCall, firstId + index, responses, clock.now()).kind === 'result',
            ),
        )
      }),
    )
  }
}

/** Shorter words may be of any sentence. */
const keyCharsMin = 6

function keysIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(/[^\w-]+/)).filter(({ length }) => length >= keyCharsMin)
}

interface Reading {
  readonly context: ErrorContext
  readonly id: number
  /** Of a batch: null for a malformed array. */
  readonly responses: Responses | 'one' | null
}

function replyOf(received: Received, { context, id, responses }: Reading, nowMs: number): Reply {
  if (received.kind !== 'text') return replyToNone(context, received, nowMs)
  if (responses === 'one') return replyTo(context, id, readResponse(received.text), nowMs)
  if (responses === null) return replyToWhole(context, received.text, nowMs)
  return memberReply(context, id, responses, nowMs)
}

function sent(send: Send, request: Parameters<Send>[0]): ReturnType<Send> {
  try {
    return send(request)
  } catch (cause) {
    return Promise.reject(cause)
  }
}

/** Who a node is; a probe asks it too. */
export const chainIdCall = {
  method: 'eth_chainId',
  params: '[]',
  context: internalCall,
  lane: 'head-poll',
} as const satisfies NodeCall

/** Whether a call has a POST of its own. A transaction has, because nothing may cause it to be sent again. */
function travelsAlone({ context, lane = 'batch' }: NodeCall): boolean {
  return lane !== 'batch' || context.callerControlled || context.sends
}

/**
 * Whether a call of a batch may have failed because of another one: the POST failed as a whole, its reply is missing, or
 * there was no room left for it (geth's `--rpc.batch-response-max-size`). A node that limits us or cannot be reached is not asked more.
 */
function mayBeNeighbours(reply: Reply, isWhole: boolean): boolean {
  if (reply.kind === 'fault') return isWhole ? ofAll.has(reply.fault) : reply.fault === 'short-batch'
  return isWhole || (reply.kind === 'unsupported' && reply.why === 'size')
}

const ofAll: ReadonlySet<FaultKind> = new Set(['too-large', 'http', 'malformed', 'error'])

/** The fault of a whole POST, as the reply to one of its calls. */
function shared(reply: Reply, post: object): Reply {
  return reply.kind === 'fault' ? { ...reply, post } : reply
}

interface BatchSizePorts {
  readonly clock: Clock
  /** Sends two calls of our own in one array: whether both are answered. Runs in the background. */
  readonly tryTwo: () => Promise<boolean>
}

/** Of `auto`: below the limits of node programs, which start at 100. */
const autoCallsMax = 20
const fixedForgetMs = 600_000
const autoForgetMs = 3_600_000

/**
 * How many calls travel to a node in one POST. A number is taken at its word. With `auto` a node is tried with two calls of our own, once
 * calls could have travelled together; then it gets twice as many as it has answered in one array, up to 20. What a node refuses is
 * remembered for ten minutes, with `auto` for an hour.
 */
function createBatchSize(configured: number | 'auto', { clock, tryTwo }: BatchSizePorts) {
  const isAuto = configured === 'auto'
  const ceiling = isAuto ? autoCallsMax : configured
  let provenMax = isAuto ? 1 : ceiling
  let rejectedBatch = { calls: ceiling, untilMs: 0 }
  let isTrying = false

  const isRejected = () => rejectedBatch.untilMs !== 0 && clock.now() < rejectedBatch.untilMs
  /** Calls that may travel together now. At 1 each goes alone. */
  const max = () => (isRejected() ? Math.min(provenMax, rejectedBatch.calls) : provenMax)

  /** It answered this many calls in one array. */
  function took(calls: number): void {
    if (calls >= provenMax) provenMax = Math.min(calls * 2, ceiling)
  }

  /** It failed at a batch and takes at most `calls`. */
  function refused(calls: number): void {
    rejectedBatch = {
      calls: Math.min(max(), calls),
      untilMs: clock.now() + (isAuto ? autoForgetMs : fixedForgetMs),
    }
    if (isAuto) provenMax = rejectedBatch.calls
  }

  async function tryIt(): Promise<void> {
    isTrying = true
    if (await tryTwo()) took(2)
    else refused(1)
    isTrying = false
  }

  return {
    max,
    /** Calls could travel together: with `auto`, a node that has not been tried lately is tried. */
    wanted(): void {
      if (provenMax === 1 && isAuto && !isTrying && !isRejected()) void tryIt()
    },
    took,
    refused,
  }
}

/** What came of one POST. */
type Received =
  /** A successful status with text. */
  | { readonly kind: 'text'; readonly text: string }
  /** Another status: its body may excuse the node, and is never a vote. */
  | {
      readonly kind: 'status'
      readonly status: number
      /** What the `Retry-After` header says, milliseconds; null where there is none that can be read. */
      readonly retryMs: number | null
      readonly text: string
    }
  | { readonly kind: 'fault'; readonly fault: FaultKind }

// The byte order mark is dropped below, on hosts that hand on text as well.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Sorts an HTTP response by its status. `nowMs`: epoch milliseconds. */
function received({ status, retryAfter, body }: SendResponse, nowMs: number): Received {
  if (status >= 300 && status < 400) return { kind: 'fault', fault: 'redirect' }
  const text = withoutMark(typeof body === 'string' ? body : decoded(body))
  // Gateways answer 201, 203 or 206 with a good body; geth's client and `fetch` take every status of this class.
  const isSuccess = status >= 200 && status < 300
  if (!isSuccess || (status !== 200 && !text))
    return { kind: 'status', status, retryMs: retryAfterMs(retryAfter, nowMs), text: text ?? '' }
  return text === null ? { kind: 'fault', fault: 'malformed' } : { kind: 'text', text }
}

/** The reply to the call with this id. Of a response with another id, or none, only errors that do not vote are believed. */
function replyTo(context: ErrorContext, id: number, response: NodeResponse | null, nowMs: number): Reply {
  if (response === null) return { kind: 'fault', fault: 'malformed' }
  const isOurs = response.id === String(id)
  if ('raw' in response)
    return isOurs ? { kind: 'result', raw: response.raw } : { kind: 'fault', fault: 'wrong-id' }
  const reply = judged(response.error, context, nowMs)
  if (isOurs) return reply
  return isVote(reply) ? { kind: 'fault', fault: 'wrong-id' } : excuseOf(reply)
}

/**
 * The reply of a batch to the call with this id. An error without an id may be meant for any of them: it is believed only if it is a
 * rate limit.
 */
function memberReply(context: ErrorContext, id: number, { byId, stray }: Responses, nowMs: number): Reply {
  const own = byId.get(String(id))
  if (own !== undefined) return replyTo(context, id, own, nowMs)
  const reply = stray === null ? null : replyTo(context, id, stray, nowMs)
  return reply !== null && isLimit(reply) ? reply : { kind: 'fault', fault: 'short-batch' }
}

/** The reply to one call of a POST, where the node sent a single response for all of them. */
function replyToWhole(context: ErrorContext, text: string, nowMs: number): Reply {
  const response = readResponse(text)
  if (response === null || !('error' in response)) return { kind: 'fault', fault: 'malformed' }
  return excuseOf(judged(response.error, context, nowMs))
}

/** The reply to a call whose POST brought no text that answers it. */
export function replyToNone(
  context: ErrorContext,
  none: Exclude<Received, { kind: 'text' }>,
  nowMs: number,
): Reply {
  if (none.kind === 'fault')
    // The caller decides how large such an answer is.
    return none.fault === 'too-large' && context.callerControlled
      ? { kind: 'unsupported', why: 'size' }
      : { kind: 'fault', fault: none.fault }
  const { status, retryMs, text } = none
  const [error] = looseErrors(text)
  if (status === 429 || status === 402) {
    const statedMs =
      retryMs ?? (error === undefined ? null : restIn(error, nowMs)) ?? restOf(status, text, nowMs)
    return { kind: 'fault', fault: 'rate-limited', retryAfterMs: statedMs }
  }
  const excuse = error === undefined ? pageExcuse(none, context) : excuseOf(judged(error, context, nowMs))
  // A gateway that gives no reason: a shorter range may work.
  if (context.ranges && tooMuchStatuses.has(status) && error === undefined)
    return { kind: 'unsupported', why: 'size' }
  if (isLimit(excuse)) return retryMs === null ? excuse : { ...excuse, retryAfterMs: retryMs }
  if (excuse.kind === 'unsupported' || excuse.kind === 'behind') return excuse
  // A gateway may say this of heavy work, which callers choose.
  if ((status === 403 || status === 503) && retryMs !== null && !context.callerControlled)
    return { kind: 'fault', fault: 'rate-limited', retryAfterMs: retryMs }
  return { kind: 'fault', fault: 'http' }
}

/**
 * How many calls a node takes in one batch, where it refuses one of `calls` as too much at a time: the number that it names,
 * else half; null where it does not. By HTTP 413, an answer over our cap, one error for all, an array of one, or an error in place of each.
 */
export function batchMaxAfter(reply: Received, calls: number): number | null {
  const half = Math.ceil(calls / 2)
  if (reply.kind === 'fault') return reply.fault === 'too-large' ? half : null
  if (reply.kind === 'status' && reply.status === 413) return half
  // Answers are long; words of a batch come first.
  if (!/batch/i.test(reply.text.slice(0, 1024))) return null
  const errors = looseErrors(reply.text)
  if (errors.length === 0 || !errors.every(rejectsBatch)) return null
  const numbers = [...wordsOf(errors[0]?.message ?? '').matchAll(/\b\d{1,6}\b/g)].map(Number)
  return Math.max(0, ...numbers.filter((number) => number < calls)) || half
}

/** Not within the reason of a revert, which a contract has written. */
function rejectsBatch({ code, message }: NodeError): boolean {
  const words = wordsOf(message)
  return code !== 3 && /\bbatch/i.test(words) && !/\brevert/i.test(words)
}

function judged(error: NodeError, context: ErrorContext, nowMs: number): Reply {
  const reply = classify(error, context)
  if (!isLimit(reply)) return reply
  const retryMs = restIn(error, nowMs)
  return retryMs === null ? reply : { ...reply, retryAfterMs: retryMs }
}

/** The text of an error that was not for this call alone counts for nothing. */
function excuseOf(reply: Reply): Reply {
  if (!('unknown' in reply)) return reply
  const { unknown: _, ...excuse } = reply
  return excuse
}

/** Too large a reply (413), or too much work for the time that a proxy or Cloudflare (524) gives. */
const tooMuchStatuses: ReadonlySet<number> = new Set([408, 413, 504, 524])

type Limit = Extract<Reply, { kind: 'fault' }>

const isLimit = (reply: Reply): reply is Limit => reply.kind === 'fault' && reply.fault === 'rate-limited'

const isVote = ({ kind }: Reply): boolean => kind === 'reverted' || kind === 'rejected' || kind === 'known'

/** How long a node is not asked after a limit that names no time. */
function restOf(status: number, text: string, nowMs: number): number {
  if (status === 402) return msToMidnight(nowMs)
  return cloudflareError(text) === 1015 ? cloudflareBackoffMs : 1000
}

const cloudflareBackoffMs = 60_000

/** Cloudflare's own pages, before a node is reached: its limit of a rate, or a refusal to serve us at all. */
function pageExcuse(
  { status, text }: { readonly status: number; readonly text: string },
  { callerControlled }: ErrorContext,
): Reply {
  const number = cloudflareError(text)
  if (number === 1015) return { kind: 'fault', fault: 'rate-limited', retryAfterMs: cloudflareBackoffMs }
  const isRejection = status === 403 && (number !== null || /cloudflare/i.test(text.slice(0, 2048)))
  if (!isRejection) return { kind: 'fault', fault: 'http' }
  // A filter of theirs may have looked at the body, which the caller wrote.
  return callerControlled ? thisCallAlone : { kind: 'unsupported', why: 'unauthorized' }
}

function cloudflareError(text: string): number | null {
  const number = /\berror(?: code)?:? (10\d\d)\b/i.exec(text.slice(0, 2048))?.[1]
  return number === undefined ? null : Number(number)
}

/** RFC 8259, 8.1: JSON does not begin with a byte order mark, and who reads it may ignore one. */
function withoutMark(text: string | null): string | null {
  return text?.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function decoded(body: Uint8Array): string | null {
  try {
    return decoder.decode(body)
  } catch {
    return null
  }
}
