import type { LogFilter } from '../methods/log-filter.ts'

export type Subscribed = 'newHeads' | LogFilter

/** A connection whose other side is sent what it has subscribed to. */
export interface Subscriber {
  /** As the rate counts callers; null where they cannot be told apart. */
  readonly caller: string | null
  readonly isClosed: () => boolean
  /** Sends one message: its head, which is this subscription's, and its rest, which all are sent who subscribed to the same. */
  readonly notify: (head: string, rest: string) => void
  /** Its chain is served no more. */
  readonly end: () => void
}

/** One message of a subscriber, and the subscriptions that it has asked for: each is told of nothing before its id has been sent. */
export interface SubscribeRequest {
  readonly subscriber: Subscriber
  readonly opened: Subscription[]
}

/** One subscription of one subscriber. */
export class Subscription {
  readonly id: string
  readonly subscriber: Subscriber
  readonly #head: string
  /** What comes before its id has been sent; null afterwards. */
  #waiting: string[] | null = []

  constructor(id: string, subscriber: Subscriber) {
    this.id = id
    this.subscriber = subscriber
    this.#head = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}"`
  }

  /** Sends what `restOf` has made of a result. */
  notify(rest: string): void {
    if (this.#waiting === null) this.subscriber.notify(this.#head, rest)
    else this.#waiting.push(rest)
  }

  /** Its id has been sent. */
  begin(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const rest of waiting) this.subscriber.notify(this.#head, rest)
  }
}

/** What follows the id in each message about this result, JSON text. */
export const restOf = (result: string) => `,"result":${result}}}`
