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

/** Callers and networks counted individually per window. The rest only count towards all. */
const callersMax = 10_000

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
