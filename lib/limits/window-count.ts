import { callerKey, networkKey } from '#rpc-proxy'

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
 * For limits on how often something may happen, such as a wrong token. Windows are the same for all callers, so that each is one number: a
 * caller can have twice its number around a boundary. Callers beyond those that are remembered count towards all. `now` must be monotonic.
 *
 * @example
 * const lookUps = createWindowCount({ windowMs: 60_000, perCallerMax: 60, perSiteMax: 600 }, () => performance.now())
 * if (lookUps.count(address).isOver) return busy
 */
export function createWindowCount({ windowMs, perCallerMax, perSiteMax }: WindowLimits, now: () => number) {
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
    /**
     * Counts one event. `isOver`: this caller has done too much, or its IPv6 /48; where callers cannot be told apart, all of them. `all` are the
     * events in this window.
     */
    count(caller: string | null) {
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
