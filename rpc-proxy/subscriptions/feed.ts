import type { Filters } from '../filters/filters.ts'
import type { Cancel } from '../runtime/clock.ts'
import { type FollowedChain, SubscriptionSource } from './source.ts'
import type { Subscribed, Subscriber } from './subscription.ts'

/** Polls one chain's head for as long as anybody is subscribed to it, and wakes its sources at each new one. */
export class Feed {
  readonly #filters: Filters<unknown>
  readonly #sources = new Map<string, SubscriptionSource>()
  #chain: FollowedChain
  #cancelHead: Cancel
  #cancelTimer: Cancel = () => {}

  constructor(chain: FollowedChain, filters: Filters<unknown>) {
    this.#chain = chain
    this.#filters = filters
    this.#cancelHead = chain.onHead(() => this.#wake())
    this.#schedule()
  }

  chain(): FollowedChain {
    return this.#chain
  }

  sourceOf(subscribed: Subscribed): SubscriptionSource {
    const key = JSON.stringify(subscribed)
    const known = this.#sources.get(key)
    if (known !== undefined) return known
    const source = new SubscriptionSource({
      key,
      subscribed,
      chain: () => this.#chain,
      filters: this.#filters,
    })
    this.#sources.set(key, source)
    return source
  }

  drop(source: SubscriptionSource): void {
    source.close()
    if (this.#sources.get(source.key) === source) this.#sources.delete(source.key)
  }

  isIdle(): boolean {
    return this.#sources.size === 0
  }

  subscribers(): readonly Subscriber[] {
    return [...this.#sources.values()].flatMap((source) => source.subscribers())
  }

  /** Goes on with the chain as a new configuration has it. */
  follow(chain: FollowedChain): void {
    this.close()
    this.#chain = chain
    this.#cancelHead = chain.onHead(() => this.#wake())
    this.#schedule()
    this.#wake()
  }

  close(): void {
    this.#cancelHead()
    this.#cancelTimer()
  }

  #wake(): void {
    for (const source of this.#sources.values()) source.wake()
  }

  #schedule(): void {
    const { clock, headMaxAgeMs, head } = this.#chain
    const ageMs = clock.now() - (head()?.seenMs ?? Number.NEGATIVE_INFINITY)
    // A head that callers have polled meanwhile is young enough.
    const ms = ageMs < headMaxAgeMs ? headMaxAgeMs - ageMs : headMaxAgeMs
    this.#cancelTimer = clock.after(ms, () => this.#tick())
  }

  #tick(): void {
    const { clock, headMaxAgeMs, head, pollHead } = this.#chain
    const seenMs = head()?.seenMs ?? Number.NEGATIVE_INFINITY
    // No quorum is no end of it: the next poll may have one.
    if (clock.now() - seenMs >= headMaxAgeMs) void pollHead().catch(() => {})
    for (const source of this.#sources.values()) if (source.isBehind()) source.wake()
    this.#schedule()
  }
}
