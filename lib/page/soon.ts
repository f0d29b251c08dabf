/** How long a page waits for figures before its first byte. What takes longer is streamed after it. */
export const headStartMs = 25

/** A value that came in time for the first byte, or the promise of one that is streamed. */
export type Soon<Value> = { readonly now: Value } | { readonly later: Promise<Value> }

/** Gives the work its head start. */
export async function soon<Value>(work: Promise<Value>): Promise<Soon<Value>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Soon<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ later: work }), headStartMs)
  })
  try {
    return await Promise.race([work.then((now) => ({ now })), late])
  } finally {
    clearTimeout(timer)
  }
}
