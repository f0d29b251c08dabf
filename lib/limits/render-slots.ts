import { Abort, callerKey, createFairSlots, RoundCallers } from '#rpc-proxy'
import type { hostLimits } from './host-limits.ts'

type RenderLimits = Readonly<Record<keyof typeof hostLimits.renders, number>>

/** Limits concurrent renders: the engine's fair slots, for as long as a page may wait. `release` may be called more than once. */
export function createRenderSlots({ waitMsMax, ...options }: RenderLimits) {
  const { acquire, release, inFlight } = createFairSlots(options)
  return {
    /** Renders in progress. */
    inFlight,
    /** Fulfils with `release` on this caller's turn; with null when the queue is full or the wait took too long. */
    async acquire(caller: string | null): Promise<(() => void) | null> {
      const wait = new Abort()
      const granted = acquire(wait, new RoundCallers(caller === null ? null : callerKey(caller)))
      const timer = granted === true ? undefined : setTimeout(() => wait.abort(), waitMsMax)
      const isGranted = await granted
      clearTimeout(timer)
      if (!isGranted) return null
      let isRendering = true
      return () => {
        if (isRendering) release()
        isRendering = false
      }
    },
  }
}
