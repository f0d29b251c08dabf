/** The callers of a round: each one's turn in a node's queue counts, also of callers that join later. */
export interface Callers {
  readonly keys: () => readonly string[]
  /** Listens for callers who join; returns what ends the listening. */
  readonly onJoin: (listener: (key: string) => void) => () => void
}

/** Callers who cannot be told apart share one turn. */
const nobodyKnown = ''

/**
 * The callers of one round. A class of arrays: nearly every round has one caller, and there is one of these for each.
 *
 * @example
 * await slots.acquire(signal, new RoundCallers(callerKey('203.0.113.7')))
 */
export class RoundCallers implements Callers {
  readonly #keys: string[]
  #listeners: ((key: string) => void)[] = none

  /** `first` is a caller's key, as `callerKey` makes it; null where callers cannot be told apart. */
  constructor(first: string | null) {
    this.#keys = [first ?? nobodyKnown]
  }

  keys(): readonly string[] {
    return this.#keys
  }

  onJoin(listener: (key: string) => void): () => void {
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener)
    }
  }

  join(caller: string | null): void {
    const key = caller ?? nobodyKnown
    if (this.#keys.includes(key)) return
    this.#keys.push(key)
    for (const listener of this.#listeners) listener(key)
  }
}

const none: ((key: string) => void)[] = []
