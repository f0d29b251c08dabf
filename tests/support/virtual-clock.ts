import type { Cancel, Clock } from '#rpc-proxy'

/** A manual clock. Timers fire in order of their due time, then of their creation. */
export interface VirtualClock extends Clock {
  /** Runs all timers due within `ms`, including timers set meanwhile. */
  readonly advance: (ms: number) => Promise<void>
  /** Runs until `done` or until no timer is left. */
  readonly until: (done: () => boolean) => Promise<void>
  /** The machine sleeps: the time of day goes on, timers do not. */
  readonly sleep: (ms: number) => void
  /** The number of active timers. */
  readonly pending: () => number
}

interface Timer {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
}

export function virtualClock(startMs = 1_700_000_000_000): VirtualClock {
  let nowMs = startMs
  let order = 0
  let timers: Timer[] = []

  function after(ms: number, run: () => void): Cancel {
    const timer = { atMs: nowMs + Math.max(ms, 0), order: order++, run }
    let place = timers.length
    while (place > 0 && isLater(timers[place - 1] as Timer, timer)) place--
    timers.splice(place, 0, timer)
    return () => {
      const index = timers.findIndex((other) => other.order === timer.order)
      if (index >= 0) timers.splice(index, 1)
    }
  }

  function fireNext(): void {
    const timer = timers.shift()
    if (timer === undefined) return
    nowMs = timer.atMs
    timer.run()
  }

  return {
    now: () => nowMs,
    after,
    pending: () => timers.length,
    sleep(ms) {
      nowMs += ms
      timers = timers.map((timer) => ({ ...timer, atMs: timer.atMs + ms }))
    },
    async advance(ms) {
      const endMs = nowMs + ms
      await settled()
      while ((timers[0]?.atMs ?? Number.POSITIVE_INFINITY) <= endMs) {
        fireNext()
        await settled()
      }
      nowMs = endMs
    },
    async until(done) {
      await settled()
      while (!done() && timers.length > 0) {
        fireNext()
        await settled()
      }
    },
  }
}

function isLater(one: Timer, other: Timer): boolean {
  return one.atMs > other.atMs || (one.atMs === other.atMs && one.order > other.order)
}

/** Runs all pending promise callbacks. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
