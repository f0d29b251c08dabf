/** The share of one reply in the budget. */
export interface Share {
  /**
   * True when there is room at once; otherwise fulfils with true when there is, or with false when the share has ended. Waiting
   * takes are granted in the order in which they came.
   */
  readonly take: (bytes: number) => true | Promise<boolean>
  readonly give: (bytes: number) => void
  /** Gives back all that it holds; what it waits for is no longer wanted. */
  readonly end: () => void
}

/** Bytes that all replies together may hold at one moment. */
export interface ByteBudget {
  /** The share of a reply that never holds more than `bytesMax` at once. */
  readonly open: (bytesMax: number) => Share
  /** What is held now. */
  readonly held: () => number
}

interface Holder {
  readonly bytesMax: number
  held: number
  isOpen: boolean
}

interface Waiting {
  readonly holder: Holder
  readonly bytes: number
  readonly settle: (granted: boolean) => void
}

/**
 * What the replies of nodes may hold in memory until each is whole, in bytes: each reply has a cap of its own, and a thousand
 * of them at their caps would fill any machine. A reply that finds no room waits until others are done.
 *
 * Replies that hold a part and wait for more cannot block each other: each leaves free what one reply may need, and one at a
 * time, the favoured one, uses that. It never waits, so it ends; then the next one is favoured. More than `bytesMax` is never
 * held.
 */
export function createByteBudget(bytesMax = 256 << 20): ByteBudget {
  let held = 0
  let favoured: Holder | null = null
  let waiting: Waiting[] = []

  function hasRoom(holder: Holder, bytes: number): boolean {
    if (holder === favoured) return true
    // Replies differ in what they may need: what the favoured one has left may be more.
    const kept = favoured === null ? 0 : favoured.bytesMax - favoured.held
    return held + bytes <= bytesMax - Math.max(holder.bytesMax, kept)
  }

  function canFinish(holder: Holder): boolean {
    return held - holder.held + holder.bytesMax <= bytesMax
  }

  function grant(holder: Holder, bytes: number): void {
    holder.held += bytes
    held += bytes
  }

  /** Whose turn it is; none when all have to wait. */
  function next(): Waiting | undefined {
    const first = waiting[0]
    if (first === undefined || hasRoom(first.holder, first.bytes)) return first
    favoured ??= waiting.find(({ holder }) => canFinish(holder))?.holder ?? null
    return waiting.find(({ holder }) => holder === favoured)
  }

  function serve(): void {
    for (let turn = next(); turn !== undefined; turn = next()) {
      const { holder, bytes, settle } = turn
      waiting.splice(waiting.indexOf(turn), 1)
      grant(holder, bytes)
      settle(true)
    }
  }

  function leave(holder: Holder): void {
    holder.isOpen = false
    held -= holder.held
    holder.held = 0
    if (favoured === holder) favoured = null
    for (const own of waiting.filter((each) => each.holder === holder)) own.settle(false)
    waiting = waiting.filter((each) => each.holder !== holder)
    serve()
  }

  return {
    held: () => held,
    open(shareBytesMax) {
      const holder: Holder = { bytesMax: Math.min(shareBytesMax, bytesMax), held: 0, isOpen: true }
      return {
        take(bytes) {
          if (!holder.isOpen) return Promise.resolve(false)
          if (holder === favoured || (waiting.length === 0 && hasRoom(holder, bytes))) {
            grant(holder, bytes)
            return true
          }
          return new Promise((settle) => {
            waiting.push({ holder, bytes, settle })
            serve()
          })
        },
        give(bytes) {
          if (!holder.isOpen) return
          holder.held -= bytes
          held -= bytes
          serve()
        },
        end() {
          if (holder.isOpen) leave(holder)
        },
      }
    },
  }
}
