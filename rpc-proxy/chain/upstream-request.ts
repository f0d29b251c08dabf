import type { EngineEvent, Purpose } from '../events/events.ts'
import type { PinnedBlock, UpstreamRequestRecord } from '../events/evidence-types.ts'
import { type GivenUp, RoundRequest } from '../round/round.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { Node } from '../upstreams/node.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import { isOwnFault } from '../wire/fault.ts'
import type { Reply } from '../wire/types.ts'

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
      this.node.health.unsupported.pruned(call.method, Math.max(block.number, (reply.fromBlock ?? 0) - 1))
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

/** The record of a request that begins. */
export function pendingRequest(
  node: { readonly name: string; readonly operator: string; readonly weight: number },
  startMs: number,
): UpstreamRequestRecord {
  return {
    node: node.name,
    operator: node.operator,
    weight: node.weight,
    startMs,
    endMs: null,
    stalledMs: null,
    outcome: 'pending',
    detail: null,
    group: null,
  }
}

function isFailure(reply: Reply): boolean {
  if (reply.kind === 'unsupported') return reply.why === 'execution' || reply.why === 'size'
  return reply.kind === 'fault' && !isOwnFault(reply.fault)
}

/** What is reported: a call to a node, and how long it has taken. */
interface Reported {
  readonly node: Node
  readonly method: string
  readonly purpose: Purpose
  readonly durationMs: number
}

const kinds = {
  head: 'head-poll',
  read: 'call',
  'caller-controlled': 'caller-controlled',
  transaction: 'caller-controlled',
} as const

const timeout: Reply = { kind: 'fault', fault: 'timeout' }
const cancelled: Reply = { kind: 'fault', fault: 'cancelled' }

/** Tells the health of a chain's nodes and the observers what came of each upstream request. The only place that does. */
export class NodeFeedback {
  readonly #chainId: number
  readonly #emit: (event: EngineEvent) => void

  constructor(chainId: number, emit: (event: EngineEvent) => void) {
    this.#chainId = chainId
    this.#emit = emit
  }

  replied(reported: Reported, reply: Reply, durationMs = reported.durationMs): void {
    const { node, method, purpose } = reported
    node.health.record(method, reply, durationMs, kinds[purpose])
    this.#emitRequest(reported, durationMs, reply.kind, reply.kind === 'fault' ? reply.fault : null)
  }

  stalled({ node, purpose }: Pick<Reported, 'node' | 'purpose'>): void {
    if (purpose !== 'head') this.#emit({ type: 'stall', chainId: this.#chainId, node: node.options.name })
  }

  /** It was given up; `isSilent`: after a stall that counts against the node. True where that is a fault. */
  givenUp(reported: Reported, { isBlamed, isLate }: GivenUp): boolean {
    const { purpose, node } = reported
    if (purpose === 'head' && isBlamed) this.replied(reported, timeout, node.options.stallMs)
    else if (purpose === 'transaction') this.replied(reported, isLate ? timeout : cancelled)
    else if (isBlamed) this.replied(reported, timeout)
    else if (purpose !== 'head') this.#emitRequest(reported, reported.durationMs, 'cancelled', 'cancelled')
    return isBlamed
  }

  /** A node's vote contradicts the result `id`. */
  dissented(node: Node, method: string, id: string): void {
    this.#emit({ type: 'dissent', chainId: this.#chainId, node: node.options.name, method, answer: id })
  }

  /** The nodes of this operator contradict each other. */
  equivocated(operator: string, method: string, id: string): void {
    this.#emit({ type: 'equivocation', chainId: this.#chainId, operator, method, answer: id })
  }

  #emitRequest(
    { node, method, purpose }: Reported,
    durationMs: number,
    outcome: Extract<EngineEvent, { type: 'upstream-request' }>['outcome'],
    fault: Extract<EngineEvent, { type: 'upstream-request' }>['fault'],
  ): void {
    const { name } = node.options
    this.#emit({
      type: 'upstream-request',
      chainId: this.#chainId,
      method,
      node: name,
      purpose,
      outcome,
      fault,
      durationMs,
    })
  }
}
