import { type Clock, deferOf, type Soon } from '../runtime/clock.ts'
import { createFairQueue } from '../runtime/fair-slots.ts'

/** Calls of batches, of all callers, that may be under way before others wait for a turn. */
export const underWayMax = 128
/** Of those that wait, so many begin in each turn of the event loop. */
export const eachTurn = 8

interface Waiting {
  callers: readonly string[]
  readonly begin: () => void
}

/**
 * When the calls of batches begin. A thousand that begin at once are 30 MB in flight, cost twice the processor time each, and nobody
 * else is answered meanwhile. Here those beyond `underWayMax` begin in later turns of the event loop, their callers in turn. Where nodes
 * are slow such a turn takes microseconds: what waits for nodes holds nothing back.
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

  /** What `run` gives: at once, or in the caller's turn. `run` does not throw, but its promise may reject. */
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
