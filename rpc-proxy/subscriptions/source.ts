import type { Chain } from '../chain/chain.ts'
import type { Filters } from '../filters/filters.ts'
import type { FilterChain } from '../filters/poll.ts'
import type { Clock } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import { restOf, type Subscribed, type Subscriber, type Subscription } from './subscription.ts'

interface SubscriptionSourceOptions {
  readonly key: string
  readonly subscribed: Subscribed
  readonly chain: () => FollowedChain
  readonly filters: Filters
}

/**
 * One distinct subscription of a chain: a filter of ours, polled at each agreed head and told to all who listen. A poll that fails leaves
 * the filter where it is, so that nothing is skipped.
 */
export class SubscriptionSource {
  readonly key: string
  readonly #options: SubscriptionSourceOptions
  readonly #listeners = new Set<Subscription>()
  #filterId: Promise<string> | null = null
  #isRunning = false
  #isBehind = false
  /** A head came while a poll was under way. */
  #isWoken = false
  #isClosed = false
  /** Whose turn it is to pay. */
  #turn = 0

  constructor(options: SubscriptionSourceOptions) {
    this.key = options.key
    this.#options = options
  }

  /** Resolves when it begins at an agreed head. */
  async open(caller: string | null): Promise<void> {
    this.#filterId ??= this.#install(caller)
    const installing = this.#filterId
    try {
      await installing
    } catch (thrown) {
      if (this.#filterId === installing) this.#filterId = null
      throw thrown
    }
  }

  add(listener: Subscription): void {
    this.#listeners.add(listener)
  }

  remove(listener: Subscription): void {
    this.#listeners.delete(listener)
  }

  isIdle(): boolean {
    return this.#listeners.size === 0
  }

  /** The last poll failed, or left something for later. */
  isBehind(): boolean {
    return this.#isBehind
  }

  subscribers(): readonly Subscriber[] {
    return [...this.#listeners].map(({ subscriber }) => subscriber)
  }

  wake(): void {
    this.#isWoken = true
    if (!this.#isRunning) void this.#run()
  }

  close(): void {
    this.#isClosed = true
    const { chain } = this.#options.chain().poll(null)
    void this.#filterId?.then(
      (id) => this.#options.filters.call('eth_uninstallFilter', [id], chain),
      () => {},
    )
  }

  async #install(caller: string | null): Promise<string> {
    const { chain } = this.#options.chain().poll(caller)
    const { raw } =
      this.#options.subscribed === 'newHeads'
        ? await this.#options.filters.call('eth_newBlockFilter', [], chain)
        : await this.#options.filters.call('eth_newFilter', [this.#options.subscribed], chain)
    return JSON.parse(raw) as string
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false
      try {
        await this.#poll()
      } catch (thrown) {
        this.#isBehind = true
        if (!(thrown instanceof CallError)) this.#options.chain().onSurprise(thrown)
      }
    }
    this.#isRunning = false
  }

  async #poll(): Promise<void> {
    const id = await this.#filterId
    if (id === null) return
    const { poll, sent } = this.#options.chain()
    const payer = this.#nextPayer()
    const polled = poll(payer)
    const { raw, onUndelivered } = await this.#options.filters.call(
      'eth_getFilterChanges',
      [id],
      polled.chain,
    )
    this.#isBehind = polled.isUnsure()
    const news = JSON.parse(raw) as readonly unknown[]
    if (news.length === 0) return
    // One poll may not reach the head.
    this.#isWoken = true
    const results = await this.#resultsOf(news, polled).catch((thrown: unknown) => {
      onUndelivered?.()
      this.#isWoken = false
      throw thrown
    })
    for (const rest of results.map(restOf))
      for (const listener of this.#listeners) {
        listener.notify(rest)
        sent(listener.subscriber.caller)
      }
  }

  /** All of them, or it throws: what was sent is not taken back. */
  #resultsOf(news: readonly unknown[], { header }: SourcePoll): Promise<readonly string[]> {
    return this.#options.subscribed === 'newHeads'
      ? Promise.all(news.map((hash) => header(hash as string)))
      : Promise.resolve(news.map((log) => JSON.stringify(log)))
  }

  /** Each of those who listen in turn: one whose budget is spent delays the others by one poll. */
  #nextPayer(): string | null {
    const callers = [...new Set(this.subscribers().map(({ caller }) => caller))]
    this.#turn += 1
    return callers[this.#turn % callers.length] ?? null
  }
}

/** A chain as its subscriptions see it, everyday or protected. */
export interface FollowedChain {
  readonly chain: Chain
  readonly policy: 'everyday' | 'protected'
  readonly clock: Clock
  /** For one poll that this caller pays. */
  readonly poll: (payer: string | null) => SourcePoll
  /** A result was sent to this caller. */
  readonly sent: (caller: string | null) => void
  /** Something was thrown that is no CallError. */
  readonly onSurprise: (thrown: unknown) => void
}

interface SourcePoll {
  readonly chain: FilterChain
  /** The agreed header of this hash as JSON text. */
  readonly header: (hash: string) => Promise<string>
  /** Something speaks against the logs of the newest blocks: they are read again. */
  readonly isUnsure: () => boolean
}
