/** A value, or a promise of it: what is known needs no promise, and each promise of a call costs memory while it is in flight. */
export type Soon<Value> = Value | Promise<Value>

/** `next` of the value, at once where it is known. */
export function andThen<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
