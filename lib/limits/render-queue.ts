import { callerKey } from '#rpc-proxy'

export interface RenderQueueOptions {
  /** Concurrent renders. */
  readonly max: number
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
  readonly waitMsMax: number
}

type Leave = () => void

export interface RenderQueue {
  /** Fulfils with `leave` on this caller's turn; with null when the queue is full or the wait took too long. */
  readonly enter: (caller: string | null) => Promise<Leave | null>
  /** Renders in progress. */
  readonly held: () => number
}

/**
 * Limits concurrent renders and queues the rest, fairly by caller: a caller with a hundred requests delays only its own. When
 * the whole queue is full, the caller with the longest queue loses its last entry.
 */
export function createRenderQueue(options: RenderQueueOptions): RenderQueue {
  return new FairRenders(options)
}

type Settle = (leave: Leave | null) => void

class FairRenders implements RenderQueue {
  readonly #options: RenderQueueOptions
  /** Callers take turns in the order of this map. */
  readonly #queues = new Map<string, Settle[]>()
  #rendering = 0
  #waiting = 0

  constructor(options: RenderQueueOptions) {
    this.#options = options
  }

  readonly held = (): number => this.#rendering

  readonly enter = (caller: string | null): Promise<Leave | null> => {
    if (this.#rendering < this.#options.max) return Promise.resolve(this.#start())
    const key = caller === null ? '' : callerKey(caller)
    const queue = this.#queues.get(key) ?? []
    return this.#makeRoom(queue) ? this.#wait(key, queue) : Promise.resolve(null)
  }

  #start(): Leave {
    let isRendering = true
    this.#rendering += 1
    return () => {
      if (!isRendering) return
      isRendering = false
      this.#rendering -= 1
      this.#serve()
    }
  }

  #serve(): void {
    const [first] = this.#queues
    if (first === undefined || this.#rendering >= this.#options.max) return
    const [key, queue] = first
    const settle = queue.shift()
    // To the back: every other caller has a turn first.
    this.#queues.delete(key)
    if (queue.length > 0) this.#queues.set(key, queue)
    this.#waiting -= 1
    settle?.(this.#start())
  }

  #wait(key: string, queue: Settle[]): Promise<Leave | null> {
    return new Promise((resolve) => {
      const settle: Settle = (leave) => {
        clearTimeout(timer)
        resolve(leave)
      }
      const timer = setTimeout(() => this.#drop(key, settle), this.#options.waitMsMax)
      queue.push(settle)
      this.#queues.set(key, queue)
      this.#waiting += 1
    })
  }

  #drop(key: string, settle: Settle): void {
    const queue = this.#queues.get(key)
    const at = queue?.indexOf(settle) ?? -1
    if (queue === undefined || at === -1) return
    queue.splice(at, 1)
    if (queue.length === 0) this.#queues.delete(key)
    this.#waiting -= 1
    settle(null)
  }

  /** Whether there is, or can be made, room for one more entry of this queue. */
  #makeRoom(queue: readonly Settle[]): boolean {
    const { waitingMax, waitingPerCallerMax } = this.#options
    if (queue.length >= waitingPerCallerMax) return false
    if (this.#waiting < waitingMax) return true
    const [longestKey, longest] = [...this.#queues].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    )
    if (longest.length <= queue.length + 1) return false
    this.#drop(longestKey, longest.at(-1) as Settle)
    return true
  }
}
