import type { NodeSnapshot } from './snapshot-types.ts'

/** The last round trips of one node: enough for a p99 that follows the node within minutes. */
export interface LatencyWindow {
  readonly observe: (ms: number) => void
  /** Nearest-rank percentiles; null before the first round trip. */
  readonly read: () => NodeSnapshot['latency']
}

export function createLatencyWindow({
  samplesMax = 256,
}: {
  readonly samplesMax?: number
} = {}): LatencyWindow {
  const samples = new Float64Array(samplesMax)
  let count = 0
  return {
    observe(ms) {
      samples[count % samplesMax] = ms
      count += 1
    },
    read() {
      if (count === 0) return null
      const sorted = samples.slice(0, Math.min(count, samplesMax)).sort()
      const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] as number
      return { p50Ms: rank(0.5), p95Ms: rank(0.95), p99Ms: rank(0.99) }
    },
  }
}
