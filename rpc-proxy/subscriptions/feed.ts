import type { Filters } from '../filters/filters.ts'
import type { Cancel } from '../runtime/clock.ts'
import { type FollowedChain, SubscriptionSource } from './source.ts'
import type { Subscribed, Subscriber } from './subscription.ts'

/** Polls one chain's head for as long as anybody is subscribed to it, and wakes its sources at each new one. */
export class Feed {
  readonly #filters: Filters
  readonly #sources = new Map<string, SubscriptionSource>()
  #followed: FollowedChain
  #cancelHead: Cancel
  #cancelTimer: Cancel = () => {}

  constructor(followed: FollowedChain, filters: Filters) {
    this.#followed = followed
    this.#filters = filters
    this.#cancelHead = followed.chain.onHead(() => this.#wake())
    this.#schedule()
  }

  followed(): FollowedChain {
    return this.#followed
  }

  sourceOf(subscribed: Subscribed): SubscriptionSource {
    const key = JSON.stringify(subscribed)
    const known = this.#sources.get(key)
    if (known !== undefined) return known
    const source = new SubscriptionSource({
      key,
      subscribed,
      chain: () => this.#followed,
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
  follow(followed: FollowedChain): void {
    this.close()
    this.#followed = followed
    this.#cancelHead = followed.chain.onHead(() => this.#wake())
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
    const { headMaxAgeMs } = this.#followed.chain.config
    const ageMs = this.#headAgeMs()
    // A head that callers have polled meanwhile is young enough.
    const ms = ageMs < headMaxAgeMs ? headMaxAgeMs - ageMs : headMaxAgeMs
    this.#cancelTimer = this.#followed.clock.after(ms, () => this.#tick())
  }

  #tick(): void {
    const { config, heads } = this.#followed.chain
    // No quorum is no end of it: the next poll may have one.
    if (this.#headAgeMs() >= config.headMaxAgeMs) void heads.poll().catch(() => {})
    for (const source of this.#sources.values()) if (source.isBehind()) source.wake()
    this.#schedule()
  }

  #headAgeMs(): number {
    const { clock, chain } = this.#followed
    return clock.now() - (chain.heads.current()?.seenMs ?? Number.NEGATIVE_INFINITY)
  }
}
