import type { Signal } from './abort.ts'
import { type Callers, RoundCallers } from './callers.ts'
import { createFairQueue, type FairQueue, type Queued } from './fair-queue.ts'

export interface FairSlotsOptions {
  /** Slots: how much of the work may be in progress at once. */
  readonly max: number
  /** Work that may wait, of all callers. */
  readonly waitingMax: number
  /** Work that may wait, of one caller. No limit of its own by default. */
  readonly waitingPerCallerMax?: number
}

export interface FairSlots {
  /**
   * True where a slot is free, and the slot is taken. Otherwise a promise: true once a slot is taken, false when `signal` fires or the
   * work is dropped from a full queue. False at once when the work may not wait. `onLeft` is called before each false.
   */
  readonly acquire: (signal: Signal, callers?: Callers, onLeft?: () => void) => boolean | Promise<boolean>
  /** Gives back a slot. Call it once for each one that was taken. */
  readonly release: () => void
  /** Slots that are taken. */
  readonly inFlight: () => number
  readonly waiting: () => number
}

/**
 * Limits how much of some work is in progress, and shares the slots fairly among callers.
 *
 * While a slot is free, it is taken without waiting. While none is, work waits in the queue of its caller, and callers take turns:
 * each freed slot goes to the next caller's oldest entry. A caller with a hundred entries delays its own, and other callers by one
 * entry each. A freed slot is handed over, so that new work cannot overtake what waits. Work that several callers wait for (they joined
 * it) stands in the queues of all of them, and is started in the earliest turn.
 *
 * The queue is bounded twice. A caller with `waitingPerCallerMax` entries gets no further one. In a full queue the caller with most
 * entries loses its newest, in favour of a caller who would still have fewer. So a queue that one caller has filled is open to
 * all others, and what callers share is never dropped for one of them.
 *
 * No entry waits after its signal: give it one that fires when the caller leaves, or after the longest wait.
 *
 * The engine uses it for the upstream requests of each node, the host for the rendering of pages.
 *
 * @example
 * const slots = createFairSlots({ max: 4, waitingMax: 64 })
 * if (!(await slots.acquire(AbortSignal.timeout(2000), new RoundCallers(callerKey(address))))) return busy
 * await work().finally(slots.release)
 */
export function createFairSlots({
  max,
  waitingMax,
  waitingPerCallerMax = Number.POSITIVE_INFINITY,
}: FairSlotsOptions): FairSlots {
  let inFlight = 0
  const queue = createFairQueue<Waiting>()

  /** Whether there is, or can be made, room for one more entry. */
  function hasRoom(callers: Callers): boolean {
    const [caller = ''] = callers.keys()
    if (queue.sizeOf(caller) >= waitingPerCallerMax) return false
    if (queue.size() < waitingMax) return true
    const excess = queue.excess(caller)
    excess?.leave()
    return excess !== undefined
  }

  return {
    acquire(signal, callers = oneForAll, onLeft = nothing) {
      if (inFlight < max) {
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
    release() {
      const next = queue.next()
      if (next === undefined) inFlight--
      else next.start()
    },
    inFlight: () => inFlight,
    waiting: queue.size,
  }
}

const oneForAll = new RoundCallers(null)
const nothing = () => {}

interface WaitingOptions {
  readonly queue: FairQueue<Waiting>
  readonly callers: Callers
  readonly signal: Signal
  readonly onLeft: () => void
  readonly resolve: (isGranted: boolean) => void
}

/** An entry of the queue, until it has a slot or leaves. */
class Waiting implements Queued {
  callers: readonly string[] = []
  readonly #options: WaitingOptions
  readonly #unlisten: () => void

  constructor(options: WaitingOptions) {
    const { queue, callers, signal } = options
    this.#options = options
    for (const caller of callers.keys()) queue.add(this, caller)
    this.#unlisten = callers.onJoin((caller) => queue.add(this, caller))
    signal.addEventListener('abort', this.leave, { once: true })
  }

  start(): void {
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
