import type { Held } from './host.ts'

/** What the host held at one moment, and what its memory of answers weighed by its own account. */
export interface Sample extends Held {
  readonly atMs: number
  readonly cacheBytes: number
}

/** Bytes of live heap that one accounted byte of remembered answers takes. */
export function heapPerCached(before: Sample, after: Sample): number {
  return (after.heapBytes - before.heapBytes) / Math.max(1, after.cacheBytes - before.cacheBytes)
}

/**
 * Growth of the live heap in megabytes a minute, remembered answers left out: they fill their bound and start anew, for
 * minutes on end, and no leak could be seen beside them.
 */
export function heapGrowth(samples: readonly Sample[], perCached: number): number {
  return slope(samples.map(({ atMs, heapBytes, cacheBytes }) => [atMs, heapBytes - perCached * cacheBytes]))
}

export function rssGrowth(samples: readonly Sample[], perCached: number): number {
  return slope(samples.map(({ atMs, rssBytes, cacheBytes }) => [atMs, rssBytes - perCached * cacheBytes]))
}

/** The straight line through the points, in megabytes a minute. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (place: 0 | 1) => points.reduce((sum, point) => sum + point[place], 0) / points.length
  const [atMean, bytesMean] = [mean(0), mean(1)]
  const above = points.reduce((sum, [at, bytes]) => sum + (at - atMean) * (bytes - bytesMean), 0)
  const below = points.reduce((sum, [at]) => sum + (at - atMean) ** 2, 0)
  return ((above / below) * 60_000) / 1024 ** 2
}
