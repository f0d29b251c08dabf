import type { CallerConfig } from '../config/config-types.ts'
import { hashOf } from '../config/parse-config.ts'
import { KeyedCaller } from './keyed-caller.ts'

/** No key is longer. */
const keyCharsMax = 128

/** The callers that the configuration gives keys. */
export class KeyedCallers {
  #byHash: ReadonlyMap<string, KeyedCaller> = new Map()
  #byBudget: ReadonlyMap<string, KeyedCaller> = new Map()
  #hasBeenUsed = false

  constructor(configs: readonly CallerConfig[]) {
    this.reload(configs)
  }

  /** Takes over another list. A key that is not in it, or is another caller's now, has ended. */
  reload(configs: readonly CallerConfig[]): void {
    const old = this.#byHash
    const callers = configs.map((config) => {
      const known = old.get(config.keyHash)
      if (known?.name !== config.name) return [config.keyHash, new KeyedCaller(config)] as const
      known.reload(config)
      return [config.keyHash, known] as const
    })
    this.#byHash = new Map(callers)
    this.#byBudget = new Map(callers.map(([, caller]) => [caller.budgetKey, caller]))
    this.#hasBeenUsed ||= configs.length > 0
    for (const [hash, caller] of old) if (this.#byHash.get(hash) !== caller) caller.end()
  }

  /** There are keys, or there were: what comes as one is looked at. */
  get hasBeenUsed(): boolean {
    return this.#hasBeenUsed
  }

  /**
   * Whose key this is; null for nobody's. Found by its hash: how long that takes says nothing of the key, which nobody can choose the
   * hash of.
   */
  find(key: string): KeyedCaller | null {
    return key.length > keyCharsMax ? null : (this.#byHash.get(hashOf(key)) ?? null)
  }

  /** By the name of its budget; null for callers without a key. */
  at(budgetKey: string | null): KeyedCaller | null {
    return this.#byBudget.size === 0 || budgetKey === null ? null : (this.#byBudget.get(budgetKey) ?? null)
  }

  all(): Iterable<KeyedCaller> {
    return this.#byBudget.values()
  }
}
