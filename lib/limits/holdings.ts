import { callerKey } from '#rpc-proxy'

/** An amount that is held. */
export interface Hold {
  /** Gives back a part. */
  readonly give: (amount: number) => void
  /** Gives back all of it; calling it again does nothing. */
  readonly end: () => void
}

/** For amounts that are not limited. */
export const noHold: Hold = { give: () => {}, end: () => {} }

export interface Holdings {
  /**
   * Takes an amount for a caller, or for null where callers cannot be told apart. Null when the caller would hold more than its
   * share; a caller that holds nothing may take more than a whole share at once. When all callers together would hold too much,
   * the oldest holds are ended and their `cut` is called.
   */
  readonly hold: (amount: number, caller: string | null, cut: () => void) => Hold | null
  /** The amount held now. */
  readonly held: () => number
}

export interface Shares {
  readonly perCallerMax: number
  readonly max: number
}

/** Which limit was met: the caller's own share, or that of all callers. */
type Met = (which: 'own' | 'all') => void

/**
 * Shares a limited resource fairly. A caller at its own limit is refused, so that it cannot take what others need. When many
 * callers hold everything, the oldest holds are cut in favour of new ones: slow requests are lost before fast ones.
 */
export function createHoldings(shares: Shares, met: Met = () => {}): Holdings {
  return new Pool(shares, met)
}

class Pool implements Holdings {
  readonly #shares: Shares
  readonly #met: Met
  // No Map and no Set: rpc-proxy/runtime/dictionary.ts explains what they would cost here.
  readonly #byCaller: Record<string, number> = Object.create(null)
  /** Oldest first. Ended ones are removed once they are the majority. */
  #taken: Taken[] = []
  #endedCount = 0
  #all = 0

  constructor(shares: Shares, met: Met) {
    this.#shares = shares
    this.#met = met
  }

  readonly held = (): number => this.#all

  readonly hold = (amount: number, caller: string | null, cut: () => void): Hold | null => {
    const key = caller === null ? null : callerKey(caller)
    const own = key === null ? 0 : (this.#byCaller[key] ?? 0)
    if (own > 0 && own + amount > this.#shares.perCallerMax) {
      this.#met('own')
      return null
    }
    this.#makeRoom(amount)
    this.add(key, amount)
    const taken = new Taken(this, { key, amount, cut })
    this.#taken.push(taken)
    return taken
  }

  add(key: string | null, amount: number): void {
    this.#all += amount
    if (key === null) return
    const own = (this.#byCaller[key] ?? 0) + amount
    if (own > 0) this.#byCaller[key] = own
    else delete this.#byCaller[key]
  }

  /** Called for each hold that has ended. */
  onEnd(): void {
    this.#endedCount++
    if (this.#endedCount <= 32 + this.#taken.length / 2) return
    this.#taken = this.#taken.filter(({ isOpen }) => isOpen)
    this.#endedCount = 0
  }

  #makeRoom(amount: number): void {
    const { max } = this.#shares
    if (this.#all + amount <= max) return
    for (const taken of this.#taken) {
      if (!taken.isOpen) continue
      if (this.#all + amount <= max) return
      this.#met('all')
      taken.cut()
    }
  }
}

class Taken implements Hold {
  readonly #pool: Pool
  readonly #key: string | null
  #left: number
  /** Null once the hold has ended, so that it frees what the callback refers to. */
  #onCut: (() => void) | null

  constructor(
    pool: Pool,
    { key, amount, cut }: { readonly key: string | null; readonly amount: number; readonly cut: () => void },
  ) {
    this.#pool = pool
    this.#key = key
    this.#left = amount
    this.#onCut = cut
  }

  get isOpen(): boolean {
    return this.#onCut !== null
  }

  give(part: number): void {
    const given = Math.min(part, this.#left)
    this.#left -= given
    this.#pool.add(this.#key, -given)
  }

  readonly end = (): void => {
    if (this.#onCut !== null) {
      this.#onCut = null
      this.#pool.onEnd()
    }
    this.give(this.#left)
  }

  cut(): void {
    const onCut = this.#onCut
    this.end()
    onCut?.()
  }
}
