/**
 * What the engine uses of an `AbortSignal`, which satisfies this type.
 *
 * @example
 * const signal: Signal = AbortSignal.timeout(10_000)
 */
export interface Signal {
  readonly aborted: boolean
  readonly addEventListener: (
    type: 'abort',
    listener: () => void,
    options?: { readonly once?: boolean },
  ) => void
  readonly removeEventListener: (type: 'abort', listener: () => void) => void
}

/** What a call rejects with whose caller has left. Made once: an error for each would cost more than the call. */
export const gone = new Error('the caller has left')

/**
 * A controller and its signal in one small object, for what begins and ends with each call. In Node 24, with one listener, it is 105
 * bytes and 0.07 µs to make; an `AbortController` is 385 bytes and 0.6 µs. Listeners are called once, in the order in which they
 * were added.
 *
 * @example
 * const abort = new Abort()
 * abort.addEventListener('abort', () => socket.destroy())
 * abort.abort()
 */
export class Abort implements Signal {
  aborted = false
  // Nearly all have one, which needs no list.
  #first: (() => void) | null = null
  #others: (() => void)[] | null = null

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.aborted || this.#first === listener || this.#others?.includes(listener)) return
    if (this.#first === null) this.#first = listener
    else if (this.#others === null) this.#others = [listener]
    else this.#others.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#first === listener) this.#first = this.#others?.shift() ?? null
    else {
      const at = this.#others?.indexOf(listener) ?? -1
      if (at !== -1) this.#others?.splice(at, 1)
    }
  }

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    const [first, others] = [this.#first, this.#others]
    this.#first = null
    this.#others = null
    first?.()
    for (const listener of others ?? []) listener()
  }
}

/** Fires when every one of these has left. The platform's own join keeps signals alive and is not to be had everywhere. */
export function whenAllLeft(waiting: readonly { readonly signal: Signal }[]): Signal {
  const controller = new Abort()
  let staying = waiting.length
  const leave = () => {
    staying--
    if (staying === 0) controller.abort()
  }
  for (const { signal } of waiting) {
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  return controller
}

/**
 * A platform signal that fires with this one, for `fetch`.
 *
 * @example
 * await fetch(url, { method: 'POST', body, signal: platformSignal(signal) })
 */
export function platformSignal(signal: Signal): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  if (signal.aborted) controller.abort()
  else signal.addEventListener('abort', () => controller.abort(), { once: true })
  return controller.signal
}
