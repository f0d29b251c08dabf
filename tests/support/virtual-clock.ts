import type { Cancel } from '#rpc-proxy'

export type VirtualClock = ReturnType<typeof virtualClock>

/** A manual clock. Timers fire in order of their due time, then of their creation. */
export function virtualClock(startMs = 1_700_000_000_000) {
  let nowMs = startMs
  const timers: { atMs: number; readonly run: () => void }[] = []

  function after(ms: number, run: () => void): Cancel {
    const timer = { atMs: nowMs + Math.max(ms, 0), run }
    let place = timers.length
    while (place > 0 && (timers[place - 1]?.atMs ?? 0) > timer.atMs) place--
    timers.splice(place, 0, timer)
    return () => {
      const index = timers.indexOf(timer)
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
    /** The number of active timers. */
    pending: () => timers.length,
    /** The machine sleeps: the time of day goes on, timers do not. */
    sleep(ms: number) {
      nowMs += ms
      for (const timer of timers) timer.atMs += ms
    },
    /** Runs all timers due within `ms`, including timers set meanwhile. */
    async advance(ms: number) {
      const endMs = nowMs + ms
      await settled()
      while ((timers[0]?.atMs ?? Number.POSITIVE_INFINITY) <= endMs) {
        fireNext()
        await settled()
      }
      nowMs = endMs
    },
    /** Runs until `done` or until no timer is left. */
    async until(done: () => boolean) {
      await settled()
      while (!done() && timers.length > 0) {
        fireNext()
        await settled()
      }
    },
  }
}

/** Runs all pending promise callbacks. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
