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

interface AvoidedOptions {
  /** Failures in a row, by different calls. */
  readonly failuresMax?: number
  /** The first time; each further one is twice as long, up to `avoidMsMax`. */
  readonly avoidMs?: number
  readonly avoidMsMax?: number
}

export function createDeprioritized(
  now: () => number,
  { failuresMax = 2, avoidMs = 5_000, avoidMsMax = 60_000 }: AvoidedOptions = {},
): Deprioritized {
  const limits = { faultsMax: failuresMax, backoffMs: avoidMs, backoffMsMax: avoidMsMax }
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
      limitedUntilMs.set(method, now() + Math.min(retryAfterMs, avoidMsMax))
    },
    has(method) {
      if (breakers.size === 0 && limitedUntilMs.size === 0) return false
      return breakerOf(method).state === 'open' || now() < (limitedUntilMs.get(method) ?? 0)
    },
  }
}
