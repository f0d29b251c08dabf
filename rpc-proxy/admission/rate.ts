import { type Bucket, fill, full, type Pace, waitMs } from './bucket.ts'
import { addressCharsMax, callerKey } from './caller.ts'

export interface RateOptions {
  readonly costPerMinute: number
  readonly siteCallsPerSecond: number | null
}

export interface Rate {
  /** Spends a call's cost; answers 0, or how many milliseconds to wait, having spent nothing. */
  readonly spend: (caller: string | null, cost: number, nowMs: number) => number
  /** Takes what so many of the cheapest calls cost, a minute's budget at most, though the caller may not have it. */
  readonly charge: (caller: string | null, calls: number, nowMs: number) => void
  /** Gives a cost back but for the least that a call costs; a bucket never holds more than a full one. */
  readonly refund: (caller: string | null, cost: number, nowMs: number) => void
  /** Takes this cost, though the caller may not have it. */
  readonly owe: (caller: string | null, cost: number, nowMs: number) => void
  /** How long this caller has to wait until anything may be spent; 0 for not at all. */
  readonly owes: (caller: string | null, nowMs: number) => number
}

/** Callers whose budgets are remembered; past them the one who has been away longest is forgotten. */
const callersMax = 10_000

/** The least that a call costs: whoever cannot pay this can be refused unread. */
const costMin = 0.1

/** Budgets by caller, in the order of the last visit. Handed in, so that a reload of the limits is no amnesty. */
export type Budgets = Map<string, Bucket>

/** A budget per caller and one for the site. A caller who is null cannot be told apart from others and has no budget. */
export function createRate(
  { costPerMinute, siteCallsPerSecond }: RateOptions,
  { budgets, nowMs: startMs }: { readonly budgets: Budgets; readonly nowMs: number },
): Rate {
  const own: Pace = { tokensMax: costPerMinute, perMs: costPerMinute / 60_000 }
  const shared: Pace | null =
    siteCallsPerSecond === null ? null : { tokensMax: siteCallsPerSecond, perMs: siteCallsPerSecond / 1000 }
  const site = shared === null ? null : full(shared, startMs)

  // Taking an IPv6 address apart costs more than all the rest of an admission, and most requests come from known callers.
  const keys = new Map<string, string>()
  const keyOf = (caller: string): string => {
    const known = keys.get(caller)
    if (known !== undefined) return known
    const key = callerKey(caller)
    if (keys.size >= callersMax) keys.clear()
    if (caller.length <= addressCharsMax) keys.set(caller, key)
    return key
  }

  const bucketOf = (caller: string, nowMs: number): Bucket => {
    const key = keyOf(caller)
    const bucket = budgets.get(key) ?? full(own, nowMs)
    fill(bucket, own, nowMs)
    budgets.delete(key)
    budgets.set(key, bucket)
    const [oldest] = budgets.keys()
    if (budgets.size > callersMax && oldest !== undefined) budgets.delete(oldest)
    return bucket
  }

  return {
    spend(caller, cost, nowMs) {
      const bucket = caller === null ? null : bucketOf(caller, nowMs)
      const ownMs = bucket === null ? 0 : waitMs(bucket, cost, own)
      if (ownMs > 0) return ownMs
      if (site !== null && shared !== null) {
        fill(site, shared, nowMs)
        const siteMs = waitMs(site, 1, shared)
        if (siteMs > 0) return siteMs
        site.tokens -= 1
      }
      if (bucket !== null) bucket.tokens -= cost
      return 0
    },
    charge(caller, calls, nowMs) {
      if (caller !== null) bucketOf(caller, nowMs).tokens -= Math.min(calls * costMin, costPerMinute)
    },
    refund(caller, cost, nowMs) {
      if (caller === null || cost <= costMin) return
      const bucket = bucketOf(caller, nowMs)
      bucket.tokens = Math.min(own.tokensMax, bucket.tokens + cost - costMin)
    },
    owe(caller, cost, nowMs) {
      if (caller !== null) bucketOf(caller, nowMs).tokens -= cost
    },
    owes: (caller, nowMs) => (caller === null ? 0 : waitMs(bucketOf(caller, nowMs), costMin, own)),
  }
}
