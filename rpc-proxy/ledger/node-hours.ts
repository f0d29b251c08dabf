import type { Purpose } from '../events/events.ts'
import type { UnitCount } from '../events/plan-types.ts'
import { prefix } from '../runtime/names.ts'
import { addTo, type CountsRow, hourMs, PeriodCounts } from '../runtime/period-counts.ts'
import { type FaultKind, faultKinds, isOwnFault } from '../wire/fault.ts'
import type { Histogram, Series } from './snapshot-types.ts'

/** Upper bounds of the time that a reply takes, milliseconds; what is slower comes after them. */
const replyBoundsMs = [25, 50, 100, 200, 400, 800, 1600, 3200, 6400] as const
/** Upper bounds of how long others have had a block that a node does not show when it is asked for its head. */
const delayBoundsMs = [0, 100, 250, 500, 1000, 2000, 4000, 8000, 16_000, 60_000] as const
/** Upper bounds of the blocks that it is behind the agreed head then. */
const behindBounds = [0, 1, 2, 3, 5, 10, 100] as const
/** Faults that count against a node. */
const nodeFaults = faultKinds.filter((kind) => !isOwnFault(kind))

const replyBounds = {
  head: replyBoundsMs,
  read: replyBoundsMs,
  'caller-controlled': replyBoundsMs,
  transaction: replyBoundsMs,
} as const satisfies Readonly<Record<Purpose, readonly number[]>>
const purposes = Object.keys(replyBounds) as readonly Purpose[]
const bounds = { ...replyBounds, delay: delayBoundsMs, behind: behindBounds } as const satisfies Readonly<
  Record<Purpose | 'delay' | 'behind', readonly number[]>
>
type HistogramName = keyof typeof bounds

/**
 * `outvoted`: dissents that more than half of all weight refuted; `vindicated`: those of them whose opponents were then distrusted.
 * `units`: what its requests have cost.
 */
const sumNames = ['replies', 'votes', 'dissents', 'outvoted', 'vindicated', 'proofs', 'units'] as const
type NodeSum = (typeof sumNames)[number]

const names: ReadonlySet<string> = new Set([
  ...sumNames,
  ...nodeFaults.map((kind) => `fault ${kind}`),
  ...Object.entries(bounds).flatMap(([name, { length }]) => [
    ...Array.from({ length: length + 1 }, (_, at) => `${name} ${at}`),
    `${name} sum`,
  ]),
])
/** No chain: what several nodes spend of one plan is counted under its name. */
const planChain = '0'

/** What was counted of a node. */
interface NodeTally {
  readonly sum: (name: NodeSum) => number
  readonly faults: () => Readonly<Partial<Record<FaultKind, number>>>
  readonly histogram: (name: HistogramName) => Histogram
}

/** Hours that are kept: the longest month of a plan. */
const hoursMax = 31 * 24

/** What each node did by hour, of all processes that share a store. A kilobyte an hour in which it was asked. */
export class NodeHours extends PeriodCounts {
  /** `now` is epoch milliseconds. */
  constructor(now: () => number) {
    super({ now, names, periodMs: hourMs, periodsMax: hoursMax })
  }

  count(chainId: number, node: string, name: NodeSum, amount = 1): void {
    this.add(String(chainId), node, name, amount)
  }

  countFault(chainId: number, node: string, kind: FaultKind): void {
    if (!isOwnFault(kind)) this.add(String(chainId), node, `fault ${kind}`, 1)
  }

  observe(chainId: number, node: string, name: HistogramName, value: number): void {
    const own: readonly number[] = bounds[name]
    let at = 0
    while (at < own.length && value > (own[at] as number)) at += 1
    this.add(String(chainId), node, `${name} ${at}`, 1)
    this.add(String(chainId), node, `${name} sum`, value)
  }

  /** Of all these nodes: the hour in which `fromMs` lies, and all that have begun since. */
  tally(
    nodes: readonly (readonly [chainId: number, node: string])[],
    fromMs: number,
    toMs = Number.POSITIVE_INFINITY,
  ): NodeTally {
    const sums: CountsRow = new Map()
    for (const [chainId, node] of nodes)
      for (const row of this.between(String(chainId), node, fromMs, toMs))
        for (const [name, amount] of row) addTo(sums, name, amount)
    return tallyOf(sums)
  }

  /** The units of a node; of all nodes with this plan where it has one. */
  unitsOf(chainId: number, node: string, plan: string | null): UnitCount {
    const key = plan === null ? ([String(chainId), node] as const) : ([planChain, plan] as const)
    return {
      add: (units) => {
        this.count(chainId, node, 'units', units)
        if (plan !== null) this.add(planChain, plan, 'units', units)
      },
      total: () => this.total(...key, 'units'),
      since: (fromMs) => {
        let units = 0
        for (const row of this.between(...key, fromMs, Number.POSITIVE_INFINITY))
          units += row.get('units') ?? 0
        return units
      },
      version: () => this.version(),
      knownMs: () => this.sinceMs(),
    }
  }

  /** What this process has counted since its start, by the names and labels of the metrics page. */
  counters(): readonly Series<number>[] {
    return this.#series<number>(({ sum }, add) => {
      add('proofs_served_total', {}, sum('proofs'))
      add('node_units_total', {}, sum('units'))
      for (const ended of ['outvoted', 'vindicated'] as const)
        add('dissents_judged_total', { ended }, sum(ended))
    }).filter(({ value }) => value > 0)
  }

  histograms(): readonly Series<Histogram>[] {
    return this.#series<Histogram>(({ histogram }, add) => {
      for (const kind of purposes) add('node_reply_seconds', { kind }, inSeconds(histogram(kind)))
      add('node_head_delay_seconds', {}, inSeconds(histogram('delay')))
      add('node_blocks_behind', {}, histogram('behind'))
    }).filter(({ value }) => value.count > 0)
  }

  #series<Value>(
    read: (
      tally: NodeTally,
      add: (name: string, labels: Readonly<Record<string, string>>, value: Value) => void,
    ) => void,
  ): readonly Series<Value>[] {
    const all: Series<Value>[] = []
    for (const [chain, node, total] of this.sinceStart())
      if (chain !== planChain)
        read(tallyOf(total), (name, labels, value) =>
          all.push({ name: `${prefix}_${name}`, labels: { chain, node, ...labels }, value }),
        )
    return all
  }
}

const inSeconds = ({ bounds: ms, sum, ...rest }: Histogram): Histogram => ({
  ...rest,
  bounds: ms.map((bound) => bound / 1000),
  sum: sum / 1000,
})

function tallyOf(row: CountsRow): NodeTally {
  const at = (name: string) => row.get(name) ?? 0
  return {
    sum: at,
    faults: () =>
      Object.fromEntries(
        nodeFaults.map((kind) => [kind, at(`fault ${kind}`)] as const).filter(([, count]) => count > 0),
      ),
    histogram(name) {
      let count = 0
      const counts = [...bounds[name].keys(), bounds[name].length].map((each) => {
        count += at(`${name} ${each}`)
        return count
      })
      return { bounds: bounds[name], counts, count, sum: at(`${name} sum`) }
    },
  }
}
