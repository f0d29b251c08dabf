import QuickLRU from 'quick-lru'
import { type Bucket, fill, full, type Pace, waitMs } from '../runtime/token-bucket.ts'
import { isNetwork, networkKey } from './caller.ts'

export interface RateOptions {
  /** Null: callers have no budget, but for those whose key has one. */
  readonly costPerMinute: number | null
  readonly siteCallsPerSecond: number | null
}

export interface Rate {
  /** `caller` is a key, as `callerKey` makes it. Spends a call's cost; answers 0, or how many milliseconds to wait, having spent nothing. */
  readonly spend: (caller: string | null, cost: number, nowMs: number) => number
  /** Takes the cost of this many cheapest calls, a minute's budget at most, though the caller may not have it. */
  readonly charge: (caller: string | null, calls: number, nowMs: number) => void
  /** Gives a cost back but for the least that a call costs; a bucket never holds more than a full one. */
  readonly refund: (caller: string | null, cost: number, nowMs: number) => void
  /** Takes this cost, though the caller may not have it. */
  readonly owe: (caller: string | null, cost: number, nowMs: number) => void
  /** Takes what was spent at another engine that shares these budgets; a negative cost gives back. */
  readonly spentElsewhere: (key: string, cost: number, nowMs: number) => void
  /** How long this caller has to wait until anything may be spent; 0 for not at all. */
  readonly owes: (caller: string | null, nowMs: number) => number
}

/** Budgets that are remembered at least; callers that have been away longest are forgotten and start with a full one. */
const callersMax = 10_000

/** The callers of one IPv6 /48 together may spend as much as this many of them. */
const networkCallers = 8

interface Account {
  readonly key: string
  readonly bucket: Bucket
  readonly pace: Pace
}

/** The cheapest call's cost: a caller that cannot pay it is refused before its body is read. */
export const costMin = 0.1

/** No caller's key has this form. */
const siteKey = ''

interface RateState {
  readonly budgets: Budgets
  readonly nowMs: number
  /** The pace of a caller whose key has one; null for any other. */
  readonly paceOf?: ((key: string) => Pace | null) | undefined
  /** Told of all that is spent or given back here. */
  readonly onSpent?: ((key: string, cost: number) => void) | undefined
}

/** Budgets by caller. Passed in, so that a reload of the limits does not reset them. */
export type Budgets = QuickLRU<string, Bucket>

export function createBudgets(): Budgets {
  return new QuickLRU({ maxSize: callersMax })
}

/** A budget per caller and one for the site. A caller who is null cannot be told apart from others and has no budget. */
export function createRate(
  { costPerMinute, siteCallsPerSecond }: RateOptions,
  { budgets, nowMs: startMs, paceOf = () => null, onSpent = () => {} }: RateState,
): Rate {
  // A third of a minute's may be spent at once.
  const own: Pace | null =
    costPerMinute === null
      ? null
      : {
          tokensMax: costPerMinute / 3,
          perMs: costPerMinute / 60_000,
        }
  const wide: Pace | null = own && {
    tokensMax: own.tokensMax * networkCallers,
    perMs: own.perMs * networkCallers,
  }
  const shared: Pace | null =
    siteCallsPerSecond === null ? null : { tokensMax: siteCallsPerSecond, perMs: siteCallsPerSecond / 1000 }
  const site = shared === null ? null : full(shared, startMs)

  const accountOf = (key: string, nowMs: number): Account | null => {
    const pace = paceOf(key) ?? (isNetwork(key) ? wide : own)
    if (pace === null) return null
    const known = budgets.get(key)
    const bucket = known ?? full(pace, nowMs)
    if (known === undefined) budgets.set(key, bucket)
    fill(bucket, pace, nowMs)
    return { key, bucket, pace }
  }

  const spendFrom = (accounts: readonly Account[], cost: number) => {
    for (const { key, bucket, pace } of accounts) {
      bucket.tokens = Math.min(pace.tokensMax, bucket.tokens - cost)
      onSpent(key, cost)
    }
  }

  /** The caller's own budget, and that of its network where it is one of many addresses. */
  const accountsOf = (caller: string | null, nowMs: number): readonly Account[] => {
    if (caller === null) return []
    const account = accountOf(caller, nowMs)
    if (account === null) return []
    const network = networkKey(caller)
    const shared = network === null ? null : accountOf(network, nowMs)
    return shared === null ? [account] : [account, shared]
  }

  const longestMs = (accounts: readonly Account[], cost: number) =>
    accounts.reduce((ms, { bucket, pace }) => Math.max(ms, waitMs(bucket, cost, pace)), 0)

  return {
    spend(caller, cost, nowMs) {
      const accounts = accountsOf(caller, nowMs)
      const ownMs = longestMs(accounts, cost)
      if (ownMs > 0) return ownMs
      if (site !== null && shared !== null) {
        fill(site, shared, nowMs)
        const siteMs = waitMs(site, 1, shared)
        if (siteMs > 0) return siteMs
        site.tokens -= 1
        onSpent(siteKey, 1)
      }
      spendFrom(accounts, cost)
      return 0
    },
    charge(caller, calls, nowMs) {
      spendFrom(
        accountsOf(caller, nowMs),
        Math.min(calls * costMin, costPerMinute ?? Number.POSITIVE_INFINITY),
      )
    },
    refund(caller, cost, nowMs) {
      if (cost > costMin) spendFrom(accountsOf(caller, nowMs), costMin - cost)
    },
    owe(caller, cost, nowMs) {
      spendFrom(accountsOf(caller, nowMs), cost)
    },
    spentElsewhere(key, cost, nowMs) {
      if (key === siteKey) {
        if (site !== null) site.tokens -= cost
        return
      }
      const account = accountOf(key, nowMs)
      if (account === null) return
      const { bucket, pace } = account
      bucket.tokens = Math.min(pace.tokensMax, bucket.tokens - cost)
    },
    owes: (caller, nowMs) => longestMs(accountsOf(caller, nowMs), costMin),
  }
}
