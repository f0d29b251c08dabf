import type { Purpose } from '../events/events.ts'
import type { UnitCount } from '../events/plan-types.ts'
import { prefix } from '../runtime/names.ts'
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
const planChain = 0
const firstOf = Object.fromEntries(
  Object.keys(bounds).map((name) => [name, placeOf.get(`${name} 0`)]),
) as Record<HistogramName, number>

/** The sums of one hour, or of several: by chain, node and name, zeros left out. */
type HourSums = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>

/** What was counted of a node. */
interface NodeTally {
  readonly sum: (name: NodeSum) => number
  readonly faults: () => Readonly<Partial<Record<FaultKind, number>>>
  readonly histogram: (name: HistogramName) => Histogram
}

const hourMs = 3_600_000
/** Hours that are kept: the longest month of a plan. */
const hoursMax = 31 * 24

type Row = Float64Array
interface NodeRows {
  readonly byHour: Map<number, Row>
  /** Since the start of this process. */
  readonly total: Row
  /** The hour that is counted now. */
  hour: number
  row: Row
}
type Rows = Map<number, Map<string, NodeRows>>

/** What each node did by hour: here, and what other processes and earlier ones tell of. A kilobyte an hour in which it was asked. */
export class NodeHours {
  readonly #now: () => number
  readonly #startMs: number
  readonly #own: Rows = new Map()
  readonly #others: Rows = new Map()
  #version = 0
  #firstHour: number

  /** `now` is epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#startMs = now()
    this.#firstHour = Math.floor(this.#startMs / hourMs)
  }

  add(chainId: number, node: string, name: NodeSum, amount = 1): void {
    addAt(this.#rowsNow(chainId, node), placeOf.get(name) as number, amount)
  }

  addFault(chainId: number, node: string, kind: FaultKind): void {
    const place = placeOf.get(`fault ${kind}`)
    if (place !== undefined) addAt(this.#rowsNow(chainId, node), place, 1)
  }

  observe(chainId: number, node: string, name: HistogramName, value: number): void {
    const own: readonly number[] = bounds[name]
    let at = 0
    while (at < own.length && value > (own[at] as number)) at += 1
    const rows = this.#rowsNow(chainId, node)
    addAt(rows, firstOf[name] + at, 1)
    addAt(rows, firstOf[name] + own.length + 1, value)
  }

  /** What this process has counted in an hour, which is named as `2026-11-27T14`. */
  own(hour: string): HourSums {
    const sums: Record<string, Record<string, Record<string, number>>> = {}
    for (const [chain, nodes] of this.#own)
      for (const [node, { byHour }] of nodes) {
        const row = byHour.get(hourOf(hour))
        if (row === undefined) continue
        sums[chain] ??= {}
        sums[chain][node] = Object.fromEntries(
          names.flatMap((name, place) => (row[place] === 0 ? [] : [[name, row[place] as number]])),
        )
      }
    return sums
  }

  /** The hours in which it has counted something. */
  ownPeriods(): readonly string[] {
    const hours = new Set<number>()
    for (const { byHour } of allOf(this.#own)) for (const hour of byHour.keys()) hours.add(hour)
    return [...hours].map(nameOfHour)
  }

  /** What all others have counted in an hour, in place of what was known of them. Names that are not ours are ignored. */
  learn(period: string, all: readonly HourSums[]): void {
    const hour = hourOf(period)
    if (!Number.isInteger(hour)) return
    for (const { byHour } of allOf(this.#others)) byHour.delete(hour)
    for (const sums of all)
      for (const [chain, nodes] of Object.entries(sums))
        for (const [node, own] of Object.entries(nodes)) {
          const row = rowAt(rowsOf(this.#others, Number(chain), node), hour)
          for (const [name, amount] of Object.entries(own)) {
            const place = placeOf.get(name)
            if (place !== undefined && Number.isFinite(amount)) row[place] = (row[place] as number) + amount
          }
        }
    if (all.length > 0) this.#firstHour = Math.min(this.#firstHour, hour)
    this.#version += 1
  }

  /** The beginning of what is known, epoch milliseconds. */
  sinceMs(): number {
    return Math.max(Math.min(this.#startMs, this.#firstHour * hourMs), this.#now() - hoursMax * hourMs)
  }

  /** Of all these nodes: the hour in which `fromMs` lies, and all that have begun since. */
  tally(
    nodes: readonly (readonly [chainId: number, node: string])[],
    fromMs: number,
    toMs = Number.POSITIVE_INFINITY,
  ): NodeTally {
    const sums = emptyRow()
    for (const [chainId, node] of nodes)
      for (const row of this.#rowsBetween(chainId, node, fromMs, toMs)) addTo(sums, row)
    return tallyOf(sums)
  }

  /** The units of a node; of all nodes with this plan where it has one. */
  unitsOf(chainId: number, node: string, plan: string | null): UnitCount {
    const [chain, name] = plan === null ? [chainId, node] : [planChain, plan]
    return {
      add: (units) => {
        this.add(chainId, node, 'units', units)
        if (plan !== null) this.add(chain, name, 'units', units)
      },
      total: () => this.#own.get(chain)?.get(name)?.total[unitsPlace] ?? 0,
      since: (fromMs) => this.#unitsSince(chain, name, fromMs),
      version: () => this.#version,
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
    for (const [chain, nodes] of this.#own)
      for (const [node, { total }] of chain === planChain ? [] : nodes)
        read(tallyOf(total), (name, labels, value) =>
          all.push({ name: `${prefix}_${name}`, labels: { chain: String(chain), node, ...labels }, value }),
        )
    return all
  }

  /** One sum alone: the plan of a node is asked for it between calls. */
  #unitsSince(chainId: number, node: string, fromMs: number): number {
    let units = 0
    for (const row of this.#rowsBetween(chainId, node, fromMs, Number.POSITIVE_INFINITY))
      units += row[unitsPlace] as number
    return units
  }

  *#rowsBetween(chainId: number, node: string, fromMs: number, toMs: number): Iterable<Row> {
    const end = Math.min(Math.ceil(toMs / hourMs), Math.floor(this.#now() / hourMs) + 1)
    const first = Math.max(Math.floor(fromMs / hourMs), end - hoursMax)
    for (const rows of [this.#own, this.#others]) {
      const byHour = rows.get(chainId)?.get(node)?.byHour
      for (let hour = first; byHour !== undefined && hour < end; hour++) {
        const row = byHour.get(hour)
        if (row !== undefined) yield row
      }
    }
  }

  #rowsNow(chainId: number, node: string): NodeRows {
    const rows = this.#own.get(chainId)?.get(node) ?? rowsOf(this.#own, chainId, node)
    const hour = Math.floor(this.#now() / hourMs)
    if (rows.hour !== hour) {
      rows.hour = hour
      rows.row = rowAt(rows, hour)
    }
    return rows
  }
}

const inSeconds = ({ bounds: ms, sum, ...rest }: Histogram): Histogram => ({
  ...rest,
  bounds: ms.map((bound) => bound / 1000),
  sum: sum / 1000,
})

const emptyRow = (): Row => new Float64Array(names.length)

function rowsOf(all: Rows, chain: number, node: string): NodeRows {
  const nodes = all.get(chain) ?? new Map<string, NodeRows>()
  const rows = nodes.get(node) ?? {
    byHour: new Map<number, Row>(),
    total: emptyRow(),
    hour: -1,
    row: emptyRow(),
  }
  if (!nodes.has(node)) all.set(chain, nodes.set(node, rows))
  return rows
}

function rowAt({ byHour }: NodeRows, hour: number): Row {
  const known = byHour.get(hour)
  if (known !== undefined) return known
  const row = emptyRow()
  byHour.set(hour, row)
  if (byHour.size > hoursMax) byHour.delete(Math.min(...byHour.keys()))
  return row
}

function addAt({ total, row }: NodeRows, place: number, amount: number): void {
  total[place] = (total[place] as number) + amount
  row[place] = (row[place] as number) + amount
}

function* allOf(rows: Rows): Iterable<NodeRows> {
  for (const nodes of rows.values()) yield* nodes.values()
}

function addTo(sums: Row, row: Row): void {
  for (let place = 0; place < sums.length; place++)
    sums[place] = (sums[place] as number) + (row[place] as number)
}

function tallyOf(row: Row): NodeTally {
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

/** `2026-11-27T14` */
const nameOfHour = (hour: number): string => new Date(hour * hourMs).toISOString().slice(0, 13)
const hourOf = (name: string): number => Date.parse(`${name}:00:00Z`) / hourMs
