import { hexOf } from '../methods/block-ref.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import { parseJson } from '../wire/scan.ts'
import type { Reply } from '../wire/types.ts'
import type { CallSignal, NodeCall, SendCall } from './post-calls.ts'

interface RangesOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** A request beyond the first is on its way. */
  readonly onMore?: (method: string) => void
}

/** Asks that one range may cost, refused ones and second tries included. */
const requestsMax = 128
/** Asks after its reply was too large: what one filter costs is never learned, and anybody can send it again. */
const sizeRequestsMax = 30
/** Parts that are asked at once. */
const atOnceMax = 4
/** How long a size that it takes is remembered. */
const learnedMs = 600_000

const unknown = { blocks: Number.POSITIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }

/**
 * Sends ranges of logs that may be too long for this node: what it refuses is asked in parts, of the size that
 * its refusal names or else in halves, down to a size that it takes. The size is remembered for a while if it was the range that
 * was too long: too many results are this filter's, and say nothing of another's. A part fails, and is asked again, alone; the
 * parts become one answer, in order.
 */
export class LogRanges {
  readonly #sendCall: SendCall
  readonly #options: RangesOptions
  /** Blocks that it takes in one call. */
  #learned = unknown

  constructor(sendCall: SendCall, options: RangesOptions) {
    this.#sendCall = sendCall
    this.#options = options
  }

  readonly send: SendCall = (call, signal) => {
    const span = blockRangeOf(call)
    return span === null ? this.#sendCall(call, signal) : this.#sendInParts(call, span, signal)
  }

  async #sendInParts(call: NodeCall, span: Span, signal: CallSignal): Promise<Reply> {
    const attempt = { signal, requestsLeft: requestsMax, isHalved: false, isTooLong: false }
    const reply = await this.#whole(call, span, attempt)
    if (reply.kind !== 'unsupported' || reply.why !== 'range' || !attempt.isTooLong) return reply
    // One request may go into learning the size. What is longer than the range that it failed at was learned too late for it.
    const most = this.#blocksMax() * (requestsMax - 1)
    const takes = most < lengthOf(span) ? most : Math.floor(lengthOf(span) / 2)
    return { kind: 'unsupported', why: 'range', takes }
  }

  #blocksMax(): number {
    if (this.#options.now() >= this.#learned.untilMs) this.#learned = unknown
    return this.#learned.blocks
  }

  async #whole(call: NodeCall, span: Span, attempt: RangeAttempt): Promise<Reply> {
    const blocks = this.#blocksMax()
    // More parts than may be asked: what was learned may be wrong, and one request tells.
    if (lengthOf(span) > blocks && lengthOf(span) <= blocks * attempt.requestsLeft)
      return this.#inParts(call, span, attempt, blocks)
    if (attempt.requestsLeft <= 0) return { kind: 'unsupported', why: 'range' }
    if (attempt.requestsLeft-- < requestsMax) this.#options.onMore?.(call.method)
    const reply = await this.#sendCall(withSpan(call, span), attempt.signal)
    if (reply.kind === 'result' && lengthOf(span) > this.#blocksMax()) this.#learned = unknown
    if (reply.kind !== 'unsupported' || lengthOf(span) === 1) return reply
    if (reply.why === 'size') return this.#afterSize(call, span, attempt, reply)
    if (reply.why === 'range') return this.#afterRange(call, span, attempt, reply)
    return reply
  }

  /** Its reply was too large: asked in smaller parts, and nothing is learned. */
  #afterSize(
    call: NodeCall,
    span: Span,
    attempt: RangeAttempt,
    reply: UnsupportedReply,
  ): Promise<Reply> | Reply {
    if (reply.isGuess) {
      if (attempt.isHalved) return reply
      attempt.isHalved = true
    }
    attempt.requestsLeft = Math.min(attempt.requestsLeft, sizeRequestsMax)
    const half = halfOf(span)
    const acceptedBlocks = acceptedBlocksOf(reply, span)
    // What fits at its beginning may be much less than what fits elsewhere.
    const isWithin = acceptedBlocks > 0 && lengthOf(span) <= acceptedBlocks * attempt.requestsLeft
    return this.#inParts(call, span, attempt, isWithin ? Math.min(half, acceptedBlocks) : half)
  }

  #afterRange(call: NodeCall, span: Span, attempt: RangeAttempt, reply: UnsupportedReply): Promise<Reply> {
    const half = halfOf(span)
    const acceptedBlocks = acceptedBlocksOf(reply, span)
    attempt.isTooLong = true
    this.#learned = {
      blocks: Math.min(this.#blocksMax(), acceptedBlocks || half),
      untilMs: this.#options.now() + learnedMs,
    }
    return this.#inParts(call, span, attempt, Math.min(half, this.#learned.blocks))
  }

  async #inParts(call: NodeCall, span: Span, attempt: RangeAttempt, blocks: number): Promise<Reply> {
    const parts = partsOf(span, blocks)
    if (parts.length > attempt.requestsLeft) return { kind: 'unsupported', why: 'range' }
    const replies: Reply[] = []
    for (let at = 0; at < parts.length; at += atOnceMax) {
      const some = await Promise.all(
        parts.slice(at, at + atOnceMax).map((part) => this.#retriedPart(call, part, attempt)),
      )
      const bad = some.find((reply) => reply.kind !== 'result')
      if (bad !== undefined) return bad
      replies.push(...some)
    }
    return joined(replies)
  }

  /** A part that fails by chance is asked once more, and the others are not. */
  async #retriedPart(call: NodeCall, part: Span, attempt: RangeAttempt): Promise<Reply> {
    const reply = await this.#whole(call, part, attempt)
    const isChance = reply.kind === 'fault' && reply.fault !== 'cancelled' && reply.fault !== 'rate-limited'
    return isChance && !attempt.signal.aborted ? this.#whole(call, part, attempt) : reply
  }
}

type UnsupportedReply = Extract<Reply, { kind: 'unsupported' }>

/**
 * Blocks that the node's words say that it takes, fewer than were asked for; 0 where they name none. Beside its limit a node may
 * repeat what was asked, and count that as the last block less the first.
 */
function acceptedBlocksOf({ blocks = [] }: UnsupportedReply, span: Span): number {
  const fewer = blocks.filter((each) => each > 0 && each < lengthOf(span))
  const limits = fewer.filter((each) => each !== span.to - span.from)
  return Math.max(0, ...(limits.length > 0 ? limits : fewer))
}

function halfOf(span: Span): number {
  return Math.ceil(lengthOf(span) / 2)
}

/** How one range is being asked: until when, how often, whether it was halved without being told why, and refused as too long. */
interface RangeAttempt {
  readonly signal: CallSignal
  requestsLeft: number
  isHalved: boolean
  isTooLong: boolean
}

/** First and last block, both in it. */
interface Span {
  readonly from: number
  readonly to: number
}

function filterOf({ params }: NodeCall): LogFilter {
  return (JSON.parse(params) as [LogFilter])[0]
}

function blockRangeOf(call: NodeCall): Span | null {
  const { fromBlock, toBlock } = filterOf(call)
  const span = { from: Number(fromBlock), to: Number(toBlock) }
  return Number.isSafeInteger(span.from) && Number.isSafeInteger(span.to) && span.from <= span.to
    ? span
    : null
}

function withSpan(call: NodeCall, { from, to }: Span): NodeCall {
  return {
    ...call,
    params: JSON.stringify([{ ...filterOf(call), fromBlock: hexOf(from), toBlock: hexOf(to) }]),
  }
}

function lengthOf({ from, to }: Span): number {
  return to - from + 1
}

function partsOf({ from, to }: Span, blocks: number): readonly Span[] {
  const count = Math.ceil((to - from + 1) / blocks)
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * blocks,
    to: Math.min(to, from + (index + 1) * blocks - 1),
  }))
}

function joined(replies: readonly Reply[]): Reply {
  // Each part is parsed, so that what is joined is JSON.
  const parts = replies.map((reply) => (reply.kind === 'result' ? parseJson(reply.raw) : null))
  return parts.every(Array.isArray)
    ? { kind: 'result', raw: JSON.stringify(parts.flat()) }
    : { kind: 'fault', fault: 'malformed' }
}
