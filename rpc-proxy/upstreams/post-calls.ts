import { type Send, SendFault } from '../events/ports.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Callers } from '../runtime/callers.ts'
import { type Clock, deadline } from '../runtime/clock.ts'
import { encodeCall } from '../wire/encode.ts'
import type { FaultKind } from '../wire/fault.ts'
import { readResponse, readResponses } from '../wire/reply.ts'
import type { Reply } from '../wire/types.ts'
import { type BatchSize, createBatchSize } from './batch-size.ts'
import { type ErrorContext, ofOurOwn } from './errors/error-pattern.ts'
import { createGather, type Waiting, whenAllLeft } from './gather.ts'
import {
  batchMaxAfter,
  memberReply,
  type Received,
  received,
  replyTo,
  replyToNone,
  replyToWhole,
} from './http-reply.ts'

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
  readonly lane?: 'batch' | 'single' | 'head-poll'
  /** The callers in whose turns it waits for a place; the engine's own where no caller caused it. */
  readonly callers?: Callers
  /** The trace that it belongs to. A batch names that of its first call. */
  readonly traceparent?: string
  /** Its reply is on its way and waits for room of ours: the node is not silent. */
  readonly onWait?: () => void
}

export interface PostCallsOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Calls in one POST; 1 means that none are gathered, `auto` that it is learned. */
  readonly batchCallsMax: number | 'auto'
  /** Cap on one reply's body, bytes, decompressed. */
  readonly answerBytesMax: number
}

/** Sends calls to one endpoint and reads what comes back; never throws. */
export type PostCalls = (call: NodeCall, signal: Signal) => Promise<Reply>

/** How long a trial of two calls may take. */
const probeMs = 5000

interface PostCallsPorts {
  readonly clock: Clock
  readonly send: Send
  /** A call of a batch that failed is asked once more. */
  readonly onMore?: () => void
}

/**
 * With `batchCallsMax` over 1, calls of the same moment travel as one JSON-RPC batch, except those whose work or answer may be
 * large. A lone call travels as an object. What a batch that failed brought no reply to is asked once more, each call alone, so
 * that no call fails because of another; a node that fails at a batch is sent smaller ones for a while.
 */
export function createPostCalls(options: PostCallsOptions, ports: PostCallsPorts): PostCalls {
  const postCalls = new CallPoster(options, ports)
  return (call, signal) => postCalls.send(call, signal)
}

class CallPoster {
  readonly #options: PostCallsOptions
  readonly #ports: PostCallsPorts
  readonly #headers: Readonly<Record<string, string>>
  readonly #size: BatchSize
  readonly #gather: PostCalls
  #lastId = 0
  /** POSTs under way. */
  #open = 0
  /** Calls that failed together share a number: whoever counts faults counts one. */
  #posts = 0

  constructor(options: PostCallsOptions, ports: PostCallsPorts) {
    const { clock } = ports
    this.#options = options
    this.#ports = ports
    this.#headers = { 'content-type': 'application/json', accept: 'application/json', ...options.headers }
    this.#size = createBatchSize(options.batchCallsMax, { clock, tryTwo: () => this.#tryTwo() })
    this.#gather = createGather<NodeCall>(clock, {
      callsMax: this.#size.max,
      sendAll: (calls) => void this.#batch(calls),
    })
  }

  send(call: NodeCall, signal: Signal): Promise<Reply> {
    if (travelsAlone(call)) return this.#single(call, signal)
    if (this.#size.max() > 1) return this.#gather(call, signal)
    if (this.#open > 0) this.#size.wanted()
    return this.#single(call, signal)
  }

  async #post(body: string, calls: readonly NodeCall[], signal: Signal): Promise<Received> {
    const { url, answerBytesMax } = this.#options
    const { clock, send } = this.#ports
    const traceparent = calls[0]?.traceparent
    this.#open++
    try {
      const response = await send({
        url,
        headers: traceparent === undefined ? this.#headers : { ...this.#headers, traceparent },
        body,
        bytesMax: answerBytesMax,
        idempotent: !calls.some(({ context }) => context.sends),
        signal,
        onWait() {
          for (const { onWait } of calls) onWait?.()
        },
      })
      return received(response, clock.now())
    } catch (cause) {
      return { kind: 'fault', fault: cause instanceof SendFault ? cause.kind : 'connection' }
    } finally {
      this.#open--
    }
  }

  async #single(call: NodeCall, signal: Signal): Promise<Reply> {
    const id = ++this.#lastId
    const received = await this.#post(encodeCall(id, call.method, call.params), [call], signal)
    const nowMs = this.#ports.clock.now()
    return received.kind === 'text'
      ? replyTo(call.context, id, readResponse(received.text), nowMs)
      : replyToNone(call.context, received, nowMs)
  }

  async #batch(calls: readonly Waiting<NodeCall>[]): Promise<void> {
    const [only] = calls
    // Some nodes refuse arrays, whatever is in them.
    if (only !== undefined && calls.length === 1) {
      only.settle(await this.#single(only.call, only.signal))
      return
    }
    const all = calls.map(({ call }) => call)
    const { ids, received, responses } = await this.#postAll(all, whenAllLeft(calls))
    const post = ++this.#posts
    const nowMs = this.#ports.clock.now()
    const acceptedMax = batchMaxAfter(received, calls.length)
    if (acceptedMax !== null) this.#size.refused(acceptedMax)
    else if (responses?.byId.size === calls.length) this.#size.took(calls.length)
    for (const [at, waiting] of calls.entries()) {
      const { call, settle, signal } = waiting
      const { context } = call
      const reply =
        received.kind !== 'text'
          ? replyToNone(context, received, nowMs)
          : responses === null
            ? replyToWhole(context, received.text, nowMs)
            : memberReply(context, ids[at] as number, responses, nowMs)
      if (signal.aborted) settle({ kind: 'fault', fault: 'cancelled' })
      else if (acceptedMax !== null || mayBeNeighbours(reply, responses === null))
        void this.#alone(waiting, { post, acceptedMax: acceptedMax ?? Math.ceil(calls.length / 2) })
      else settle(responses === null ? shared(reply, post) : reply)
    }
  }

  /** Sends calls as one array; `responses` is null where what came is none. */
  async #postAll(calls: readonly NodeCall[], signal: Signal) {
    const ids = calls.map(() => ++this.#lastId)
    const bodies = calls.map(({ method, params }, at) => encodeCall(ids[at] as number, method, params))
    const received = await this.#post(`[${bodies.join(',')}]`, calls, signal)
    return {
      ids,
      received,
      responses: received.kind === 'text' ? readResponses(received.text, calls.length) : null,
    }
  }

  async #alone(
    { call, signal, settle }: Waiting<NodeCall>,
    batch: { readonly post: number; readonly acceptedMax: number },
  ): Promise<void> {
    this.#ports.onMore?.()
    const reply = await this.#single(call, signal)
    // The batch was what it failed at.
    if (reply.kind !== 'fault') this.#size.refused(batch.acceptedMax)
    settle(shared(reply, batch.post))
  }

  /** Whether it answers two calls of our own in one array. */
  async #tryTwo(): Promise<boolean> {
    const { clock, onMore } = this.#ports
    const calls = [chainId, chainId]
    const { signal, cancel } = deadline(clock, probeMs)
    for (const _ of calls) onMore?.()
    const { ids, responses } = await this.#postAll(calls, signal)
    cancel()
    return (
      responses !== null &&
      ids.every((id) => memberReply(ofOurOwn, id, responses, clock.now()).kind === 'result')
    )
  }
}

/** What a trial asks. */
const chainId: NodeCall = { method: 'eth_chainId', params: '[]', context: ofOurOwn }

/** A transaction among them: it goes out once. */
function travelsAlone({ context, lane = 'batch' }: NodeCall): boolean {
  return lane !== 'batch' || context.callerControlled || context.sends
}

/**
 * Whether a call of a batch may have failed because of another one: the exchange failed as a whole, its reply is missing, or
 * there was no room left for it (geth's `--rpc.batch-response-max-size`). A node that limits us or cannot be reached is not asked more.
 */
function mayBeNeighbours(reply: Reply, isWhole: boolean): boolean {
  if (reply.kind === 'fault') return isWhole ? ofAll.has(reply.fault) : reply.fault === 'short-batch'
  return isWhole || (reply.kind === 'unsupported' && reply.why === 'size')
}

const ofAll: ReadonlySet<FaultKind> = new Set(['too-large', 'http', 'malformed', 'error'])

/** The fault of a whole exchange, as one of its calls is told it. */
function shared(reply: Reply, post: number): Reply {
  return reply.kind === 'fault' ? { ...reply, post } : reply
}
