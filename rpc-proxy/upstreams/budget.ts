import type { Signal } from '../runtime/abort.ts'
import { type Callers, RoundCallers } from '../runtime/callers.ts'
import type { Clock } from '../runtime/clock.ts'
import { createFairQueue, type FairQueue, type Queued } from './fair-queue.ts'

/** Which places an ask takes: calls and head polls never wait for each other. */
export type Lane = 'call' | 'head-poll'

/** How much a node may be asked. */
export interface Budget {
  /**
   * Waits for a place among the asks in flight of its lane: callers are served in turn. False, and nothing taken, when the node's
   * rate or day is used up, when the queue is full and no caller has a longer one than this caller, or when `signal` fires first.
   * In a full queue the newest ask of the caller with the longest one is dropped.
   */
  readonly enter: (signal: Signal, lane?: Lane, callers?: Callers) => boolean | Promise<boolean>
  readonly leave: (lane?: Lane) => void
  /** Counts what is asked without a place of its own: who a node is, and the parts of a long range. */
  readonly spend: () => void
  readonly inFlight: () => number
  /** How often its places are taken: 0 while one is free, 1 while they are and fewer wait than there are places, and so on. */
  readonly backlog: () => number
  /** Whether its rate and its day have something left. */
  readonly has: () => boolean
  /** Asks left of its UTC day; null where there is no such limit. */
  readonly leftToday: () => number | null
}

interface BudgetOptions {
  readonly inFlightMax: number
  /** Head polls in flight, beside `inFlightMax` calls. */
  readonly pollsInFlightMax?: number
  readonly perSecond: number | null
  readonly perDay: number | null
  /** Asks that may wait for a place, in each lane. */
  readonly waitingMax?: number
}

const dayMs = 86_400_000

/** Asks in flight by lane, and both lanes together per second (a bucket that holds one second's worth) and per UTC day. */
export function createBudget(
  { inFlightMax, pollsInFlightMax = 4, perSecond, perDay, waitingMax = 4096 }: BudgetOptions,
  clock: Clock,
): Budget {
  let tokens = Math.max(perSecond ?? 0, 1)
  let filledMs = clock.now()
  let day = Math.floor(clock.now() / dayMs)
  let today = 0
  const lanes = {
    call: createSlots(inFlightMax, waitingMax),
    'head-poll': createSlots(pollsInFlightMax, waitingMax),
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

  function has(): boolean {
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
    has,
    leftToday() {
      refill()
      return perDay === null ? null : Math.max(0, perDay - today)
    },
    spend,
    enter(signal, lane = 'call', callers = ourselves) {
      if (!has()) return false
      spend()
      return lanes[lane].take(signal, callers, refund)
    },
    leave: (lane = 'call') => lanes[lane].leave(),
    inFlight: () => lanes.call.inFlight() + lanes['head-poll'].inFlight(),
    backlog: () => Math.floor((lanes.call.inFlight() + lanes.call.waiting()) / inFlightMax),
  }
}

const ourselves = new RoundCallers(null)

interface Slots {
  /** True at once where one is free; else when one is, and false, after `onLeft`, where none will be. */
  readonly take: (signal: Signal, callers: Callers, onLeft: () => void) => boolean | Promise<boolean>
  readonly leave: () => void
  readonly inFlight: () => number
  readonly waiting: () => number
}

/** An ask in the queue, until it has a place or leaves. */
class Waiting implements Queued {
  callers: string[] = []
  readonly #options: WaitingOptions
  readonly #unlisten: () => void

  constructor(options: WaitingOptions) {
    const { queue, callers, signal } = options
    this.#options = options
    for (const caller of callers.keys()) queue.add(this, caller)
    this.#unlisten = callers.onJoin((caller) => queue.add(this, caller))
    signal.addEventListener('abort', this.leave, { once: true })
  }

  take(): void {
    this.#end()
    this.#options.resolve(true)
  }

  readonly leave = (): void => {
    this.#end()
    this.#options.onLeft()
    this.#options.resolve(false)
  }

  #end(): void {
    this.#options.queue.delete(this)
    this.#unlisten()
    this.#options.signal.removeEventListener('abort', this.leave)
  }
}

interface WaitingOptions {
  readonly queue: FairQueue<Waiting>
  readonly callers: Callers
  readonly signal: Signal
  readonly onLeft: () => void
  readonly resolve: (isTaken: boolean) => void
}

function createSlots(inFlightMax: number, waitingMax: number): Slots {
  let inFlight = 0
  const queue = createFairQueue<Waiting>()

  function hasRoom(callers: Callers): boolean {
    if (queue.size() < waitingMax) return true
    const [caller = ''] = callers.keys()
    const excess = queue.excess(caller)
    excess?.leave()
    return excess !== undefined
  }

  return {
    take(signal, callers, onLeft) {
      if (inFlight < inFlightMax) {
        inFlight++
        return true
      }
      if (!signal.aborted && hasRoom(callers))
        return new Promise((resolve) => {
          new Waiting({ queue, callers, signal, onLeft, resolve })
        })
      onLeft()
      return false
    },
    leave() {
      // The place is handed to the next in turn, so that a new ask cannot take it in between.
      const next = queue.next()
      if (next === undefined) inFlight--
      else next.take()
    },
    inFlight: () => inFlight,
    waiting: queue.size,
  }
}
