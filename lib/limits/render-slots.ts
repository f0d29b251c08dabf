import { Abort, callerKey, createFairSlots, RoundCallers } from '#rpc-proxy'

export interface RenderSlotsOptions {
  /** Concurrent renders. */
  readonly max: number
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
  readonly waitMsMax: number
}

export interface RenderSlots {
  /** Fulfils with `leave` on this caller's turn; with null when the queue is full or the wait took too long. */
  readonly take: (caller: string | null) => Promise<(() => void) | null>
  /** Renders in progress. */
  readonly inFlight: () => number
}

/** Limits concurrent renders: the engine's fair slots, for as long as a page may wait. `leave` may be called more than once. */
export function createRenderSlots({ waitMsMax, ...options }: RenderSlotsOptions): RenderSlots {
  const { take, leave, inFlight } = createFairSlots(options)
  return {
    inFlight,
    async take(caller) {
      const wait = new Abort()
      const taking = take(wait, new RoundCallers(caller === null ? null : callerKey(caller)))
      const timer = taking === true ? undefined : setTimeout(() => wait.abort(), waitMsMax)
      const isGranted = await taking
      clearTimeout(timer)
      if (!isGranted) return null
      let isRendering = true
      return () => {
        if (isRendering) leave()
        isRendering = false
      }
    },
  }
}
