import type { Purpose } from '../events/events.ts'
import type { UnitCount } from '../events/plan-types.ts'
import { prefix } from '../runtime/names.ts'
import { type CountsRow, hourMs, PeriodCounts } from '../runtime/period-counts.ts'
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

const names: readonly string[] = [
  ...sumNames,
  ...nodeFaults.map((kind) => `fault ${kind}`),
  ...Object.entries(bounds).flatMap(([name, { length }]) => [
    ...Array.from({ length: length + 1 }, (_, at) => `${name} ${at}`),
    `${name} sum`,
  ]),
]
const placeOf: ReadonlyMap<string, number> = new Map(names.map((name, place) => [name, place]))
const unitsPlace = placeOf.get('units') as number
/** No chain: what several nodes spend of one plan is counted under its name. */
const planChain = '0'
const firstOf = Object.fromEntries(
  Object.keys(bounds).map((name) => [name, placeOf.get(`${name} 0`)]),
) as Record<HistogramName, number>

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
    super({ now, names, periodMs: hourMs, periodsMax: hoursMax, zeros: 'left out' })
  }

  count(chainId: number, node: string, name: NodeSum, amount = 1): void {
    this.add(String(chainId), node, placeOf.get(name) as number, amount)
  }

  countFault(chainId: number, node: string, kind: FaultKind): void {
    const place = placeOf.get(`fault ${kind}`)
    if (place !== undefined) this.add(String(chainId), node, place, 1)
  }

  observe(chainId: number, node: string, name: HistogramName, value: number): void {
    const own: readonly number[] = bounds[name]
    let at = 0
    while (at < own.length && value > (own[at] as number)) at += 1
    this.add(String(chainId), node, firstOf[name] + at, 1)
    this.add(String(chainId), node, firstOf[name] + own.length + 1, value)
  }

  /** Of all these nodes: the hour in which `fromMs` lies, and all that have begun since. */
  tally(
    nodes: readonly (readonly [chainId: number, node: string])[],
    fromMs: number,
    toMs = Number.POSITIVE_INFINITY,
  ): NodeTally {
    const sums = new Float64Array(names.length)
    for (const [chainId, node] of nodes)
      for (const row of this.between(String(chainId), node, fromMs, toMs)) addTo(sums, row)
    return tallyOf(sums)
  }

  /** The units of a node; of all nodes with this plan where it has one. */
  unitsOf(chainId: number, node: string, plan: string | null): UnitCount {
    const key = plan === null ? ([String(chainId), node] as const) : ([planChain, plan] as const)
    return {
      add: (units) => {
        this.count(chainId, node, 'units', units)
        if (plan !== null) this.add(planChain, plan, unitsPlace, units)
      },
      total: () => this.total(...key, unitsPlace),
      since: (fromMs) => {
        let units = 0
        for (const row of this.between(...key, fromMs, Number.POSITIVE_INFINITY))
          units += row[unitsPlace] as number
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

function addTo(sums: CountsRow, row: CountsRow): void {
  for (let place = 0; place < sums.length; place++)
    sums[place] = (sums[place] as number) + (row[place] as number)
}

function tallyOf(row: CountsRow): NodeTally {
  const at = (name: string) => row[placeOf.get(name) as number] as number
  return {
    sum: at,
    faults: () =>
      Object.fromEntries(
        nodeFaults.map((kind) => [kind, at(`fault ${kind}`)] as const).filter(([, count]) => count > 0),
      ),
    histogram(name) {
      const own: readonly number[] = bounds[name]
      let count = 0
      const counts = Array.from(row.subarray(firstOf[name], firstOf[name] + own.length + 1), (each) => {
        count += each
        return count
      })
      return { bounds: own, counts, count, sum: at(`${name} sum`) }
    },
  }
}
