import { type Callers, createCallers } from '../callers.ts'
import { createDictionary } from '../dictionary.ts'

/** Who asks, and for how long. */
export interface Sharer {
  /** Its departure. */
  readonly signal: () => AbortSignal
  /** When it must have its answer, epoch milliseconds. */
  readonly endMs: number
  readonly caller: string | null
}

/** What the asks of one flight have in common: aborted when the last sharer has left, made for all who share. */
export interface FlightScope {
  readonly signal: AbortSignal
  readonly callers: Callers
}

/** Identical asks in flight are one. */
export interface Sharing<Value> {
  /**
   * Runs `ask` unless one with this key is under way, which is then joined if it ends in this sharer's time. Rejects with
   * `gone` as soon as the sharer's `signal` fires; the ask itself is aborted when its last sharer has left.
   */
  readonly share: (
    key: string,
    sharer: Sharer,
    ask: (flight: FlightScope) => Promise<Value>,
  ) => { readonly joined: boolean; readonly value: Promise<Value> }
  readonly inFlight: () => number
}

/** The sharer left before there was an answer. */
export const gone = new Error('the caller has left')

interface Flight<Value> {
  readonly value: Promise<Value>
  readonly controller: AbortController
  readonly callers: ReturnType<typeof createCallers>
  readonly endMs: number
  sharers: number
}

/**
 * A caller gets no answer after its own deadline and gives up at most `spareMs` of its time by joining: an ask that has run
 * for longer may have stalled, and the next caller asks again.
 */
export function createSharing<Value>(spareMs: number): Sharing<Value> {
  const flights = createDictionary<Flight<Value>>()
  let inFlight = 0

  /** The next caller asks again. */
  function end(key: string, flight: Flight<Value>): void {
    if (flights[key] !== flight) return
    delete flights[key]
    inFlight--
  }

  function join(key: string, flight: Flight<Value>, signal: AbortSignal): Promise<Value> {
    flight.sharers++
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.sharers--
        if (flight.sharers === 0) {
          // The next caller must not join an ask that is being aborted.
          end(key, flight)
          flight.controller.abort(gone)
        }
        reject(gone)
      }
      signal.addEventListener('abort', leave, { once: true })
      flight.value.then(
        (value) => {
          signal.removeEventListener('abort', leave)
          resolve(value)
        },
        (error: unknown) => {
          signal.removeEventListener('abort', leave)
          reject(error)
        },
      )
    })
  }

  return {
    share(key, { signal: departure, endMs, caller }, ask) {
      const signal = departure()
      // No node is asked for a caller that has left. Every rejection has a handler: Node would end the process otherwise.
      if (signal.aborted) return { joined: false, value: Promise.reject(gone) }
      const current = flights[key]
      if (current !== undefined && current.endMs <= endMs && endMs - current.endMs <= spareMs) {
        current.callers.join(caller)
        return { joined: true, value: join(key, current, signal) }
      }
      const controller = new AbortController()
      const callers = createCallers(caller)
      const value = ask({ signal: controller.signal, callers }).finally(() => end(key, flight))
      const flight: Flight<Value> = { value, controller, callers, endMs, sharers: 0 }
      if (flights[key] === undefined) inFlight++
      flights[key] = flight
      return { joined: false, value: join(key, flight, signal) }
    },
    inFlight: () => inFlight,
  }
}
