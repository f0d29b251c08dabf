/** What is summed of a chain in each step. `answerMs` is the sum of its calls' durations; a failure is no quorum or an answer withheld. */
export const chainSeries = ['calls', 'failures', 'known', 'asks', 'answerMs'] as const
/** What is summed of a node in each step. `replyMs` is the sum of its replies' durations. */
export const nodeSeries = ['replies', 'replyMs', 'faults', 'limited', 'dissents'] as const

export type ChainSeries = (typeof chainSeries)[number]
export type NodeSeries = (typeof nodeSeries)[number]

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
  /** Steps at most; they are made longer until the range has no more. */
  readonly stepsMax: number
}

/** Sums of a stretch of time. Step i begins at `fromMs + i * stepMs`; the last one may not be over yet. */
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
interface ChainRows {
  readonly row: Row<ChainSeries>
  readonly nodes: Map<string, Row<NodeSeries>>
}

/** What one step summed, zeros left out: to be kept outside of the process. */
export interface HistoryStep {
  /** Epoch milliseconds over `historyStepMs`. */
  readonly step: number
  readonly chains: readonly {
    readonly chainId: number
    readonly sums: Readonly<Record<string, number>>
    readonly nodes: readonly { readonly node: string; readonly sums: Readonly<Record<string, number>> }[]
  }[]
}

/** The last day in steps of 10 s: 35 kB a series, five series a chain and five a node. Made for sums; a step without events costs nothing. */
export interface HistoryLog {
  readonly addToChain: (chainId: number, series: ChainSeries, value: number) => void
  readonly addToNode: (chainId: number, node: string, series: NodeSeries, value: number) => void
  readonly read: (range: HistoryRange) => History
  /** One step; null where nothing happened in it or it is not remembered. */
  readonly take: (step: number) => HistoryStep | null
  /** Adds what was kept outside; the step that is now and what is older than a day are left alone. */
  readonly restore: (steps: readonly HistoryStep[]) => void
}

/** Creates an empty history; `now` is epoch milliseconds. */
export function createHistory(now: () => number): HistoryLog {
  let startMs = now()
  const chains = new Map<number, ChainRows>()
  /** Which step each place of the ring holds. */
  const held = new Float64Array(historyStepsMax).fill(-1)

  /** The place of the step that is now, emptied of what it held a day ago. */
  function place(): number {
    const step = Math.floor(now() / historyStepMs)
    const index = step % historyStepsMax
    if (held[index] !== step) empty(index, step)
    return index
  }

  function empty(index: number, step: number): void {
    held[index] = step
    for (const { row, nodes } of chains.values())
      for (const rows of [row, ...nodes.values()]) for (const sums of Object.values(rows)) sums[index] = 0
  }

  function chainRows(chainId: number): ChainRows {
    const known = chains.get(chainId)
    if (known !== undefined) return known
    const made = { row: emptyRow(chainSeries), nodes: new Map() }
    chains.set(chainId, made)
    return made
  }

  function nodeRow(chainId: number, node: string): Row<NodeSeries> {
    const { nodes } = chainRows(chainId)
    const known = nodes.get(node)
    if (known !== undefined) return known
    const made = emptyRow(nodeSeries)
    nodes.set(node, made)
    return made
  }

  const stepNow = () => Math.floor(now() / historyStepMs)

  /** The place of a step of the last day that is over; -1 of any other. */
  function placeOf(step: number): number {
    const age = stepNow() - step
    return Number.isInteger(step) && age > 0 && age < historyStepsMax ? step % historyStepsMax : -1
  }

  function restoreStep({ step, chains: given }: HistoryStep): void {
    const index = placeOf(step)
    if (index === -1) return
    if (held[index] !== step) empty(index, step)
    startMs = Math.min(startMs, step * historyStepMs)
    for (const { chainId, sums, nodes } of given) {
      addTo(chainRows(chainId).row, sums, index)
      for (const { node, sums: own } of nodes) addTo(nodeRow(chainId, node), own, index)
    }
  }

  return {
    addToChain(chainId, series, value) {
      const index = place()
      const sums = chainRows(chainId).row[series]
      sums[index] = (sums[index] as number) + value
    },
    addToNode(chainId, node, series, value) {
      const index = place()
      const sums = nodeRow(chainId, node)[series]
      sums[index] = (sums[index] as number) + value
    },
    read({ fromMs, toMs, stepsMax }) {
      const span = Math.max(1, Math.ceil((toMs - fromMs) / historyStepMs))
      const joined = Math.ceil(span / Math.max(1, stepsMax))
      const first = Math.floor(fromMs / historyStepMs / joined) * joined
      const steps = Math.max(1, Math.ceil((Math.ceil(toMs / historyStepMs) - first) / joined))
      // Where each step of the range is in the ring; -1 where it holds another day's, or nothing.
      const places = Int32Array.from({ length: steps * joined }, (_, at) => {
        const step = first + at
        const index = step % historyStepsMax
        return step >= 0 && held[index] === step ? index : -1
      })
      const sumsOf = (row: Float32Array) =>
        Array.from({ length: steps }, (_, at) => {
          let sum = 0
          for (const index of places.subarray(at * joined, (at + 1) * joined))
            if (index !== -1) sum += row[index] as number
          return Math.round(sum * 1000) / 1000
        })
      return {
        fromMs: first * historyStepMs,
        stepMs: joined * historyStepMs,
        steps,
        sinceMs: Math.max(startMs, now() - historyStepMs * historyStepsMax),
        chains: [...chains].map(([chainId, { row, nodes }]) => ({
          chainId,
          ...mapRow(row, sumsOf),
          nodes: [...nodes].map(([node, own]) => ({ node, ...mapRow(own, sumsOf) })),
        })),
      }
    },
    take(step) {
      const index = ((step % historyStepsMax) + historyStepsMax) % historyStepsMax
      if (held[index] !== step) return null
      const taken = [...chains].flatMap(([chainId, { row, nodes }]) => {
        const sums = sumsAt(row, index)
        const own = [...nodes].flatMap(([node, each]) => {
          const ofNode = sumsAt(each, index)
          return Object.keys(ofNode).length === 0 ? [] : [{ node, sums: ofNode }]
        })
        return own.length === 0 && Object.keys(sums).length === 0 ? [] : [{ chainId, sums, nodes: own }]
      })
      return taken.length === 0 ? null : { step, chains: taken }
    },
    restore(steps) {
      for (const step of steps) restoreStep(step)
    },
  }
}

/** Of names that are not ours nothing is known. */
function addTo(row: Row<string>, sums: Readonly<Record<string, number>>, index: number): void {
  for (const [name, value] of Object.entries(sums)) {
    const own = Object.hasOwn(row, name) ? row[name] : undefined
    if (own !== undefined && Number.isFinite(value)) own[index] = (own[index] as number) + value
  }
}

/** What a row holds at a place, zeros left out. */
function sumsAt(row: Row<string>, index: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, sums]) => {
      const sum = Math.round((sums[index] as number) * 1000) / 1000
      return sum === 0 ? [] : [[name, sum] as const]
    }),
  )
}

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
