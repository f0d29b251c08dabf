import v8 from 'node:v8'
import type { Cancel, Clock } from '#rpc-proxy'

/**
 * Virtual time without the event loop. Timers fire in order of their due time. At the same time, engine timers fire in
 * order of creation, and world events before, between or after them according to `tie`.
 */
export interface Time extends Clock {
  /** Schedules a world event, which cannot be cancelled. `tie` is in [0, 1); engine timers have 0.5. */
  readonly at: (atMs: number, tie: number, run: () => void) => void
  /** Runs all timers and events up to `untilMs`, including those added meanwhile. */
  readonly run: (untilMs: number) => void
  /** Runs pending microtasks, but no timers. */
  readonly settle: () => void
  /** The number of active engine timers. */
  readonly timers: () => number
}

interface Entry {
  readonly atMs: number
  readonly tie: number
  readonly order: number
  run: (() => void) | null
}

export function createTime(startMs: number): Time {
  const heap: Entry[] = []
  let nowMs = startMs
  let order = 0
  let timers = 0

  function push(entry: Entry): void {
    let position = heap.push(entry) - 1
    while (position > 0) {
      const parent = (position - 1) >> 1
      const above = heap[parent] as Entry
      if (!isBefore(entry, above)) break
      heap[position] = above
      position = parent
    }
    heap[position] = entry
  }

  function pop(): Entry | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || last === first) return first
    let position = 0
    for (;;) {
      let child = position * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++
      if (!isBefore(heap[child] as Entry, last)) break
      heap[position] = heap[child] as Entry
      position = child
    }
    heap[position] = last
    return first
  }

  return {
    now: () => nowMs,
    timers: () => timers,
    settle: runMicrotasks,
    at(atMs, tie, run) {
      push({ atMs: Math.max(atMs, nowMs), tie, order: order++, run })
    },
    after(ms, run): Cancel {
      timers++
      const entry: Entry = {
        atMs: nowMs + Math.max(ms, 0),
        tie: 0.5,
        order: order++,
        run: () => {
          timers--
          run()
        },
      }
      push(entry)
      return () => {
        if (entry.run !== null) timers--
        entry.run = null
      }
    },
    run(untilMs) {
      for (;;) {
        const next = heap[0]
        if (next === undefined || next.atMs > untilMs) break
        pop()
        const { run } = next
        if (run === null) continue
        next.run = null
        nowMs = next.atMs
        run()
        runMicrotasks()
      }
    },
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return (
    one.atMs < other.atMs ||
    (one.atMs === other.atMs && (one.tie < other.tie || (one.tie === other.tie && one.order < other.order)))
  )
}

/**
 * Drains the microtask queue synchronously. A turn of the event loop per event would dominate the cost of a simulation,
 * and a fixed number of awaits might not be enough.
 */
const runMicrotasks: () => void = nativeCheckpoint()

function nativeCheckpoint(): () => void {
  v8.setFlagsFromString('--allow-natives-syntax')
  return new Function('%PerformMicrotaskCheckpoint()') as () => void
}
