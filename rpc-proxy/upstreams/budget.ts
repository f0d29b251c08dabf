import type { Clock } from '../clock.ts'

/** Which places an ask takes: calls and looks at the head never wait for each other. */
export type Lane = 'call' | 'look'

/** How much a node may be asked. */
export interface Budget {
  /**
   * Waits for a place among the asks in flight of its lane, in order of coming. False, and nothing taken, when the node's rate or
   * day is used up, when too many wait already, or when `signal` fires first.
   */
  readonly enter: (signal: AbortSignal, lane?: Lane) => boolean | Promise<boolean>
  readonly leave: (lane?: Lane) => void
  /** Counts what is asked without a place of its own: who a node is, and the parts of a long range. */
  readonly spend: () => void
  readonly inFlight: () => number
  /** How often its places are taken: 0 while one is free, 1 while they are and fewer wait than there are places, and so on. */
  readonly backlog: () => number
  /** Whether a call would be taken now, at once or after a wait. */
  readonly has: () => boolean
}

interface BudgetOptions {
  readonly inFlightMax: number
  /** Looks at the head in flight, beside `inFlightMax` calls. */
  readonly looksInFlightMax?: number
  readonly perSecond: number | null
  readonly perDay: number | null
  /** Asks that may wait for a place, in each lane. */
  readonly waitingMax?: number
}

const dayMs = 86_400_000

/** Asks in flight by lane, and both lanes together per second (a bucket that holds one second's worth) and per UTC day. */
export function createBudget(
  { inFlightMax, looksInFlightMax = 4, perSecond, perDay, waitingMax = 4096 }: BudgetOptions,
  clock: Clock,
): Budget {
  let tokens = Math.max(perSecond ?? 0, 1)
  let filledMs = clock.now()
  let day = Math.floor(clock.now() / dayMs)
  let today = 0
  const lanes = {
    call: createPlaces(inFlightMax),
    look: createPlaces(looksInFlightMax),
  }

  function refill(): void {
    const now = clock.now()
    if (perSecond !== null)
      tokens = Math.min(Math.max(perSecond, 1), tokens + ((now - filledMs) / 1000) * perSecond)
    filledMs = now
    const newDay = Math.floor(now / dayMs)
    if (newDay !== day) today = 0
    day = newDay
  }

  function has(lane: Lane): boolean {
    if (lanes[lane].waiting() >= waitingMax) return false
    if (perSecond === null && perDay === null) return true
    refill()
    return (perSecond === null || tokens >= 1) && (perDay === null || today < perDay)
  }

  function spend(): void {
    tokens--
    today++
  }

  /** It was never asked. */
  function refund(): void {
    tokens++
    today--
  }

  return {
    has: () => has('call'),
    spend,
    enter(signal, lane = 'call') {
      if (!has(lane)) return false
      spend()
      return lanes[lane].take(signal, refund)
    },
    leave: (lane = 'call') => lanes[lane].leave(),
    inFlight: () => lanes.call.inFlight() + lanes.look.inFlight(),
    backlog: () => Math.floor((lanes.call.inFlight() + lanes.call.waiting()) / inFlightMax),
  }
}

interface Places {
  /** True at once where one is free; else when one is, and false, after `onLeft`, when `signal` fires first. */
  readonly take: (signal: AbortSignal, onLeft: () => void) => boolean | Promise<boolean>
  readonly leave: () => void
  readonly inFlight: () => number
  readonly waiting: () => number
}

function createPlaces(inFlightMax: number): Places {
  let inFlight = 0
  const waiting = new Set<() => void>()

  function wait(signal: AbortSignal, onLeft: () => void): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const taken = () => {
        signal.removeEventListener('abort', left)
        resolve(true)
      }
      const left = () => {
        waiting.delete(taken)
        onLeft()
        resolve(false)
      }
      waiting.add(taken)
      signal.addEventListener('abort', left, { once: true })
    })
  }

  return {
    take(signal, onLeft) {
      if (inFlight >= inFlightMax) return wait(signal, onLeft)
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
    waiting: () => waiting.size,
  }
}
