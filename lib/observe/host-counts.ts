import type { Series } from '#rpc-proxy'
import { type HostLimit, hostLimits } from '../limits.ts'
import { prefix } from '../names.ts'

/** Metrics of the host's limits: how often each was met, and how much is held. */
export interface HostCounts {
  readonly met: (limit: HostLimit) => void
  /** Registers a gauge. */
  readonly watch: (limit: HostLimit, held: () => number) => void
  readonly series: () => readonly Series<number>[]
}

const names: readonly HostLimit[] = [
  ...(Object.keys(hostLimits) as (keyof typeof hostLimits)[]),
  'slowReaders',
  'pageBudget',
]

export function createHostCounts(): HostCounts {
  const counts = new Map<HostLimit, number>(names.map((name) => [name, 0]))
  const gauges = new Map<HostLimit, () => number>()
  return {
    met(limit) {
      counts.set(limit, (counts.get(limit) ?? 0) + 1)
    },
    watch(limit, held) {
      gauges.set(limit, held)
    },
    series: () => [
      ...[...counts].map(([limit, value]) => ({
        name: `${prefix}_limits_met_total`,
        labels: { limit: labelOf(limit) },
        value,
      })),
      ...[...gauges].map(([limit, held]) => ({
        name: `${prefix}_held`,
        labels: { limit: labelOf(limit) },
        value: held(),
      })),
    ],
  }
}

/** `openBodies` becomes `open_bodies`. */
const labelOf = (limit: HostLimit) => limit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
