/** Turns of the event loop in which the engine answers what it has already. */
export const cacheTurns = 4

/** A value that was there for the first byte, or the promise of one to stream. */
export type Deferred<Value> = { readonly now: Value } | { readonly later: Promise<Value> }

/** Waits for nothing but what is at hand, unless a page says how long it may wait for more. */
export async function defer<Value>(work: Promise<Value>, withinMs = 0): Promise<Deferred<Value>> {
  let ready: Deferred<Value> | undefined
  const settled = work.then((now) => {
    ready = { now }
  })
  for (let turns = 0; turns < cacheTurns && ready === undefined; turns++)
    await Promise.race([settled, new Promise((resolve) => setImmediate(resolve))])
  if (ready === undefined && withinMs > 0) {
    let timer: ReturnType<typeof setTimeout> | undefined
    await Promise.race([
      settled,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMs)
      }),
    ])
    clearTimeout(timer)
  }
  return ready ?? { later: work }
}
