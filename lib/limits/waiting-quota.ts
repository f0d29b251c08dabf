/** One reply's part of the quota. */
export interface WaitingLease {
  /**
   * True when there is room at once. Otherwise a promise: true once there is room, or false when the lease has ended. Requests that wait
   * are granted in the order in which they came.
   */
  readonly acquire: (bytes: number) => true | Promise<boolean>
  /** Gives back everything and cancels what waits. */
  readonly end: () => void
}

/**
 * Limits the memory of node replies that are still being received. Each reply has a cap of its own, but a thousand replies at
 * their caps would fill any machine. A reply that finds no room waits until others are done: unlike a caller's request (`quota`), it
 * cannot be refused, because a call depends on it, and its size is known only at its end.
 *
 * Replies that hold a part and wait for more cannot deadlock: every grant leaves free what one reply may need, and one reply at
 * a time, the favoured one, may use that reserve. It never waits, so it finishes; then the next one is favoured. More than
 * `bytesMax` is never held.
 *
 * Bytes are granted in the order in which they came, whichever node sends the reply: replies have no callers, and what one caller may ask is
 * limited before. A reply that waits does not read from its socket, so the node's kernel waits too.
 *
 * @example
 * const lease = replies.open(bytesMax)
 * for await (const chunk of body) if (!(await lease.acquire(chunk.length))) return
 * lease.end()
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
  open(bytesMax: number): WaitingLease {
    const holder: Holder = { bytesMax: Math.min(bytesMax, this.#bytesMax), used: 0, isOpen: true }
    return {
      acquire: (bytes) => this.#acquire(holder, bytes),
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
