/** Turns of the event loop in which the engine answers what it has already. */
export const cacheTurns = 4

/** A value that was there for the first byte, or the promise of one to stream. */
export type Deferred<Value> = { readonly now: Value } | { readonly later: Promise<Value> }

/** Waits for nothing but what is at hand: no page's first byte waits for a node. */
export async function defer<Value>(work: Promise<Value>): Promise<Deferred<Value>> {
  let ready: Deferred<Value> | undefined
  const settled = work.then((now) => {
    ready = { now }
  })
  for (let turns = 0; turns < cacheTurns && ready === undefined; turns++)
    await Promise.race([settled, new Promise((resolve) => setImmediate(resolve))])
  return ready ?? { later: work }
}
