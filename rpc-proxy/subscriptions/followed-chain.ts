import type { FilterChain } from '../filters/poll.ts'
import type { Cancel, Clock } from '../runtime/clock.ts'

/** A chain as its subscriptions see it, everyday or protected. */
export interface FollowedChain {
  /** The same after a reload. */
  readonly key: string
  readonly chainId: number
  readonly policy: 'everyday' | 'protected'
  readonly clock: Clock
  readonly headMaxAgeMs: number
  /** The agreed head's hash and age; null before the first one. */
  readonly head: () => { readonly hash: string; readonly seenMs: number } | null
  readonly pollHead: () => Promise<void>
  /** Called at each new agreed head. */
  readonly onHead: (listener: () => void) => Cancel
  /** For one poll that this caller pays. */
  readonly poll: (payer: string | null) => SourcePoll
  /** A result was sent to this caller. */
  readonly sent: (caller: string | null) => void
  /** Something was thrown that is no CallError. */
  readonly onSurprise: (thrown: unknown) => void
}

export interface SourcePoll {
  readonly chain: FilterChain<unknown>
  /** The agreed header of this hash as JSON text. */
  readonly header: (hash: string) => Promise<string>
  /** Something speaks against the logs of the newest blocks: they are read again. */
  readonly isUnsure: () => boolean
}
