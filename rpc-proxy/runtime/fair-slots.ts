import type { Signal } from './abort.ts'
import { createDictionary } from './dictionary.ts'

/** Callers who cannot be told apart share one turn. */
const nobodyKnown = ''

/**
 * The callers of one round: each one's turn in a node's queue counts, also of callers that join later. A class of arrays: nearly every
 * round has one caller, and there is one of these for each.
 *
 * @example
 * await slots.acquire(signal, new RoundCallers(callerKey('203.0.113.7')))
 */
export class RoundCallers {
  readonly #keys: string[]
  #listeners: ((key: string) => void)[] = none

  /** `first` is a caller's key, as `callerKey` makes it; null where callers cannot be told apart. */
  constructor(first: string | null) {
    this.#keys = [first ?? nobodyKnown]
  }

  keys(): readonly string[] {
    return this.#keys
  }

  /** Listens for callers who join; returns what ends the listening. */
  onJoin(listener: (key: string) => void): () => void {
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener)
    }
  }

  join(caller: string | null): void {
    const key = caller ?? nobodyKnown
    if (this.#keys.includes(key)) return
    this.#keys.push(key)
    for (const listener of this.#listeners) listener(key)
  }
}

const none: ((key: string) => void)[] = []

export interface FairSlotsOptions {
  /** Slots: how much of the work may be in progress at once. */
  readonly max: number
  /** Work that may wait, of all callers. */
  readonly waitingMax: number
  /** Work that may wait, of one caller. No limit of its own by default. */
  readonly waitingPerCallerMax?: number
}

export type FairSlots = ReturnType<typeof createFairSlots>

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
}: FairSlotsOptions) {
  let inFlight = 0
  const queue = createFairQueue<Waiting>()

  /** Whether there is, or can be made, room for one more entry. */
  function hasRoom(callers: RoundCallers): boolean {
    const [caller = ''] = callers.keys()
    if (queue.sizeOf(caller) >= waitingPerCallerMax) return false
    if (queue.size() < waitingMax) return true
    const excess = queue.excess(caller)
    excess?.leave()
    return excess !== undefined
  }

  return {
    /**
     * True where a slot is free, and the slot is taken. Otherwise a promise: true once a slot is taken, false when `signal` fires or
     * the work is dropped from a full queue. False at once when the work may not wait. `onLeft` is called before each false.
     */
    acquire(signal: Signal, callers = oneForAll, onLeft = nothing): boolean | Promise<boolean> {
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
    /** Gives back a slot. Call it once for each one that was taken. */
    release(): void {
      const next = queue.next()
      if (next === undefined) inFlight--
      else next.start()
    },
    /** Slots that are taken. */
    inFlight: () => inFlight,
    waiting: queue.size,
  }
}

const oneForAll = new RoundCallers(null)
const nothing = () => {}

interface WaitingOptions {
  readonly queue: ReturnType<typeof createFairQueue<Waiting>>
  readonly callers: RoundCallers
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

interface Queued {
  /** Whose turns it waits for; the queue's own, empty at first and after it has left. */
  callers: readonly string[]
}

interface Line<Entry> {
  readonly caller: string
  /** In order of arrival; those that have left are removed when they are most of them. */
  entries: Entry[]
  waiting: number
}

/** Entries that wait, by caller: one of each caller in turn, each caller's own in order of arrival. */
export function createFairQueue<Entry extends Queued>() {
  const lines = createDictionary<Line<Entry>>()
  /** In the order of their turns: a caller that was served moves to the end. */
  const turns: Line<Entry>[] = []
  let size = 0

  function lineOf(caller: string): Line<Entry> {
    const known = lines[caller]
    if (known !== undefined) return known
    const line = { caller, entries: [], waiting: 0 }
    lines[caller] = line
    turns.push(line)
    return line
  }

  function remove(entry: Entry): void {
    if (entry.callers.length === 0) return
    const { callers } = entry
    entry.callers = []
    size--
    for (const caller of callers) {
      const line = lines[caller] as Line<Entry>
      line.waiting--
      if (line.waiting === 0) {
        delete lines[caller]
        turns.splice(turns.lastIndexOf(line), 1)
      } else if (line.entries.length > 32 + 2 * line.waiting) line.entries = line.entries.filter(isWaiting)
    }
  }

  return {
    /** An entry may stand in the queues of several callers; it leaves all of them at once. */
    add(entry: Entry, caller: string): void {
      if (entry.callers.includes(caller)) return
      if (entry.callers.length === 0) size++
      // A copy: a list that grows makes room for 17, and under load thousands of entries wait.
      entry.callers = entry.callers.concat(caller)
      const line = lineOf(caller)
      line.entries.push(entry)
      line.waiting++
    },
    delete: remove,
    /** Takes out the entry whose turn it is; undefined where the queue is empty. */
    next(): Entry | undefined {
      const line = turns.shift()
      if (line === undefined) return undefined
      turns.push(line)
      while (!isWaiting(line.entries[0] as Entry)) line.entries.shift()
      const entry = line.entries.shift() as Entry
      remove(entry)
      return entry
    },
    /**
     * The newest entry of the caller with most waiting that no other caller waits for; undefined where nobody has more waiting than
     * this caller.
     */
    excess(caller: string): Entry | undefined {
      const longest = turns.reduce<Line<Entry> | undefined>(
        (best, line) => (best === undefined || line.waiting > best.waiting ? line : best),
        undefined,
      )
      if (longest === undefined || longest.waiting <= (lines[caller]?.waiting ?? 0) + 1) return undefined
      return longest.entries.findLast(({ callers }) => callers.length === 1)
    },
    size: () => size,
    /** Entries that wait for this caller. */
    sizeOf: (caller: string): number => lines[caller]?.waiting ?? 0,
  }
}

function isWaiting({ callers }: Queued): boolean {
  return callers.length > 0
}
