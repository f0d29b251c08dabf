import { callerKey } from '#rpc-proxy'
import { hostLimits, type LimitCounts } from './host-limits.ts'

/** A held part of a quota. */
export interface Lease {
  /** Gives back a part. */
  readonly give: (amount: number) => void
  /** Gives back all of it; calling it again does nothing. */
  readonly end: () => void
}

/** For amounts that are not limited. */
export const noLease: Lease = { give: () => {}, end: () => {} }

/**
 * Shares a resource that callers hold for a while: bytes, connections, pages. A caller at its own limit is refused, unless it holds nothing:
 * what a single request may be is limited elsewhere. At the limit of all nobody is refused: the oldest leases are cut, as few as necessary,
 * so that an attack from many addresses costs slow requests before fast ones.
 *
 * @example
 * const bodies = new Quota({ perCallerMax: 16 << 20, max: 256 << 20 })
 * const lease = bodies.acquire(bytes, address, () => socket.destroy())
 */
export class Quota {
  readonly #limits: { readonly perCallerMax: number; readonly max: number }
  readonly #onMet: () => void
  // No Map and no Set: rpc-proxy/runtime/dictionary.ts explains what they would cost here.
  readonly #byCaller: Record<string, number> = Object.create(null)
  /** Oldest first. Ended ones are removed once they are the majority. */
  #leases: QuotaLease[] = []
  #endedCount = 0
  #all = 0

  /** `onMet` is called for each refusal and each lease that is cut. */
  constructor(limits: { readonly perCallerMax: number; readonly max: number }, onMet = () => {}) {
    this.#limits = limits
    this.#onMet = onMet
  }

  /** The leased amount. */
  readonly inUse = (): number => this.#all

  /**
   * Leases an amount to a caller, or to null where callers cannot be told apart. Null when the caller would hold more than
   * `perCallerMax`. When all callers together would hold more than `max`, the oldest leases end and their `cut` is called.
   */
  readonly acquire = (amount: number, caller: string | null, cut: () => void): Lease | null => {
    const key = caller === null ? null : callerKey(caller)
    const own = key === null ? 0 : (this.#byCaller[key] ?? 0)
    if (own > 0 && own + amount > this.#limits.perCallerMax) {
      this.#onMet()
      return null
    }
    this.#makeRoom(amount)
    this.add(key, amount)
    const lease = new QuotaLease(this, { key, amount, cut })
    this.#leases.push(lease)
    return lease
  }

  add(key: string | null, amount: number): void {
    this.#all += amount
    if (key === null) return
    const own = (this.#byCaller[key] ?? 0) + amount
    if (own > 0) this.#byCaller[key] = own
    else delete this.#byCaller[key]
  }

  /** Called for each lease that has ended. */
  onEnd(): void {
    this.#endedCount++
    if (this.#endedCount <= 32 + this.#leases.length / 2) return
    this.#leases = this.#leases.filter(({ isOpen }) => isOpen)
    this.#endedCount = 0
  }

  #makeRoom(amount: number): void {
    const { max } = this.#limits
    if (this.#all + amount <= max) return
    for (const lease of this.#leases) {
      if (!lease.isOpen) continue
      if (this.#all + amount <= max) return
      this.#onMet()
      lease.cut()
    }
  }
}

/** A quota under one of the host's limits, with its metrics. */
export function createHostQuota(
  limit: Exclude<keyof typeof hostLimits, 'renders'>,
  counts: LimitCounts,
): Quota {
  const quota = new Quota(hostLimits[limit], () => counts.met(limit))
  counts.watch(limit, quota.inUse)
  return quota
}

class QuotaLease implements Lease {
  readonly #quota: Quota
  readonly #key: string | null
  #left: number
  /** Null once the lease has ended, so that it frees what the callback refers to. */
  #onCut: (() => void) | null

  constructor(
    quota: Quota,
    { key, amount, cut }: { readonly key: string | null; readonly amount: number; readonly cut: () => void },
  ) {
    this.#quota = quota
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
    this.#quota.add(this.#key, -given)
  }

  readonly end = (): void => {
    if (this.#onCut !== null) {
      this.#onCut = null
      this.#quota.onEnd()
    }
    this.give(this.#left)
  }

  cut(): void {
    const onCut = this.#onCut
    this.end()
    onCut?.()
  }
}
