import { Abort, type Signal } from './abort.ts'
/** Ends a timer; calling it twice, or after the timer has fired, does nothing. */
export type Cancel = () => void

/** Time is passed in: production uses the host's, the simulation its own. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions, never going back. */
  now(): number
  /** Runs `run` once after `ms` milliseconds. */
  after(ms: number, run: () => void): Cancel
  /** Runs `run` once all that the host has received by now has been dealt with; without it, in the next microtask. */
  readonly soon?: (run: () => void) => void
}

/**
 * The host's clock: monotonic, in epoch milliseconds.
 *
 * @example
 * // In Node, calls to a node travel together when they were made in one turn of the event loop.
 * const clock = { ...systemClock(), soon: setImmediate }
 */
export function systemClock(): Clock {
  // Read once: it is a getter that costs more than the time itself, and a call reads the clock some twenty times.
  const { timeOrigin } = performance
  return {
    now: () => timeOrigin + performance.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  }
}

/** The promise's value if it comes within `ms`; else rejects, and leaves the promise to itself. No timer stays. */
export function within<Value>(clock: Clock, ms: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(late))
    promise.then(
      (value) => {
        cancel()
        resolve(value)
      },
      (error: unknown) => {
        cancel()
        reject(error)
      },
    )
  })
}

/** What `within` rejects with when the time has passed. */
export const late = new Error('late')

/** A signal that fires after `ms` unless cancelled. */
export function deadline(clock: Clock, ms: number): { signal: Signal; cancel: Cancel } {
  const controller = new Abort()
  const cancel = clock.after(ms, () => controller.abort())
  return { signal: controller, cancel }
}
