/** Periods that the operator's page offers, milliseconds. */
export const timeRanges = { '15m': 900_000, '1h': 3_600_000, '6h': 21_600_000, '24h': 86_400_000 } as const
export type TimeRangeName = keyof typeof timeRanges

/** The period shown: a moving one up to now, or a fixed one from a link. Epoch milliseconds. */
export type TimeRange = { readonly last: TimeRangeName } | { readonly fromMs: number; readonly toMs: number }

const usual: TimeRange = { last: '15m' }
/** Shorter periods would be a single step. */
const msMin = 60_000
const msMax = timeRanges['24h']
const chartMsMin = 180_000

/** Parses a page's query: `last=1h`, or `from` and `to` in epoch milliseconds. The last 15 minutes when it is invalid. */
export function timeRangeFrom({ last, from, to }: Readonly<Record<string, unknown>>): TimeRange {
  if (typeof last === 'string' && Object.hasOwn(timeRanges, last)) return { last: last as TimeRangeName }
  if (![from, to].every((ms) => typeof ms === 'string' && /^\d{1,15}$/.test(ms))) return usual
  const ms = Number(to) - Number(from)
  return ms < msMin || ms > msMax ? usual : { fromMs: Number(from), toMs: Number(to) }
}

/** There are no figures before `sinceMs`, so a moving time range begins there, but is never shorter than `chartMsMin`. */
export function boundsOf(
  timeRange: TimeRange,
  nowMs: number,
  sinceMs = 0,
): { readonly fromMs: number; readonly toMs: number } {
  if (!('last' in timeRange)) return timeRange
  const toMs = Math.floor(nowMs)
  const startMs = Math.min(Math.floor(sinceMs), toMs - chartMsMin)
  return { fromMs: Math.max(toMs - timeRanges[timeRange.last], startMs), toMs }
}

/** The inverse of `timeRangeFrom`. */
export function timeRangeQuery(timeRange: TimeRange): string {
  return 'last' in timeRange ? `last=${timeRange.last}` : `from=${timeRange.fromMs}&to=${timeRange.toMs}`
}

/** The adjacent period of the same length, fixed; null when it is in the future. */
export function shift(timeRange: TimeRange, direction: -1 | 1, nowMs: number): TimeRange | null {
  const { fromMs, toMs } = boundsOf(timeRange, nowMs)
  const ms = toMs - fromMs
  if (direction === 1 && toMs >= Math.floor(nowMs)) return null
  const end = Math.min(Math.floor(nowMs), toMs + direction * ms)
  return { fromMs: end - ms, toMs: end }
}

/** The part of a period between two shares of it, in any order; at least a minute long. */
export function zoom(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  from: number,
  to: number,
): TimeRange {
  const at = (share: number) => Math.round(fromMs + Math.min(1, Math.max(0, share)) * (toMs - fromMs))
  const [start, end] = [at(Math.min(from, to)), at(Math.max(from, to))]
  if (end - start >= msMin) return { fromMs: start, toMs: end }
  const middle = Math.round((start + end) / 2)
  return { fromMs: middle - msMin / 2, toMs: middle + msMin / 2 }
}
