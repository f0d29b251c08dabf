import QuickLRU from 'quick-lru'
import type { Config } from '../config/config-types.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Bucket, fill, full, type Pace, waitMs } from '../runtime/token-bucket.ts'
import { isNetwork, networkKey } from './caller.ts'

export type RateOptions = Pick<NonNullable<Config['rate']>, 'costPerMinute' | 'siteCallsPerSecond'>

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

interface RatePorts {
  readonly clock: Pick<Clock, 'now'>
  /** Null: callers have no budget, but for those whose key has one. */
  readonly options: () => RateOptions | null
  /** The pace of a caller whose key has one; null for any other. */
  readonly paceOf: (key: string) => Pace | null
  /** Told of all that is spent or given back here. */
  readonly onSpent: (key: string, cost: number) => void
}

/**
 * A budget per caller and one for the site, kept when the options change. `caller` is a key, as `callerKey` makes it; one who is null
 * cannot be told apart from others and has no budget.
 */
export function createRate({ clock, options, paceOf, onSpent }: RatePorts) {
  const budgets = new QuickLRU<string, Bucket>({ maxSize: callersMax })

  function usualPace(key: string): Pace | null {
    const rate = options()
    if (rate === null) return null
    const { costPerMinute, siteCallsPerSecond: perSecond } = rate
    if (key === siteKey) return perSecond === null ? null : { tokensMax: perSecond, perMs: perSecond / 1000 }
    const callers = isNetwork(key) ? networkCallers : 1
    // A third of a minute's may be spent at once.
    return { tokensMax: (callers * costPerMinute) / 3, perMs: (callers * costPerMinute) / 60_000 }
  }

  const accountOf = (key: string): Account | null => {
    const pace = paceOf(key) ?? usualPace(key)
    if (pace === null) return null
    const nowMs = clock.now()
    const known = budgets.get(key)
    const bucket = known ?? full(pace, nowMs)
    if (known === undefined) budgets.set(key, bucket)
    fill(bucket, pace, nowMs)
    return { key, bucket, pace }
  }

  /** The caller's own budget, and that of its network where it is one of many addresses. */
  const accountsOf = (caller: string | null): readonly Account[] => {
    const account = caller === null ? null : accountOf(caller)
    if (account === null) return []
    const network = networkKey(account.key)
    const ofNetwork = network === null ? null : accountOf(network)
    return ofNetwork === null ? [account] : [account, ofNetwork]
  }

  const takeFrom = ({ bucket, pace }: Account, cost: number) => {
    bucket.tokens = Math.min(pace.tokensMax, bucket.tokens - cost)
  }

  const spendFrom = (accounts: readonly Account[], cost: number) => {
    for (const account of accounts) {
      takeFrom(account, cost)
      onSpent(account.key, cost)
    }
  }

  const longestMs = (accounts: readonly Account[], cost: number) =>
    accounts.reduce((ms, { bucket, pace }) => Math.max(ms, waitMs(bucket, cost, pace)), 0)

  return {
    /** Spends the cost of a call, or of other work for this caller; answers 0, or how many milliseconds to wait, having spent nothing. */
    spend(cost: number, caller: string | null): number {
      const accounts = accountsOf(caller)
      const ownMs = longestMs(accounts, cost)
      if (ownMs > 0) return ownMs
      const site = accountOf(siteKey)
      if (site !== null) {
        const siteMs = waitMs(site.bucket, 1, site.pace)
        if (siteMs > 0) return siteMs
        spendFrom([site], 1)
      }
      spendFrom(accounts, cost)
      return 0
    },
    /**
     * Calls that were refused for what they are, alone or as a whole batch, cost their caller what as many of the cheapest do, a
     * minute's budget at most. They have been read by now, so that what the caller cannot pay is owed.
     */
    refused: (calls: number, caller: string | null) =>
      spendFrom(
        accountsOf(caller),
        Math.min(calls * costMin, options()?.costPerMinute ?? Number.POSITIVE_INFINITY),
      ),
    /** A call of this cost was answered without asking a node: all but the least cost goes back, into a bucket that may be full. */
    refund(cost: number, caller: string | null): void {
      if (cost > costMin) spendFrom(accountsOf(caller), costMin - cost)
    },
    /** Work that showed its cost only when it was done; what the caller cannot pay is owed. */
    done: (cost: number, caller: string | null) => spendFrom(accountsOf(caller), cost),
    /** Takes what was spent at another engine that shares these budgets; a negative cost gives back. */
    spentElsewhere(key: string, cost: number): void {
      const account = accountOf(key)
      if (account !== null) takeFrom(account, cost)
    },
    /** How long this caller has to wait until anything may be spent; 0 for not at all. */
    owes: (caller: string | null): number => longestMs(accountsOf(caller), costMin),
  }
}
