import type { Histogram } from './snapshot-types.ts'

/** Seconds, as OpenTelemetry's semantic conventions advise for the duration of RPC calls. */
export const secondsBounds = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const

/** Requests to nodes that one call caused: none for what was known, two or three for a healthy quorum. */
export const requestsBounds = [0, 1, 2, 3, 4, 6, 8, 12, 16] as const

/** A histogram that grows: `counts[i]` holds what fell between the bounds, the last what is beyond all. */
export interface Buckets {
  readonly observe: (value: number) => void
  readonly count: () => number
  /** As the metrics page has it: cumulative. */
  readonly read: () => Histogram
}

export function createBuckets(bounds: readonly number[]): Buckets {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  let count = 0
  return {
    observe(value) {
      let index = 0
      while (index < bounds.length && value > (bounds[index] as number)) index += 1
      counts[index] = (counts[index] as number) + 1
      sum += value
      count += 1
    },
    count: () => count,
    read() {
      let running = 0
      const cumulative = Array.from(counts, (own) => {
        running += own
        return running
      })
      return { bounds, counts: cumulative, sum, count }
    },
  }
}
