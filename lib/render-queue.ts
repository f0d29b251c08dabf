import { callerKey } from '#rpc-proxy'

export interface RenderQueueOptions {
  /** At once. */
  readonly max: number
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
  readonly waitMsMax: number
}

export interface RenderQueue {
  /** Fulfils with how to leave when it is this caller's turn; with null where there is no room to wait, or none in time. */
  readonly enter: (caller: string | null) => Promise<(() => void) | null>
  /** How many are in. */
  readonly held: () => number
}

type Settle = (leave: (() => void) | null) => void

/**
 * Renders a few pages at once and queues the rest, fairly by caller: a caller with a hundred requests delays only its own.
 * Where the line is full, the longest part of it gives up its last place.
 */
export function createRenderQueue(options: RenderQueueOptions): RenderQueue {
  const { max, waitingMax, waitingPerCallerMax, waitMsMax } = options
  /** By caller, in the order in which they are served. */
  const lines = new Map<string, Settle[]>()
  let inside = 0
  let waiting = 0

  function leaveOnce(): () => void {
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      inside -= 1
      serve()
    }
  }

  function serve(): void {
    if (inside >= max) return
    const [first] = lines
    if (first === undefined) return
    const [key, line] = first
    const settle = line.shift()
    // Behind all others now.
    lines.delete(key)
    if (line.length > 0) lines.set(key, line)
    waiting -= 1
    inside += 1
    settle?.(leaveOnce())
  }

  function drop(key: string, settle: Settle): void {
    const line = lines.get(key)
    const place = line?.indexOf(settle) ?? -1
    if (line === undefined || place === -1) return
    line.splice(place, 1)
    if (line.length === 0) lines.delete(key)
    waiting -= 1
    settle(null)
  }

  /** Whether there is, or can be made, room for one more of this line. */
  function makeRoom(line: readonly Settle[]): boolean {
    if (line.length >= waitingPerCallerMax) return false
    if (waiting < waitingMax) return true
    const [longest, others] = [...lines].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    )
    if (others.length <= line.length + 1) return false
    drop(longest, others.at(-1) as Settle)
    return true
  }

  return {
    held: () => inside,
    enter(caller) {
      if (inside < max) {
        inside += 1
        return Promise.resolve(leaveOnce())
      }
      const key = caller === null ? '' : callerKey(caller)
      const line = lines.get(key) ?? []
      if (!makeRoom(line)) return Promise.resolve(null)
      return new Promise((resolve) => {
        const settle: Settle = (leave) => {
          clearTimeout(timer)
          resolve(leave)
        }
        const timer = setTimeout(() => drop(key, settle), waitMsMax)
        line.push(settle)
        lines.set(key, line)
        waiting += 1
      })
    },
  }
}
