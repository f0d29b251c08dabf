/** How long a page waits for figures before its first byte. Slower ones are streamed. */
export const headStartMs = 25

/** A value that was ready for the first byte, or the promise of one to stream. */
export type Deferred<Value> = { readonly now: Value } | { readonly later: Promise<Value> }

export async function defer<Value>(work: Promise<Value>): Promise<Deferred<Value>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Deferred<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ later: work }), headStartMs)
  })
  try {
    return await Promise.race([work.then((now) => ({ now })), late])
  } finally {
    clearTimeout(timer)
  }
}
