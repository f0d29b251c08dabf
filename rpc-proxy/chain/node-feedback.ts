import type { EngineEvent, Purpose } from '../events/events.ts'
import type { GivenUp } from '../round/round.ts'
import type { Node } from '../upstreams/node.ts'
import type { Reply } from '../wire/types.ts'

/** What is reported: a call to a node, and how long it has taken. */
export interface Reported {
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
    node.record(method, reply, durationMs, kinds[purpose])
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
