/** How fast a node answers, learned: a moving mean that follows in about ten replies, and what the score makes of it. */
interface LatencyMean {
  readonly record: (ms: number) => void
  /** The mean in milliseconds; null before the first reply. */
  readonly meanMs: () => number | null
}

const weightOfNewest = 0.1
/** Nothing is waited for so long: a longer time holds a sleep of the machine. */
const latencyMsMax = 10_000

export function createLatencyMean(): LatencyMean {
  let mean: number | null = null
  return {
    record(measuredMs) {
      const ms = Math.min(measuredMs, latencyMsMax)
      mean = mean === null ? ms : mean + (ms - mean) * weightOfNewest
    },
    meanMs: () => mean,
  }
}

/**
 * Low is better. Latencies within a factor of about 1.4 score the same, so that chance and not noise decides between nodes
 * that are alike. A node not heard yet scores as a fast one: it has to be tried to be known.
 */
export function scoreOf(meanMs: number | null): number {
  return meanMs === null ? 0 : Math.max(0, Math.round(Math.log2(Math.max(meanMs, 1)) * 2))
}
