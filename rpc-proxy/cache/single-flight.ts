import { Abort, gone, type Signal } from '../runtime/abort.ts'
import { createDictionary } from '../runtime/dictionary.ts'
import { RoundCallers } from '../runtime/fair-slots.ts'

/** Who asks, and for how long. */
export interface Waiter {
  /** Its departure. */
  readonly signal: () => Signal
  /** When it must have its answer, epoch milliseconds. */
  readonly endMs: number
  readonly caller: string | null
}

/** What the requests of one flight have in common: aborted when the last waiter has left, made for all who share. */
export interface FlightScope {
  readonly signal: Signal
  readonly callers: RoundCallers
}

interface FlightOptions<Value> {
  /** Operators that voted in an earlier epoch may be distrusted by now, so nobody joins a flight of one. */
  readonly epoch: number
  readonly run: (flight: FlightScope) => Promise<Value>
}

export interface Joined<Value> {
  readonly value: Promise<Value>
  /** `shared` where it has joined another one's request. */
  readonly cache: 'shared' | 'miss'
}

class Flight<Value> extends Abort implements FlightScope {
  readonly endMs: number
  readonly epoch: number
  readonly signal = this
  readonly callers: RoundCallers
  waiters = 0
  value!: Promise<Value>

  constructor({ caller, endMs }: Waiter, epoch: number) {
    super()
    this.endMs = endMs
    this.epoch = epoch
    this.callers = new RoundCallers(caller)
  }
}

/**
 * Identical requests in flight are one. A caller gets no answer after its own deadline and gives up at most `spareMs` of its time by
 * joining: a request that has run for longer may have stalled, and the next caller asks again.
 */
export class SingleFlight<Value> {
  readonly #flights = createDictionary<Flight<Value>>()
  readonly #spareMs: number

  constructor(spareMs: number) {
    this.#spareMs = spareMs
  }

  /**
   * Runs `run` unless one with this key is under way, which is then joined if it ends in this waiter's time. `value` rejects with
   * `gone` as soon as the waiter's `signal` fires; the request itself is aborted when its last waiter has left.
   */
  joinOrRun(key: string, waiter: Waiter, { epoch, run }: FlightOptions<Value>): Joined<Value> {
    const signal = waiter.signal()
    // No node is asked for a caller that has left. Every rejection has a handler: Node would end the process otherwise.
    if (signal.aborted) return { value: Promise.reject(gone), cache: 'miss' }
    const current = this.#flights[key]
    const isJoined = this.#isJoinable(current, waiter, epoch)
    const flight = isJoined ? current : new Flight<Value>(waiter, epoch)
    if (isJoined) flight.callers.join(waiter.caller)
    else {
      flight.value = run(flight)
      this.#flights[key] = flight
    }
    flight.waiters++
    const value = new Promise<Value>((resolve, reject) => {
      const leave = () => {
        flight.waiters--
        if (flight.waiters === 0) {
          // The next caller must not join a request that is being aborted.
          this.#end(key, flight)
          flight.abort()
        }
        reject(gone)
      }
      signal.addEventListener('abort', leave, { once: true })
      const settle = () => {
        signal.removeEventListener('abort', leave)
        this.#end(key, flight)
      }
      flight.value.then(
        (value) => {
          settle()
          resolve(value)
        },
        (error: unknown) => {
          settle()
          reject(error)
        },
      )
    })
    return { value, cache: isJoined ? 'shared' : 'miss' }
  }

  /** The next caller asks again. */
  #end(key: string, flight: Flight<Value>): void {
    if (this.#flights[key] === flight) delete this.#flights[key]
  }

  /** It ends in this waiter's time, and has not run for so long that it may have stalled. */
  #isJoinable(flight: Flight<Value> | undefined, { endMs }: Waiter, epoch: number): flight is Flight<Value> {
    return flight?.epoch === epoch && flight.endMs <= endMs && endMs - flight.endMs <= this.#spareMs
  }
}
