import type { LoadResult, Sample } from './open-loop.ts'

/** What one run came to; times in milliseconds, from when each request was due. */
export interface Run {
  readonly name: string
  readonly perSecondWanted: number | null
  readonly sent: number
  readonly good: number
  /** Good answers a second, while requests were due. */
  readonly perSecond: number
  readonly latencyMs: Percentiles
  /** Of 429 and 503 alone: how long a caller waited to be refused. */
  readonly refusedMs: Percentiles
  /** From when a request was due until the load generator sent it, which is in the other times too: its own slowness. */
  readonly unsentMs: Percentiles
  readonly caches: Readonly<Record<string, number>>
  readonly errors: Readonly<Record<string, number>>
  /** Requests to nodes that one call caused, where the metrics could be read. */
  readonly requestsPerCall: number | null
  /** MiB that the gateway had in memory at most, beyond those before the run, where its process id was given. */
  readonly moreMb?: number
}

/** Null where there was nothing to measure. */
export type Percentiles = Readonly<Record<'p50' | 'p90' | 'p99' | 'p999' | 'max', number | null>>

export interface Report {
  readonly version: 1
  readonly scenario: string
  readonly urls: readonly string[]
  readonly startedAt: string
  readonly seed: number
  readonly runs: readonly Run[]
}

export function runOf(
  name: string,
  result: LoadResult,
  perSecondWanted: number,
  requestsPerCall: number | null,
): Run {
  const { sent, samples, latenciesMs, errors, caches } = result
  const isRefused = ({ error }: Sample) => /^HTTP (429|503)/.test(error ?? '')
  const dueS = samples.reduce((latest, { dueMs }) => Math.max(latest, dueMs), 0) / 1000 || result.seconds
  return {
    name,
    perSecondWanted: Number.isFinite(perSecondWanted) ? perSecondWanted : null,
    sent,
    good: latenciesMs.length,
    perSecond: round(latenciesMs.length / dueS),
    latencyMs: percentiles(latenciesMs),
    refusedMs: percentiles(sorted(samples.filter(isRefused))),
    unsentMs: percentiles(samples.map(({ unsentMs }) => unsentMs).sort((one, other) => one - other)),
    caches,
    errors,
    requestsPerCall: requestsPerCall === null ? null : round(requestsPerCall),
  }
}

function sorted(samples: readonly Sample[]): number[] {
  return samples.map(({ ms }) => ms).sort((one, other) => one - other)
}

export function percentiles(sortedMs: readonly number[]): Percentiles {
  const at = (share: number) => {
    const ms = sortedMs[Math.ceil(sortedMs.length * share) - 1]
    return ms === undefined ? null : round(ms)
  }
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) }
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Overload by its three limits: what is still answered, how slow that is, and how soon the rest is refused. */
export function judgeOverload(
  peak: Run,
  overload: Run,
): { readonly text: string; readonly holds: boolean }[] {
  const goodput = overload.perSecond / peak.perSecond
  const slower = (overload.latencyMs.p99 ?? Number.POSITIVE_INFINITY) / (peak.latencyMs.p99 ?? 1)
  const refused = overload.refusedMs.p99
  return [
    { text: `goodput ${(100 * goodput).toFixed(0)} % of the peak (>= 90 %)`, holds: goodput >= 0.9 },
    { text: `accepted p99 ${slower.toFixed(2)} times that at the peak (<= 1.5)`, holds: slower <= 1.5 },
    { text: `refused p99 ${refused ?? 'none'} ms (<= 50)`, holds: (refused ?? 0) <= 50 },
  ]
}
