import { Filters } from '../filters/filters.ts'
import { type FiltersOptions, newId } from '../filters/store.ts'
import { gone } from '../runtime/abort.ts'
import { CallError } from '../runtime/errors.ts'
import { Feed } from './feed.ts'
import type { FollowedChain, SubscriptionSource } from './source.ts'
import { type Subscribed, type SubscribeRequest, type Subscriber, Subscription } from './subscription.ts'

const perSubscriberMax = 100
/** Distinct subscriptions of all chains. */
const sourcesMax = 10_000
/** Distinct subscriptions that one caller has begun. */
const sourcesPerCallerMax = 1000

interface Listening {
  readonly subscription: Subscription
  readonly source: SubscriptionSource
  readonly feed: Feed
}

/** All subscriptions of one engine. Each distinct one of a chain has one source, however many listen to it. */
export class Subscriptions {
  readonly #randomBytes: FiltersOptions['randomBytes']
  readonly #filters: Filters
  readonly #feeds = new Map<string, Feed>()
  readonly #bySubscriber = new Map<Subscriber, Map<string, Listening>>()

  constructor({ clock, randomBytes }: Pick<FiltersOptions, 'clock' | 'randomBytes'>) {
    this.#randomBytes = randomBytes
    this.#filters = new Filters({
      clock,
      randomBytes,
      filtersMax: sourcesMax,
      perCallerMax: sourcesPerCallerMax,
      idleMsMax: Number.POSITIVE_INFINITY,
    })
  }

  /**
   * Subscribes, and returns the id. Throws CallError: `too-many-requests` when the subscriber has as many as it may have, and what a
   * filter throws that cannot be installed.
   */
  async add(
    { subscriber, opened }: SubscribeRequest,
    subscribed: Subscribed,
    chain: FollowedChain,
  ): Promise<string> {
    const own = this.#bySubscriber.get(subscriber) ?? new Map<string, Listening>()
    if (own.size >= perSubscriberMax)
      throw new CallError('too-many-requests', {
        message: `too many subscriptions: at most ${perSubscriberMax} of one connection`,
      })
    const id = newId(this.#randomBytes)
    const feed = this.#feedOf(chain)
    const source = feed.sourceOf(subscribed)
    const subscription = new Subscription(id, subscriber)
    own.set(id, { subscription, source, feed })
    this.#bySubscriber.set(subscriber, own)
    source.add(subscription)
    try {
      await source.open(subscriber.caller)
      if (subscriber.isClosed()) throw gone
    } catch (thrown) {
      this.remove(subscriber, id)
      throw thrown
    }
    opened.push(subscription)
    return id
  }

  /** False where this subscriber has no such subscription. */
  remove(subscriber: Subscriber, id: string): boolean {
    const own = this.#bySubscriber.get(subscriber)
    const listening = own?.get(id)
    if (own === undefined || listening === undefined) return false
    own.delete(id)
    if (own.size === 0) this.#bySubscriber.delete(subscriber)
    const { subscription, source, feed } = listening
    source.remove(subscription)
    if (source.isIdle()) feed.drop(source)
    if (feed.isIdle()) this.#close(feed)
    return true
  }

  /** The subscriber is gone. */
  leave(subscriber: Subscriber): void {
    for (const id of [...(this.#bySubscriber.get(subscriber)?.keys() ?? [])]) this.remove(subscriber, id)
  }

  /** Follows the chains of a new configuration. Who listens to one that is gone is closed. */
  reload(find: (chain: FollowedChain) => FollowedChain | null): void {
    for (const feed of [...this.#feeds.values()]) {
      const next = find(feed.followed())
      if (next !== null) feed.follow(next)
      else for (const subscriber of new Set(feed.subscribers())) subscriber.end()
    }
  }

  count(): number {
    return [...this.#bySubscriber.values()].reduce((sum, own) => sum + own.size, 0)
  }

  close(): void {
    for (const subscriber of [...this.#bySubscriber.keys()]) this.leave(subscriber)
  }

  #feedOf(chain: FollowedChain): Feed {
    const key = keyOf(chain)
    const known = this.#feeds.get(key)
    if (known !== undefined) return known
    const feed = new Feed(chain, this.#filters)
    this.#feeds.set(key, feed)
    return feed
  }

  #close(feed: Feed): void {
    feed.close()
    this.#feeds.delete(keyOf(feed.followed()))
  }
}

/** The same after a reload. */
const keyOf = ({ chain, policy }: FollowedChain): string => `${chain.config.id}|${policy}`
