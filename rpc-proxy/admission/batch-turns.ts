import { type Clock, deferOf, type Soon } from '../runtime/clock.ts'
import { createFairQueue } from '../runtime/fair-slots.ts'

/** While so many calls of batches are under way, of all callers, further ones wait for a turn. */
export const underWayMax = 128
/** So many waiting calls begin in each turn of the event loop. */
export const eachTurn = 8

interface Waiting {
  callers: readonly string[]
  readonly begin: () => void
}

/**
 * Decides when the calls of batches begin. If a thousand begin at once, they take 30 MB and twice the processor time, and no other caller
 * is answered meanwhile. So those beyond `underWayMax` begin a few in each turn of the event loop, one caller after another. A turn takes
 * microseconds while calls only wait for nodes, so slow nodes delay no other call.
 *
 * @example
 * const turns = new BatchTurns({ defer: setImmediate })
 * await Promise.all(entries.map((entry) => turns.begin('203.0.113.7', () => answer(entry))))
 */
export class BatchTurns {
  readonly #defer: (run: () => void) => void
  readonly #waiting = createFairQueue<Waiting>()
  #underWay = 0

  constructor(clock: Pick<Clock, 'defer'>) {
    this.#defer = deferOf(clock)
  }

  /** Calls `run` now or in the caller's turn, and returns its value. `run` must not throw, but may return a promise that rejects. */
  begin<Value>(caller: string | null, run: () => Soon<Value>): Soon<Value> {
    const isFirst = this.#waiting.size() === 0
    if (isFirst && this.#underWay < underWayMax) return this.#count(run())
    if (isFirst) this.#defer(this.#turn)
    return new Promise((resolve) => {
      const begin = () => resolve(this.#count(run()))
      this.#waiting.add({ callers: [], begin }, caller ?? '')
    })
  }

  #count<Value>(value: Soon<Value>): Soon<Value> {
    if (value instanceof Promise) {
      this.#underWay++
      void value.then(this.#end, this.#end)
    }
    return value
  }

  readonly #end = (): void => {
    this.#underWay--
  }

  readonly #turn = (): void => {
    let left = eachTurn
    while (this.#waiting.size() > 0 && (this.#underWay < underWayMax || left-- > 0))
      this.#waiting.next()?.begin()
    if (this.#waiting.size() > 0) this.#defer(this.#turn)
  }
}
