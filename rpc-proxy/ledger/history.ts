/** What each step sums for a chain. `callMs` sums the durations of calls; a failure is no quorum or an answer withheld. */
const chainSeries = ['calls', 'failures', 'known', 'requests', 'callMs'] as const
/** What each step sums for a node. `replyMs` sums the durations of replies. */
const nodeSeries = ['replies', 'replyMs', 'faults', 'limited', 'dissents'] as const

type ChainSeries = (typeof chainSeries)[number]
type NodeSeries = (typeof nodeSeries)[number]

/** Sums by step, the oldest first: one number for each of `steps`. */
export type NodeHistory = Readonly<Record<NodeSeries, readonly number[]>> & { readonly node: string }
export type ChainHistory = Readonly<Record<ChainSeries, readonly number[]>> & {
  readonly chainId: number
  readonly nodes: readonly NodeHistory[]
}

export interface HistoryRange {
  /** Epoch milliseconds. */
  readonly fromMs: number
  readonly toMs: number
  /** Steps at most, and one more where the range begins within one; they are made longer until the range has no more. */
  readonly stepsMax: number
}

/** Sums of a time range. Step i begins at `fromMs + i * stepMs`; the last one may not be over yet. */
export interface History {
  readonly fromMs: number
  readonly stepMs: number
  readonly steps: number
  /** The beginning of what is remembered at all: the process's start, or a day ago. */
  readonly sinceMs: number
  readonly chains: readonly ChainHistory[]
}

/**
 * Milliseconds of one step of the history; longer ones are made of these.
 *
 * @example
 * const step = Math.floor(Date.now() / historyStepMs)
 */
export const historyStepMs = 10_000
/**
 * Steps that are kept: a day of them.
 *
 * @example
 * const keptMs = historyStepMs * historyStepsMax // 86,400,000
 */
export const historyStepsMax = 8640

type Row<Name extends string> = Readonly<Record<Name, Float32Array>>
/** What is added to some series. */
type Sums<Name extends string> = Readonly<Partial<Record<Name, number>>>
interface ChainRows {
  readonly row: Row<ChainSeries>
  readonly nodes: Map<string, Row<NodeSeries>>
}

/** The sums of one step without zeros, to be kept outside of the process. */
export interface HistoryStep {
  /** Epoch milliseconds over `historyStepMs`. */
  readonly step: number
  readonly chains: readonly {
    readonly chainId: number
    readonly sums: Readonly<Record<string, number>>
    readonly nodes: readonly { readonly node: string; readonly sums: Readonly<Record<string, number>> }[]
  }[]
}

/** The last day in steps of 10 s: 35 kB a series, five series a chain and five a node. A step without events costs nothing. */
export class HistoryLog {
  readonly #now: () => number
  #startMs: number
  readonly #chains = new Map<number, ChainRows>()
  /** The step that each place of the ring holds. */
  readonly #stepAt = new Float64Array(historyStepsMax).fill(-1)

  /** `now` is epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#startMs = now()
  }

  addToChain(chainId: number, sums: Sums<ChainSeries>): void {
    addAll(this.#rowsOf(chainId).row, sums, this.#index(this.#stepNow()))
  }

  addToNode(chainId: number, node: string, sums: Sums<NodeSeries>): void {
    addAll(this.#nodeRow(chainId, node), sums, this.#index(this.#stepNow()))
  }

  read({ fromMs, toMs, stepsMax }: HistoryRange): History {
    const span = Math.max(1, Math.ceil((toMs - fromMs) / historyStepMs))
    const joined = Math.ceil(span / Math.max(1, stepsMax))
    const first = Math.floor(fromMs / historyStepMs / joined) * joined
    const steps = Math.max(1, Math.ceil((Math.ceil(toMs / historyStepMs) - first) / joined))
    const indexes = Int32Array.from({ length: steps * joined }, (_, at) => this.#placeOf(first + at))
    const sumsOf = (row: Float32Array) =>
      Array.from({ length: steps }, (_, at) => sumOf(row, indexes.subarray(at * joined, (at + 1) * joined)))
    return {
      fromMs: first * historyStepMs,
      stepMs: joined * historyStepMs,
      steps,
      sinceMs: Math.max(this.#startMs, this.#now() - historyStepMs * historyStepsMax),
      chains: [...this.#chains].map(([chainId, { row, nodes }]) => ({
        chainId,
        ...mapRow(row, sumsOf),
        nodes: [...nodes].map(([node, own]) => ({ node, ...mapRow(own, sumsOf) })),
      })),
    }
  }

  /** One step; null where nothing happened in it or it is not remembered. */
  readStep(step: number): HistoryStep | null {
    const index = this.#placeOf(step)
    if (index === -1) return null
    const rows = [...this.#chains].flatMap(([chainId, { row, nodes }]) => {
      const sums = sumsAt(row, index)
      const own = [...nodes].flatMap(([node, each]) => {
        const ofNode = sumsAt(each, index)
        return isEmpty(ofNode) ? [] : [{ node, sums: ofNode }]
      })
      return own.length === 0 && isEmpty(sums) ? [] : [{ chainId, sums, nodes: own }]
    })
    return rows.length === 0 ? null : { step, chains: rows }
  }

  /** Adds steps that were kept outside. Ignores the current step and those older than a day. */
  restore(steps: readonly HistoryStep[]): void {
    for (const { step, chains } of steps) {
      const age = this.#stepNow() - step
      if (!Number.isInteger(step) || age <= 0 || age >= historyStepsMax) continue
      const index = this.#index(step)
      this.#startMs = Math.min(this.#startMs, step * historyStepMs)
      for (const { chainId, sums, nodes } of chains) {
        addAll(this.#rowsOf(chainId).row, sums, index)
        for (const { node, sums: own } of nodes) addAll(this.#nodeRow(chainId, node), own, index)
      }
    }
  }

  #stepNow(): number {
    return Math.floor(this.#now() / historyStepMs)
  }

  /** The place that holds this step; -1 where it holds another day's, or nothing. */
  #placeOf(step: number): number {
    const index = step % historyStepsMax
    return step >= 0 && this.#stepAt[index] === step ? index : -1
  }

  /** The place for this step, emptied of what it held a day ago. */
  #index(step: number): number {
    const index = step % historyStepsMax
    if (this.#stepAt[index] === step) return index
    this.#stepAt[index] = step
    for (const { row, nodes } of this.#chains.values())
      for (const rows of [row, ...nodes.values()]) for (const sums of Object.values(rows)) sums[index] = 0
    return index
  }

  #rowsOf(chainId: number): ChainRows {
    const known = this.#chains.get(chainId)
    if (known !== undefined) return known
    const made = { row: emptyRow(chainSeries), nodes: new Map() }
    this.#chains.set(chainId, made)
    return made
  }

  #nodeRow(chainId: number, node: string): Row<NodeSeries> {
    const { nodes } = this.#rowsOf(chainId)
    const known = nodes.get(node)
    if (known !== undefined) return known
    const made = emptyRow(nodeSeries)
    nodes.set(node, made)
    return made
  }
}

/** Ignores names that are not ours. */
function addAll(row: Row<string>, sums: Sums<string>, index: number): void {
  for (const name in sums) {
    const own = Object.hasOwn(row, name) ? row[name] : undefined
    const value = sums[name]
    if (own !== undefined && Number.isFinite(value)) own[index] = (own[index] as number) + (value as number)
  }
}

const rounded = (sum: number): number => Math.round(sum * 1000) / 1000

function sumOf(row: Float32Array, indexes: Int32Array): number {
  let sum = 0
  for (const index of indexes) if (index !== -1) sum += row[index] as number
  return rounded(sum)
}

/** The sums of a row at a place, zeros left out. */
function sumsAt(row: Row<string>, index: number): Record<string, number> {
  const sums = Object.entries(row).map(([name, own]) => [name, rounded(own[index] as number)] as const)
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0))
}

const isEmpty = (sums: object): boolean => Object.keys(sums).length === 0

function emptyRow<Name extends string>(names: readonly Name[]): Row<Name> {
  return Object.fromEntries(names.map((name) => [name, new Float32Array(historyStepsMax)])) as Row<Name>
}

function mapRow<Name extends string, Value>(
  row: Row<Name>,
  read: (sums: Float32Array) => Value,
): Record<Name, Value> {
  return Object.fromEntries(
    Object.entries<Float32Array>(row).map(([name, sums]) => [name, read(sums)]),
  ) as Record<Name, Value>
}
