import { at, type Breaker, closed, failed, succeeded } from './breaker.ts'

/**
 * Methods at whose calls a node failed lately while others answered them. Anybody can make such calls, so this decides its place
 * in the order for that method and nothing else: it is no fault, and no node is ever excluded for it.
 */
export interface Deprioritized {
  readonly failed: (method: string) => void
  readonly answered: (method: string) => void
  /** It limits our rate there, for so long. */
  readonly limited: (method: string, retryAfterMs?: number) => void
  readonly has: (method: string) => boolean
}

/** Failures in a row, by different calls; the first time, and each further one is twice as long up to the last. */
const limits = { faultsMax: 2, backoffMs: 5_000, backoffMsMax: 60_000 }

export function createDeprioritized(now: () => number): Deprioritized {
  const breakers = new Map<string, Breaker>()
  const limitedUntilMs = new Map<string, number>()
  const breakerOf = (method: string) => at(breakers.get(method) ?? closed, now())

  return {
    failed(method) {
      breakers.set(method, failed(breakerOf(method), now(), limits))
    },
    answered(method) {
      const breaker = breakers.has(method) ? succeeded(breakerOf(method), now(), limits) : closed
      if (breaker === closed) breakers.delete(method)
      else breakers.set(method, breaker)
    },
    limited(method, retryAfterMs = 1000) {
      limitedUntilMs.set(method, now() + Math.min(retryAfterMs, limits.backoffMsMax))
    },
    has(method) {
      if (breakers.size === 0 && limitedUntilMs.size === 0) return false
      return breakerOf(method).state === 'open' || now() < (limitedUntilMs.get(method) ?? 0)
    },
  }
}

/** What a node said that it does not have: methods, and state that it has pruned. Each is remembered for a while. */
export interface Unsupported {
  /** It does not serve this method. */
  readonly method: (method: string) => void
  /** It has pruned what this method reads at this block, and at those before it. */
  readonly pruned: (method: string, block: number) => void
  readonly serves: (method: string, block: number | null) => boolean
  /** The highest block that it has pruned for this method; null where it has said of none. */
  readonly prunedUpTo: (method: string) => number | null
}

const rememberedMs = 600_000

export function createUnsupported(now: () => number): Unsupported {
  const methods = new Map<string, number>()
  /** The highest block at which a method found nothing any more. */
  const floors = new Map<string, { readonly block: number; readonly untilMs: number }>()
  const floorOf = (method: string): number | null => {
    const floor = floors.get(method)
    return floor !== undefined && now() < floor.untilMs ? floor.block : null
  }

  return {
    method(method) {
      methods.set(method, now() + rememberedMs)
    },
    pruned(method, block) {
      const highest = Math.max(floorOf(method) ?? block, block)
      floors.set(method, { block: highest, untilMs: now() + rememberedMs })
    },
    prunedUpTo: floorOf,
    serves(method, block) {
      const floor = block === null ? null : floorOf(method)
      if (floor !== null && block !== null && block <= floor) return false
      const untilMs = methods.get(method)
      return untilMs === undefined || now() >= untilMs
    },
  }
}
