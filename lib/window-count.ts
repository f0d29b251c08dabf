import { callerKey } from '#rpc-proxy'

/** Counts events of callers in windows of a fixed length. */
export interface WindowCount {
  /** Counts one more; how many there are in this window of this caller (null: callers cannot be told apart) and of all. */
  readonly count: (caller: string | null) => { readonly own: number | null; readonly all: number }
}

/** Callers that are told apart in a window; the rest count among all. */
const callersMax = 10_000

export function createWindowCount(windowMs: number, now: () => number): WindowCount {
  let startMs = Number.NEGATIVE_INFINITY
  let all = 0
  let byCaller = new Map<string, number>()
  return {
    count(caller) {
      if (now() - startMs >= windowMs) {
        startMs = now()
        all = 0
        byCaller = new Map()
      }
      all += 1
      const key = caller === null ? null : callerKey(caller)
      if (key === null || (byCaller.size >= callersMax && !byCaller.has(key))) return { own: null, all }
      const own = (byCaller.get(key) ?? 0) + 1
      byCaller.set(key, own)
      return { own, all }
    },
  }
}
