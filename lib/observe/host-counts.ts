import type { Series } from '#rpc-proxy'
import { hostLimits, type LimitCounts, otherLimits } from '../limits/host-limits.ts'
import { prefix } from '../public-names.ts'

export type HostCounts = ReturnType<typeof createHostCounts>

/** The host's own metrics, beside those of the engine's snapshot; its limits among them. Names here are without the prefix. */
export function createHostCounts() {
  const registered = new Map<string, () => readonly Series<number>[]>()
  /** Registers a counter with one label, and returns what counts. Labels in `from` are reported as 0 before they are counted. */
  function counter<Label extends string>(name: string, label: string, from: readonly Label[] = []) {
    const counts = new Map<Label, number>(from.map((each) => [each, 0]))
    registered.set(name, () =>
      [...counts].map(([each, value]) => ({ name: `${prefix}_${name}`, labels: { [label]: each }, value })),
    )
    return (each: Label) => void counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  /** Registers what is read whenever metrics are. */
  const gauge = (name: string, read: () => number, labels: Series<number>['labels'] = {}) =>
    void registered.set(`${name} ${JSON.stringify(labels)}`, () => [
      { name: `${prefix}_${name}`, labels, value: read() },
    ])
  const met = counter('limits_met_total', 'limit', [...Object.keys(hostLimits), ...otherLimits].map(labelOf))
  const limits: LimitCounts = {
    met: (limit) => met(labelOf(limit)),
    watch: (limit, used) => gauge('limit_used', used, { limit: labelOf(limit) }),
  }
  return {
    counter,
    gauge,
    ...limits,
    series: (): readonly Series<number>[] => [...registered.values()].flatMap((read) => read()),
  }
}

/** `openBodies` becomes `open_bodies`. */
const labelOf = (limit: string) => limit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
