import type { Series } from '#rpc-proxy'
import { type HostLimit, hostLimits, type LimitCounts } from '../limits/host-limits.ts'
import { prefix } from '../public-names.ts'
import { Counter } from './counter.ts'

/** Metrics of the host's limits: how often each was met, and how much is held. */
export interface HostCounts extends LimitCounts {
  readonly series: () => readonly Series<number>[]
}

const names: readonly HostLimit[] = [
  ...(Object.keys(hostLimits) as (keyof typeof hostLimits)[]),
  'slowReaders',
  'socketMessages',
  'subscriptions',
  'pageBudget',
  'evidenceBudget',
]

/** `more` are metrics that are counted elsewhere. */
export function createHostCounts(more: () => readonly Series<number>[] = () => []): HostCounts {
  const met = new Counter('limits_met_total', 'limit', names.map(labelOf))
  const gauges = new Map<HostLimit, () => number>()
  return {
    met(limit) {
      met.add(labelOf(limit))
    },
    watch(limit, suppressed) {
      gauges.set(limit, suppressed)
    },
    series: () => [
      ...more(),
      ...met.series(),
      ...[...gauges].map(([limit, suppressed]) => ({
        name: `${prefix}_limit_used`,
        labels: { limit: labelOf(limit) },
        value: suppressed(),
      })),
    ],
  }
}

/** `openBodies` becomes `open_bodies`. */
const labelOf = (limit: HostLimit) => limit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
