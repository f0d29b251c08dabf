import { Abort } from '../runtime/abort.ts'
import { createDictionary } from '../runtime/dictionary.ts'
import { CallError } from '../runtime/errors.ts'

/** Calls that wait for their transaction to be in a block. */
const waitsMax = 200
const waitsPerCallerMax = 20

/** Bounds how many calls wait for a receipt: each holds a place among the requests for much longer than others do. */
export class SyncWaits {
  /** Fires when nobody may wait any more. */
  readonly ended = new Abort()
  readonly #byCaller = createDictionary<number>()
  #count = 0

  /** Takes a place, to be given back. Throws CallError `overloaded` or `too-many-requests`. */
  enter(caller: string | null): () => void {
    const key = caller ?? ''
    const own = this.#byCaller[key] ?? 0
    if (this.#count >= waitsMax) throw new CallError('overloaded', { retryAfterMs: 1000 })
    if (caller !== null && own >= waitsPerCallerMax)
      throw new CallError('too-many-requests', { retryAfterMs: 1000 })
    this.#count += 1
    this.#byCaller[key] = own + 1
    return () => {
      this.#count -= 1
      const left = (this.#byCaller[key] ?? 1) - 1
      if (left > 0) this.#byCaller[key] = left
      else delete this.#byCaller[key]
    }
  }
}
