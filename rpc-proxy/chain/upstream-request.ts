import type { EngineEvent, Purpose, TraceContext } from '../events/events.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import { traceparentFor } from '../events/trace-context.ts'
import { type GivenUp, RoundRequest } from '../round/round.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { Node } from '../upstreams/node.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import { isOwnFault } from '../wire/fault.ts'
import type { Reply } from '../wire/types.ts'

export interface UpstreamRequestOptions {
  readonly chainId: number
  readonly call: NodeCall
  readonly purpose: Purpose
  readonly clock: Clock
  readonly emit: (event: EngineEvent) => void
  /** The block that the call is pinned to. */
  readonly block?: PinnedBlock | null
  /** What the reply means for this call. */
  readonly refine?: (reply: Reply) => Reply
}

/**
 * One call sent to one node in a round. Tells the health of the node and the observers what came of it: the only place that does.
 */
export class UpstreamRequest extends RoundRequest {
  /** Its node has failed at the call, or has not replied while others did. */
  hasFailed = false
  readonly node: Node
  readonly #options: UpstreamRequestOptions
  /** It has left our queue, and its reply does not wait for our buffer. */
  #isAtNode = false

  constructor(member: MemberIndex, node: Node, options: UpstreamRequestOptions) {
    const { name, operator, weight, stallMs } = node.options
    super(member, stallMs, {
      node: name,
      operator,
      weight,
      startMs: options.clock.now(),
      endMs: null,
      stalledMs: null,
      outcome: 'pending',
      detail: null,
      group: null,
    })
    this.node = node
    this.#options = options
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
    const { purpose, chainId, emit } = this.#options
    if (purpose !== 'head') emit({ type: 'stall', chainId, node: this.node.options.name })
  }

  end(reply: Reply): void {
    const { call, block } = this.#options
    this.hasFailed = isFailure(reply)
    this.#report(reply)
    if (reply.kind === 'unsupported' && reply.why === 'pruned' && block != null)
      this.node.health.unsupported.pruned(call.method, Math.max(block.number, (reply.fromBlock ?? 0) - 1))
  }

  giveUp(how: GivenUp): void {
    const { purpose } = this.#options
    // A call that still waited for a slot was never sent, and a reply that waits for room of ours has come.
    const isBlamed = how.isBlamed && this.#isAtNode
    this.hasFailed = isBlamed
    this.record.outcome = 'cancelled'
    if (purpose === 'transaction') {
      if (how.isLate) this.record.outcome = 'fault'
      this.record.detail = how.isLate ? 'timeout' : 'cancelled'
      this.#report(how.isLate ? timeout : cancelled)
    } else if (isBlamed) this.#report(timeout, purpose === 'head' ? this.stallMs : undefined)
    else if (purpose !== 'head') this.#emit('cancelled', 'cancelled', this.#durationMs())
  }

  #durationMs(): number {
    const { startMs, endMs } = this.record
    return (endMs ?? this.#options.clock.now()) - startMs
  }

  #report(reply: Reply, durationMs = this.#durationMs()): void {
    const { call, purpose } = this.#options
    this.node.health.record(call.method, reply, durationMs, kinds[purpose])
    this.#emit(reply.kind, reply.kind === 'fault' ? reply.fault : null, durationMs)
  }

  #emit(outcome: Ended['outcome'], fault: Ended['fault'], durationMs: number): void {
    const { call, purpose, chainId, emit } = this.#options
    const { name: node } = this.node.options
    emit({
      type: 'upstream-request',
      chainId,
      method: call.method,
      node,
      purpose,
      outcome,
      fault,
      durationMs,
    })
  }
}

type Ended = Extract<EngineEvent, { type: 'upstream-request' }>

/** The call, with what a node that wants it is told of the trace. `id`: that of the evidence. */
export function traced(
  call: NodeCall,
  { options: { name, trace: isWanted } }: Node,
  { trace, id }: { readonly trace: TraceContext | null; readonly id: string },
): NodeCall {
  return isWanted && trace !== null ? { ...call, traceparent: traceparentFor(trace, id, name) } : call
}

function isFailure(reply: Reply): boolean {
  if (reply.kind === 'unsupported') return reply.why === 'execution' || reply.why === 'size'
  return reply.kind === 'fault' && !isOwnFault(reply.fault)
}

/** What the health of a node makes of a request, by its purpose. */
const kinds = {
  head: 'head-poll',
  read: 'call',
  'caller-controlled': 'caller-controlled',
  transaction: 'caller-controlled',
} as const

const timeout: Reply = { kind: 'fault', fault: 'timeout' }
const cancelled: Reply = { kind: 'fault', fault: 'cancelled' }
