/** A value that changes, for `useSyncExternalStore` and others. */
export interface Store<Value> {
  readonly get: () => Value
  readonly set: (value: Value) => void
  /** Calls back after each change. Returns a function that stops it. */
  readonly subscribe: (onChange: () => void) => () => void
}

export function createStore<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const onChange of [...listeners]) onChange()
    },
    subscribe(onChange) {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
  }
}
