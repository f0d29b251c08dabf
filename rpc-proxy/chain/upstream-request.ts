import type { Purpose } from '../events/events.ts'
import { type PinnedBlock, pendingRequest, type UpstreamRequestRecord } from '../events/evidence-types.ts'
import { type GivenUp, RoundRequest } from '../round/round.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { Node } from '../upstreams/node.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import { isOwnFault } from '../wire/fault.ts'
import type { Reply } from '../wire/types.ts'
import type { NodeFeedback, Reported } from './node-feedback.ts'

export interface UpstreamRequestOptions {
  readonly call: NodeCall
  readonly purpose: Purpose
  readonly feedback: NodeFeedback
  readonly clock: Clock
  /** The block that the call is pinned to. */
  readonly block?: PinnedBlock | null
  /** What the reply means for this call. */
  readonly refine?: (reply: Reply) => Reply
}

/** One call sent to one node in a round. Reports what comes of it. */
export class UpstreamRequest extends RoundRequest<Reply> implements Reported {
  declare readonly record: UpstreamRequestRecord
  /** Its node has failed at the call, or has not replied while others did. */
  hasFailed = false
  readonly node: Node
  readonly #options: UpstreamRequestOptions
  /** It has left our queue, and its reply does not wait for our buffer. */
  #isAtNode = false

  constructor(member: MemberIndex, node: Node, options: UpstreamRequestOptions) {
    super(member, node.options.stallMs, pendingRequest(node.options, options.clock.now()))
    this.node = node
    this.#options = options
  }

  get method(): string {
    return this.#options.call.method
  }

  get purpose(): Purpose {
    return this.#options.purpose
  }

  get durationMs(): number {
    const { startMs, endMs } = this.record
    return (endMs ?? this.#options.clock.now()) - startMs
  }

  send(): void {
    const { call, purpose } = this.#options
    // The caller waits for the stall of each of these alike, its wait in our queue included.
    if (purpose === 'head' || purpose === 'transaction') this.left()
    this.node.send(call, this)
  }

  onSent(): void {
    this.#isAtNode = true
    this.left()
  }

  onWait(): void {
    this.#isAtNode = false
  }

  onReply(reply: Reply): void {
    this.replied(this.#options.refine?.(reply) ?? reply)
  }

  stall(): void {
    this.#options.feedback.stalled(this)
  }

  /** Reports what it brought, once it has been judged. */
  end(reply: Reply): void {
    const { feedback, call, block } = this.#options
    this.hasFailed = isFailure(reply)
    feedback.replied(this, reply)
    if (reply.kind === 'unsupported' && reply.why === 'pruned' && block != null)
      this.node.pruned(call.method, Math.max(block.number, (reply.fromBlock ?? 0) - 1))
  }

  giveUp(how: GivenUp): void {
    // A call that still waited for a slot was never sent, and a reply that waits for room of ours has come.
    const isBlamed = how.isBlamed && this.#isAtNode
    const isSent = this.#options.purpose === 'transaction'
    this.record.outcome = isSent && how.isLate ? 'fault' : 'cancelled'
    if (isSent) this.record.detail = how.isLate ? 'timeout' : 'cancelled'
    this.hasFailed = this.#options.feedback.givenUp(this, { ...how, isBlamed })
  }
}

function isFailure(reply: Reply): boolean {
  if (reply.kind === 'unsupported') return reply.why === 'execution' || reply.why === 'size'
  return reply.kind === 'fault' && !isOwnFault(reply.fault)
}
