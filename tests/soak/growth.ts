import type { Held } from './host.ts'

/** Resources of the host at one moment, and the size of its answer records by its own accounting. */
export interface Sample extends Held {
  readonly atMs: number
  readonly cacheBytes: number
}

/** Bytes of live heap per accounted byte of stored answers. */
export function heapPerCached(before: Sample, after: Sample): number {
  return (after.heapBytes - before.heapBytes) / Math.max(1, after.cacheBytes - before.cacheBytes)
}

/**
 * Growth of the live heap in megabytes a minute, without stored answers. They keep filling up to their bound for minutes,
 * which would hide a leak.
 */
export function heapGrowth(samples: readonly Sample[], perCached: number): number {
  return slope(samples.map(({ atMs, heapBytes, cacheBytes }) => [atMs, heapBytes - perCached * cacheBytes]))
}

export function rssGrowth(samples: readonly Sample[], perCached: number): number {
  return slope(samples.map(({ atMs, rssBytes, cacheBytes }) => [atMs, rssBytes - perCached * cacheBytes]))
}

/** The slope of the linear regression, in megabytes a minute. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (place: 0 | 1) => points.reduce((sum, point) => sum + point[place], 0) / points.length
  const [atMean, bytesMean] = [mean(0), mean(1)]
  const above = points.reduce((sum, [at, bytes]) => sum + (at - atMean) * (bytes - bytesMean), 0)
  const below = points.reduce((sum, [at]) => sum + (at - atMean) ** 2, 0)
  return ((above / below) * 60_000) / 1024 ** 2
}
