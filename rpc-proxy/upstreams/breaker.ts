/** Whether a node is worth asking. `trying`: its rest is over, and the next head poll decides. */
export type Breaker =
  /** `attempt`: how often it has been open lately. `sinceMs`: its last fault, or when it was tried last. */
  | { readonly state: 'closed'; readonly faults: number; readonly attempt: number; readonly sinceMs: number }
  | { readonly state: 'open'; readonly untilMs: number; readonly attempt: number }
  | { readonly state: 'half-open'; readonly attempt: number }

interface BreakerOptions {
  /** Faults in a row that open it. */
  readonly faultsMax?: number
  /** The first rest; each further one is twice as long, up to `backoffMsMax`. */
  readonly backoffMs?: number
  readonly backoffMsMax?: number
}

export const closed: Breaker = { state: 'closed', faults: 0, attempt: 0, sinceMs: 0 }

/**
 * The breaker after a reply that was no fault. After reopening, one fault opens it again for twice as long; the first good reply resets its
 * faults, the second its backoff.
 */
export function succeeded(breaker: Breaker, nowMs: number, { faultsMax = 3 }: BreakerOptions = {}): Breaker {
  if (breaker.state !== 'closed')
    return { state: 'closed', faults: faultsMax - 1, attempt: breaker.attempt, sinceMs: nowMs }
  return breaker.faults === 0 ? closed : { ...breaker, faults: 0 }
}

/** The breaker after a good head poll of the node: it ends a try, but no rest, and says nothing of how calls fare. */
export function headSeen(breaker: Breaker, nowMs: number): Breaker {
  return breaker.state === 'half-open' ? succeeded(breaker, nowMs) : breaker
}

/** The breaker after a fault. */
export function failed(
  breaker: Breaker,
  nowMs: number,
  { faultsMax = 3, backoffMs = 1000, backoffMsMax = 60_000 }: BreakerOptions = {},
): Breaker {
  if (breaker.state === 'closed' && breaker.faults + 1 < faultsMax)
    return { ...breaker, faults: breaker.faults + 1, sinceMs: nowMs }
  // A fault that comes late, from a request before the rest began, tells nothing new.
  if (breaker.state === 'open') return breaker
  const attempt = breaker.attempt + 1
  return { state: 'open', untilMs: nowMs + Math.min(backoffMs * 2 ** (attempt - 1), backoffMsMax), attempt }
}

/** After so long without a fault there are none in a row, and the next rest is the first. */
const quietMs = 600_000

/** The breaker as time passes: a rest that is over becomes a try, and what is long past is forgotten. */
export function at(breaker: Breaker, nowMs: number): Breaker {
  if (breaker.state === 'open' && nowMs >= breaker.untilMs)
    return { state: 'half-open', attempt: breaker.attempt }
  return breaker.state === 'closed' && nowMs - breaker.sinceMs >= quietMs ? closed : breaker
}
