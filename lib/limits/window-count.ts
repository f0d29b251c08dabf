import { callerKey, networkKey } from '#rpc-proxy'

/** Counts events per caller in fixed windows. */
export interface WindowCount {
  /** Counts one event. */
  readonly count: (caller: string | null) => Counted
}

interface Counted {
  /** Whether this caller has done too much, or its IPv6 /48; where callers cannot be told apart, all of them. */
  readonly isOver: boolean
  /** The events of all in this window. */
  readonly all: number
}

interface WindowLimits {
  readonly windowMs: number
  readonly perCallerMax: number
  readonly perSiteMax: number
}

/** An IPv6 /48 may do as much as this many callers: one network must not fill what is remembered of all. */
const networkCallersMax = 8

/** Callers and networks counted individually per window. The rest only count towards all. */
const callersMax = 10_000

/**
 * For limits on how often something may happen, such as a wrong token. A window begins with the first event after the last window's end, for
 * all callers at once, so a caller can have twice its number around a boundary. That is enough against guessing, and needs one number per
 * caller instead of a bucket with a time.
 *
 * An event counts three times: for its caller, for its IPv6 /48 (one customer may have 65,536 callers), and for all. The number of
 * callers that are remembered is bounded; those beyond it count towards all, whose limit then holds for them. A network above its limit
 * adds none.
 *
 * `now` must be monotonic: if the clock is set back by an hour, a window lasts an hour longer.
 *
 * @example
 * const lookUps = createWindowCount({ windowMs: 60_000, perCallerMax: 60, perSiteMax: 600 }, () => performance.now())
 * if (lookUps.count(address).isOver) return busy
 */
export function createWindowCount(
  { windowMs, perCallerMax, perSiteMax }: WindowLimits,
  now: () => number,
): WindowCount {
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

  function isOver(caller: string | null): boolean {
    const key = caller === null ? null : callerKey(caller)
    const network = key === null ? null : networkKey(key)
    if (network !== null && (countOf(network) ?? 0) > perCallerMax * networkCallersMax) return true
    const own = key === null ? null : countOf(key)
    return own === null ? all > perSiteMax : own > perCallerMax
  }

  return {
    count(caller) {
      if (now() - startMs >= windowMs) {
        startMs = now()
        all = 0
        byCaller = new Map()
      }
      all += 1
      return { isOver: isOver(caller), all }
    },
  }
}
