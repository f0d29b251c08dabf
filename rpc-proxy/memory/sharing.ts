/** Identical asks in flight are one. */
export interface Sharing<Value> {
  /**
   * Runs `ask` unless one with this key is under way, which is then joined. Rejects with `gone` as soon as this sharer's
   * `signal` fires; the ask itself is aborted when its last sharer has left.
   */
  readonly share: (
    key: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Value>,
  ) => { readonly joined: boolean; readonly value: Promise<Value> }
  readonly inFlight: () => number
}

/** The sharer left before there was an answer. */
export const gone = new Error('the caller has left')

interface Flight<Value> {
  readonly value: Promise<Value>
  readonly controller: AbortController
  sharers: number
}

export function createSharing<Value>(): Sharing<Value> {
  const flights = new Map<string, Flight<Value>>()

  function board(key: string, flight: Flight<Value>, signal: AbortSignal): Promise<Value> {
    flight.sharers++
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.sharers--
        if (flight.sharers === 0) {
          // Whoever comes now must not join an ask that is being given up.
          if (flights.get(key) === flight) flights.delete(key)
          flight.controller.abort(gone)
        }
        reject(gone)
      }
      signal.addEventListener('abort', leave, { once: true })
      const land = () => signal.removeEventListener('abort', leave)
      flight.value.then(
        (value) => {
          land()
          resolve(value)
        },
        (error: unknown) => {
          land()
          reject(error)
        },
      )
    })
  }

  return {
    share(key, signal, ask) {
      // Nobody is asked for somebody who has left, and no flight ends unheard: Node would end the process over that.
      if (signal.aborted) return { joined: false, value: Promise.reject(gone) }
      const under = flights.get(key)
      if (under !== undefined) return { joined: true, value: board(key, under, signal) }
      const controller = new AbortController()
      const value = ask(controller.signal).finally(() => {
        if (flights.get(key) === flight) flights.delete(key)
      })
      const flight: Flight<Value> = { value, controller, sharers: 0 }
      flights.set(key, flight)
      return { joined: false, value: board(key, flight, signal) }
    },
    inFlight: () => flights.size,
  }
}
