import type { Clock } from '../clock.ts'

/** How much a node may be asked. */
export interface Budget {
  /**
   * Waits for a place among the asks in flight, in order of coming. False, and nothing taken, when the node's rate or day is used up,
   * when too many wait already, or when `signal` fires first.
   */
  readonly enter: (signal: AbortSignal) => boolean | Promise<boolean>
  readonly leave: () => void
  /** Counts what is asked without a place of its own: who a node is, and the parts of a long range. */
  readonly spend: () => void
  readonly inFlight: () => number
  /** Whether an ask would be taken now, at once or after a wait. */
  readonly has: () => boolean
}

interface BudgetOptions {
  readonly inFlightMax: number
  readonly perSecond: number | null
  readonly perDay: number | null
  /** Asks that may wait for a place. */
  readonly waitingMax?: number
}

const dayMs = 86_400_000

/** Asks in flight, per second (a bucket that holds one second's worth) and per UTC day. */
export function createBudget(
  { inFlightMax, perSecond, perDay, waitingMax = 4096 }: BudgetOptions,
  clock: Clock,
): Budget {
  let inFlight = 0
  let tokens = Math.max(perSecond ?? 0, 1)
  let filledMs = clock.now()
  let day = Math.floor(clock.now() / dayMs)
  let today = 0
  const waiting = new Set<() => void>()

  function refill(): void {
    const now = clock.now()
    if (perSecond !== null)
      tokens = Math.min(Math.max(perSecond, 1), tokens + ((now - filledMs) / 1000) * perSecond)
    filledMs = now
    const newDay = Math.floor(now / dayMs)
    if (newDay !== day) today = 0
    day = newDay
  }

  function has(): boolean {
    if (waiting.size >= waitingMax) return false
    if (perSecond === null && perDay === null) return true
    refill()
    return (perSecond === null || tokens >= 1) && (perDay === null || today < perDay)
  }

  function spend(): void {
    tokens--
    today++
  }

  function place(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const taken = () => {
        signal.removeEventListener('abort', left)
        resolve(true)
      }
      const left = () => {
        waiting.delete(taken)
        // It was never asked.
        tokens++
        today--
        resolve(false)
      }
      waiting.add(taken)
      signal.addEventListener('abort', left, { once: true })
    })
  }

  return {
    has,
    spend,
    enter(signal) {
      if (!has()) return false
      spend()
      if (inFlight >= inFlightMax) return place(signal)
      inFlight++
      return true
    },
    leave() {
      const [next] = waiting
      // The place goes straight to whoever waited longest, so that nobody slips in between.
      if (next === undefined) inFlight--
      else {
        waiting.delete(next)
        next()
      }
    },
    inFlight: () => inFlight,
  }
}
