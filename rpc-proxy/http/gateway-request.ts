import type { Signal } from '../runtime/abort.ts'
import type { SubscribeRequest } from '../subscriptions/subscription.ts'

/** Why there is no body text: the host's reader found it so. `too-many`: its caller has too many bodies open. */
export type BodyFault = 'too-large' | 'too-slow' | 'too-many' | 'not-utf8' | 'gone'

/** What a host hands in. Header names are lower-case. */
export interface GatewayRequest {
  readonly method: string
  /** The path alone, without query: `/api/rpc/137`. */
  readonly path: string
  readonly header: (name: string) => string | null
  /** Reads the body as UTF-8 text, at most `bytesMax` bytes (decompressed), within `ms`; called once at most. */
  readonly body: (bytesMax: number, ms: number) => Promise<{ text: string } | { fault: BodyFault }>
  /** Who calls, for the rate: an address, as the trusted hops tell it; null where callers cannot be told apart. */
  readonly caller: string | null
  /** Origin of this site (`https://app.example`), which may always call; null where it is not known. */
  readonly origin: string | null
  /** The caller's departure. */
  readonly signal: Signal
  /** Where it came over a connection that stays, see `Gateway.connect`. */
  readonly subscribing?: SubscribeRequest
}

export interface GatewayResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty with 204. */
  readonly body: string
}
