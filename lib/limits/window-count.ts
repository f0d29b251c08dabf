import { callerKey, networkKey } from '#rpc-proxy'

/** Counts events per caller in fixed windows. */
export interface WindowCount {
  /** Counts one event. Returns the window's counts for this caller (null: not told apart), its IPv6 /48, and all. */
  readonly count: (caller: string | null) => Counted
}

export interface Counted {
  readonly own: number | null
  /** Null for IPv4. */
  readonly network: number | null
  readonly all: number
}

/** An IPv6 /48 may do as much as this many callers: one network must not fill what is remembered of all. */
const networkCallersMax = 8

/** Whether a caller has done too much, or its network; where callers cannot be told apart, all of them. */
export function isOver(
  { own, network, all }: Counted,
  { perCallerMax, perSiteMax }: { readonly perCallerMax: number; readonly perSiteMax: number },
): boolean {
  if (own === null) return all > perSiteMax
  return own > perCallerMax || (network ?? 0) > perCallerMax * networkCallersMax
}

/** Callers and networks counted individually per window. The rest only count towards all. */
const callersMax = 10_000

/**
 * For limits on how often something may happen, such as a wrong token: it counts, and the code that calls it decides. A window begins with the
 * first event after the last window's end, for all callers at once, so a caller can have twice its number around a boundary. That is
 * enough against guessing, and needs one number per caller instead of a bucket with a time.
 *
 * An event counts three times: for its caller, for its IPv6 /48 (one customer may have 65,536 callers), and for all. The number of
 * callers that are remembered is bounded; those beyond it count towards all, whose limit then holds for them.
 *
 * @example
 * const wrongTokens = createWindowCount(60_000, Date.now)
 * const { own, network, all } = wrongTokens.count(address)
 */
export function createWindowCount(windowMs: number, now: () => number): WindowCount {
  let startMs = Number.NEGATIVE_INFINITY
  let all = 0
  let byCaller = new Map<string, number>()

  /** Null when the table is full. */
  function countOf(key: string): number | null {
    if (byCaller.size >= callersMax && !byCaller.has(key)) return null
    const count = (byCaller.get(key) ?? 0) + 1
    byCaller.set(key, count)
    return count
  }

  return {
    count(caller) {
      if (now() - startMs >= windowMs) {
        startMs = now()
        all = 0
        byCaller = new Map()
      }
      all += 1
      const key = caller === null ? null : callerKey(caller)
      const own = key === null ? null : countOf(key)
      const shared = key === null ? null : networkKey(key)
      return { own, network: shared === null ? null : countOf(shared), all }
    },
  }
}
