/** One reply's part of the quota. */
export type WaitingLease = ReturnType<WaitingQuota['open']>

/**
 * Limits the memory of node replies that are still being received. A reply that finds no room waits, because a call depends on it, and then
 * does not read from its socket. Replies that hold a part and wait for more cannot deadlock: every grant leaves free what one reply may
 * need, and the favoured one may use that reserve until it ends.
 *
 * @example
 * const lease = replies.open(bytesMax)
 * for await (const chunk of body) if (!(await lease.acquire(chunk.length))) return
 */
export class WaitingQuota {
  readonly #bytesMax: number
  #used = 0
  #favoured: Holder | null = null
  #waiting: Waiting[] = []

  constructor(bytesMax = 256 << 20) {
    this.#bytesMax = bytesMax
  }

  /** The leased bytes. */
  inUse(): number {
    return this.#used
  }

  /** The lease of a reply that never holds more than `bytesMax` at once. */
  open(bytesMax: number) {
    const holder: Holder = { bytesMax: Math.min(bytesMax, this.#bytesMax), used: 0, isOpen: true }
    return {
      /** True when there is room at once. Otherwise a promise: true once there is room, or false when the lease has ended. In the order of their coming. */
      acquire: (bytes: number): true | Promise<boolean> => this.#acquire(holder, bytes),
      /** Gives back everything and cancels what waits. */
      end: () => this.#end(holder),
    }
  }

  #acquire(holder: Holder, bytes: number): true | Promise<boolean> {
    if (!holder.isOpen) return Promise.resolve(false)
    if (holder === this.#favoured || (this.#waiting.length === 0 && this.#hasRoom(holder, bytes))) {
      this.#grant(holder, bytes)
      return true
    }
    return new Promise((settle) => {
      this.#waiting.push({ holder, bytes, settle })
      this.#serve()
    })
  }

  #end(holder: Holder): void {
    if (!holder.isOpen) return
    holder.isOpen = false
    this.#grant(holder, -holder.used)
    if (this.#favoured === holder) this.#favoured = null
    for (const own of this.#waiting.filter((each) => each.holder === holder)) own.settle(false)
    this.#waiting = this.#waiting.filter((each) => each.holder !== holder)
    this.#serve()
  }

  #grant(holder: Holder, bytes: number): void {
    holder.used += bytes
    this.#used += bytes
  }

  /** Grants what waits until all the rest have to wait. */
  #serve(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { holder, bytes, settle } = next
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#grant(holder, bytes)
      settle(true)
    }
  }

  #next(): Waiting | undefined {
    const first = this.#waiting[0]
    if (first === undefined || this.#hasRoom(first.holder, first.bytes)) return first
    this.#favoured ??= this.#waiting.find(({ holder }) => this.#canFinish(holder))?.holder ?? null
    return this.#waiting.find(({ holder }) => holder === this.#favoured)
  }

  #hasRoom(holder: Holder, bytes: number): boolean {
    const favoured = this.#favoured
    if (holder === favoured) return true
    // Replies have different caps: what the favoured one may still need can be more than this reply's cap.
    const reserved = favoured === null ? 0 : favoured.bytesMax - favoured.used
    return this.#used + bytes <= this.#bytesMax - Math.max(holder.bytesMax, reserved)
  }

  #canFinish(holder: Holder): boolean {
    return this.#used - holder.used + holder.bytesMax <= this.#bytesMax
  }
}

interface Holder {
  readonly bytesMax: number
  used: number
  isOpen: boolean
}

interface Waiting {
  readonly holder: Holder
  readonly bytes: number
  readonly settle: (granted: boolean) => void
}
