import type { LogFilter } from '../methods/log-filter.ts'

export type Subscribed = 'newHeads' | LogFilter

/** A connection whose other side is sent what it has subscribed to. */
export interface Subscriber {
  /** As the rate counts callers; null where they cannot be told apart. */
  readonly caller: string | null
  readonly isClosed: () => boolean
  readonly notify: (text: string) => void
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
  /** What comes before its id has been sent; null afterwards. */
  #waiting: string[] | null = []

  constructor(id: string, subscriber: Subscriber) {
    this.id = id
    this.subscriber = subscriber
  }

  /** Sends one result, JSON text. */
  notify(result: string): void {
    const text = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${this.id}","result":${result}}}`
    if (this.#waiting === null) this.subscriber.notify(text)
    else this.#waiting.push(text)
  }

  /** Its id has been sent. */
  begin(): void {
    const texts = this.#waiting ?? []
    this.#waiting = null
    for (const text of texts) this.subscriber.notify(text)
  }
}
