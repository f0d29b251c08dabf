/** The outcome of something that may throw; undefined if it does. */
export function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** A member of anything; undefined when it cannot be read. */
export function read(value: unknown, member: string): unknown {
  return isObject(value) ? attempt(() => Reflect.get(value, member)) : undefined
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
