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
  readonly defer?: (run: () => void) => void
}

/** The clock's `defer` as a plain function: on some platforms a timer throws when it is called as a method of another object. */
export function deferOf({ defer = queueMicrotask }: Pick<Clock, 'defer'>): (run: () => void) => void {
  return (run) => defer(run)
}

/** What the host tells of time, in milliseconds. */
interface TimeSource {
  /** The system clock: epoch time, which may be set, and which goes on while the machine sleeps. */
  readonly epoch: () => number
  /** Goes on evenly from any start, and on some systems stops while the machine sleeps. */
  readonly monotonic: () => number
}

/** A larger difference between the two is a sleep or a clock that was set, not drift. */
const jumpMs = 1000
/** How fast time goes while a system clock that was set back catches up. */
const slowRate = 0.9
/** The two are compared so often: reading a clock costs a fifth of a microsecond, and a call does it some twenty times. */
const compareEveryMs = 10

const hostTime: TimeSource = { epoch: Date.now, monotonic: () => performance.now() }

/**
 * The host's clock: the system's epoch time with the fractions of its monotonic clock. After a sleep it is at the time of the
 * system at once, so that everything from before has its true age. It never goes back: while the system clock is behind, it
 * goes slower.
 *
 * @example
 * // In Node, calls to a node travel together when they were made in one turn of the event loop.
 * const clock = { ...systemClock(), defer: setImmediate }
 */
export function systemClock({ epoch, monotonic }: TimeSource = hostTime): Clock {
  let comparedMs = monotonic()
  let epochMs = epoch()
  let rate = 1

  function compare(readMs: number): void {
    epochMs += (readMs - comparedMs) * rate
    comparedMs = readMs
    const aheadMs = epochMs - epoch()
    if (aheadMs < -jumpMs) epochMs -= aheadMs
    rate = aheadMs > jumpMs ? slowRate : 1
  }

  return {
    now() {
      const readMs = monotonic()
      if (readMs - comparedMs >= compareEveryMs) compare(readMs)
      return epochMs + (readMs - comparedMs) * rate
    },
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
const late = new Error('late')

/** A signal that fires after `ms` unless cancelled. */
export function deadline(clock: Clock, ms: number): { signal: Signal; cancel: Cancel } {
  const controller = new Abort()
  const cancel = clock.after(ms, () => controller.abort())
  return { signal: controller, cancel }
}

/** A value, or a promise of it: what is known needs no promise, and each promise of a call costs memory while it is in flight. */
export type Soon<Value> = Value | Promise<Value>

/** `next` of the value, at once where it is known. */
export function andThen<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
