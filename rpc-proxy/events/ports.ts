import type { Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ConnectionFault } from '../wire/fault.ts'
import type { EngineEvent, TraceContext } from './events.ts'

/** One POST to one node. */
export interface SendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Cap on the reply's body in bytes, after decompression. */
  readonly bytesMax: number
  /**
   * It may be sent a second time when the connection is lost before any byte of an answer came. False for a transaction: a node
   * may have taken it.
   */
  readonly idempotent: boolean
  readonly signal: Signal
  /** The answer is on its way and the host has no room for it: from now on the time is the host's, not the node's. */
  readonly onWait?: () => void
}

export interface SendResponse {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
  readonly body: Uint8Array | string
}

/**
 * The network, as the host brings it. Never follows a redirect; throws SendFault and nothing else. A reply for which the host has no room
 * waits for it until the signal fires.
 */
export type Send = (request: SendRequest) => Promise<SendResponse>

/**
 * No response: the node could not be reached, the body is over its cap or cannot be decompressed, the response did not end in time,
 * the signal fired, or a redirect was answered.
 *
 * @example
 * const send: Send = ({ url, body, headers, signal }) =>
 *   fetch(url, { method: 'POST', body, headers, signal: platformSignal(signal), redirect: 'error' })
 *     .then(async (response) => ({ status: response.status, retryAfter: null, body: await response.text() }))
 *     .catch((cause) => {
 *       throw new SendFault(signal.aborted ? 'cancelled' : 'connection', { cause })
 *     })
 */
export class SendFault extends Error {
  readonly kind: ConnectionFault | 'too-large' | 'malformed' | 'timeout' | 'cancelled' | 'redirect'

  constructor(kind: SendFault['kind'], options?: { cause?: unknown }) {
    super(kind, options)
    this.name = 'SendFault'
    this.kind = kind
  }
}

/** Other engines that share the budgets of callers. They learn a moment later what was spent elsewhere; no call waits for it. */
export interface BudgetPeers {
  /** This was spent here, or given back where it is negative. */
  readonly spent: (key: string, cost: number) => void
  /** Called once; `onSpent` is for what was spent elsewhere. */
  readonly listen: (onSpent: (key: string, cost: number) => void) => void
}

/** Other engines that send to the same nodes, and keep together what these allow. */
export interface NodePeers {
  /** Requests that were sent to this node from here; negative where they are given back. */
  readonly spent: (node: string, requests: number) => void
  /** It said that it limits our rate, and for how many milliseconds, if it said that. */
  readonly limited: (node: string, ms: number | null) => void
  /** A later listener of the same node replaces an earlier one. */
  readonly listen: (node: string, listener: NodeListener) => void
}

/** The same from elsewhere. */
export interface NodeListener {
  readonly spent: (requests: number) => void
  readonly limited: (ms: number | null) => void
}

/** All that the engine takes from outside. */
export interface Ports {
  readonly clock: Clock
  /** A number in [0, 1), as Math.random gives. */
  readonly random: () => number
  readonly send: Send
  /** Fills with unpredictable bytes, for filter ids; a host without it has no filters. */
  readonly randomBytes?: (bytes: Uint8Array) => Uint8Array
  /** Without it budgets are this engine's own. */
  readonly budgetPeers?: BudgetPeers
  readonly nodePeers?: NodePeers
  readonly emit?: (event: EngineEvent) => void
  /** Where requests are traced: the trace of one, given its `traceparent` if it has one that is well-formed. */
  readonly traceOf?: (traceparent: string | null) => TraceContext
}
