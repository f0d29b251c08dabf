import type { Clock } from './clock.ts'
import type { EngineEvent } from './events.ts'

/** One POST to one node. */
export interface SendRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Cap on the reply's body in bytes, after decompression. */
  readonly bytesMax: number
  readonly signal: AbortSignal
}

export interface SendResponse {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
  readonly body: Uint8Array | string
}

/** The network as a guest. Never follows a redirect; throws SendFault and nothing else. */
export type Send = (request: SendRequest) => Promise<SendResponse>

export class SendFault extends Error {
  readonly kind: 'connection' | 'too-large' | 'cancelled' | 'redirect' | 'busy'

  constructor(kind: SendFault['kind'], options?: { cause?: unknown }) {
    super(kind, options)
    this.name = 'SendFault'
    this.kind = kind
  }
}

/** All that the engine takes from outside. */
export interface Ports {
  readonly clock: Clock
  /** A number in [0, 1), as Math.random gives. */
  readonly random: () => number
  readonly send: Send
  /** Fills with bytes that nobody can guess, for the ids of filters; a host without it has no filters. */
  readonly randomBytes?: (bytes: Uint8Array) => Uint8Array
  readonly emit?: (event: EngineEvent) => void
}
