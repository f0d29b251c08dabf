import type { Series } from '#rpc-proxy'
import { type HostLimit, hostLimits, type LimitCounts } from '../limits/host-limits.ts'
import { prefix } from '../public-names.ts'

/** The host's own metrics, beside those of the engine's snapshot; its limits among them. Names here are without the prefix. */
export interface HostCounts extends LimitCounts {
  /** Registers a counter with one label, and returns what counts. Labels in `from` are reported as 0 before they are counted. */
  readonly counter: <Label extends string>(
    name: string,
    label: string,
    from?: readonly Label[],
  ) => (label: Label) => void
  /** Registers what is read whenever metrics are. */
  readonly gauge: (name: string, read: () => number, labels?: Series<number>['labels']) => void
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

export function createHostCounts(): HostCounts {
  const registered = new Map<string, () => readonly Series<number>[]>()
  const counter: HostCounts['counter'] = (name, label, from = []) => {
    const counts = new Map<string, number>(from.map((each) => [each, 0]))
    registered.set(name, () =>
      [...counts].map(([each, value]) => ({ name: `${prefix}_${name}`, labels: { [label]: each }, value })),
    )
    return (each) => void counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  const gauge: HostCounts['gauge'] = (name, read, labels = {}) =>
    void registered.set(`${name} ${JSON.stringify(labels)}`, () => [
      { name: `${prefix}_${name}`, labels, value: read() },
    ])
  const met = counter('limits_met_total', 'limit', names.map(labelOf))
  return {
    counter,
    gauge,
    met: (limit) => met(labelOf(limit)),
    watch: (limit, used) => gauge('limit_used', used, { limit: labelOf(limit) }),
    series: () => [...registered.values()].flatMap((read) => read()),
  }
}

/** `openBodies` becomes `open_bodies`. */
const labelOf = (limit: HostLimit) => limit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
