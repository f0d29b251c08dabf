/** On whose behalf a node is asked: each caller's turn in the node's queue counts, also of those who join later. */
export interface Callers {
  readonly keys: () => Iterable<string>
  /** Listens for callers who join; returns what ends the listening. */
  readonly onJoin: (listener: (key: string) => void) => () => void
}

/** Callers who cannot be told apart share one turn. */
const nobodyKnown = ''

/** `first` is a caller's key, as `callerKey` makes it; null where callers cannot be told apart. */
export function createCallers(
  first: string | null,
): Callers & { readonly join: (key: string | null) => void } {
  const keys = new Set([first ?? nobodyKnown])
  const listeners = new Set<(key: string) => void>()
  return {
    keys: () => keys,
    onJoin(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    join(caller) {
      const key = caller ?? nobodyKnown
      if (keys.has(key)) return
      keys.add(key)
      for (const listener of listeners) listener(key)
    },
  }
}
