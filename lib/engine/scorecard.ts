import type { Gateway, Histogram, NodeSnapshot, Purpose } from '#rpc-proxy'

const hourMs = 3_600_000

/** Time ranges of the scorecard, milliseconds, and how long a step of its chart is. */
export const scorecardRanges = {
  '24h': { ms: 24 * hourMs, stepMs: hourMs },
  '7d': { ms: 7 * 24 * hourMs, stepMs: 6 * hourMs },
  '30d': { ms: 30 * 24 * hourMs, stepMs: 24 * hourMs },
} as const
export type ScorecardRange = keyof typeof scorecardRanges

export const isScorecardRange = (value: unknown): value is ScorecardRange =>
  typeof value === 'string' && Object.hasOwn(scorecardRanges, value)

/** What should be done about a node: the most urgent. */
export type Advice =
  | {
      readonly id: 'outvoted'
      readonly count: number
      /** The hour in which that happened most, and how often then. */
      readonly most: number
      readonly hourMs: number
    }
  | { readonly id: 'unavailable'; readonly availability: number; readonly fault: string }
  | { readonly id: 'behind'; readonly blocks: number }
  | { readonly id: 'plan'; readonly spentMs: number }

interface Percentiles {
  readonly p50: number
  readonly p95: number
}

interface ScoreStep {
  readonly availability: number | null
  readonly dissents: number
}

/** One node, or all nodes of one operator, in a time range. Null where too little is known. */
export interface ScoreRow {
  /** Null for an operator. */
  readonly chainId: number | null
  readonly node: string | null
  readonly operator: string
  /** The share of requests to it that it answered. */
  readonly availability: number | null
  readonly requests: number
  /** Milliseconds, by kind of call. */
  readonly latency: Readonly<Record<Purpose, Percentiles | null>>
  /** The share of its votes that were not dissents. */
  readonly won: number | null
  readonly votes: number
  readonly dissents: Readonly<Record<'right' | 'wrong' | 'unknown', number>>
  readonly faults: Readonly<Record<string, number>>
  /** For how long others have had what it does not show when it is asked for its head, milliseconds. */
  readonly headDelayMs: Percentiles | null
  readonly blocksBehind: Percentiles | null
  readonly proofs: number
  /** Share of its monthly plan that is used. */
  readonly plan: number | null
  readonly advice: Advice | null
  /** The chart: `stepMs` each, the oldest first. */
  readonly steps: readonly ScoreStep[]
}

export interface Scorecard {
  readonly last: ScorecardRange
  /** Epoch milliseconds. */
  readonly fromMs: number
  readonly toMs: number
  /** The beginning of what is known. */
  readonly sinceMs: number
  readonly stepMs: number
  /** Nodes, the worst first. */
  readonly nodes: readonly ScoreRow[]
  /** Operators of several nodes, the worst first. */
  readonly operators: readonly ScoreRow[]
}

/** Below this number of requests or votes a share says nothing. */
const countMin = 20
const purposes: readonly Purpose[] = ['head', 'read', 'caller-controlled', 'transaction']

type NodeKey = readonly [chainId: number, node: string]

/** How nodes and operators compare, of all processes that share a store. In whole hours and steps: the last may not be over. */
export function scorecardOf(gateway: Pick<Gateway, 'hours' | 'snapshot'>, last: ScorecardRange): Scorecard {
  const { hours } = gateway
  const { chains, atMs } = gateway.snapshot()
  const { ms, stepMs } = scorecardRanges[last]
  const toMs = (Math.floor(atMs / stepMs) + 1) * stepMs
  const range = { fromMs: toMs - ms, toMs, stepMs }
  const all = chains.flatMap(({ chainId, nodes }) => nodes.map((node) => ({ chainId, node })))
  const rows = all.map(({ chainId, node }) => ({
    ...rowOf([[chainId, node.name]], hours, range, node.plan),
    ...{ chainId, node: node.name, operator: node.operator },
  }))
  const joined = [...new Set(all.map(({ node }) => node.operator))].flatMap((operator) => {
    const own = all.filter(({ node }) => node.operator === operator)
    if (own.length < 2) return []
    const keys = own.map(({ chainId, node }) => [chainId, node.name] as const)
    return [{ ...rowOf(keys, hours, range, null), chainId: null, node: null, operator }]
  })
  return { last, ...range, sinceMs: hours.sinceMs(), nodes: worstFirst(rows), operators: worstFirst(joined) }
}

function rowOf(
  keys: readonly NodeKey[],
  hours: Gateway['hours'],
  { fromMs, toMs, stepMs }: Pick<Scorecard, 'fromMs' | 'toMs' | 'stepMs'>,
  plan: NodeSnapshot['plan'],
): Omit<ScoreRow, 'chainId' | 'node' | 'operator'> {
  const tally = hours.tally(keys, fromMs, toMs)
  const [votes, dissents] = [tally.sum('votes'), tally.sum('dissents')]
  const [outvoted, right] = [tally.sum('outvoted'), tally.sum('vindicated')]
  const faults = tally.faults()
  const wrong = Math.max(0, outvoted - right)
  const percentiles = (name: Parameters<typeof tally.histogram>[0]) => percentilesOf(tally.histogram(name))
  const known = {
    availability: availabilityOf(tally.sum('replies'), faults),
    requests: tally.sum('replies') + countOf(faults),
    votes,
    won: votes < countMin ? null : rounded(Math.max(0, 1 - dissents / votes)),
    dissents: { right, wrong, unknown: Math.max(0, dissents - wrong - right) },
    faults,
    blocksBehind: percentilesOf(tally.histogram('behind'), boundOf),
  }
  return {
    ...known,
    latency: Object.fromEntries(purposes.map((kind) => [kind, percentiles(kind)])) as ScoreRow['latency'],
    headDelayMs: percentiles('delay'),
    proofs: tally.sum('proofs'),
    plan: plan && rounded(plan.units / plan.unitsMax),
    advice: adviceOf(known, plan, () => worstHour(keys, hours, fromMs, toMs)),
    steps: Array.from({ length: Math.round((toMs - fromMs) / stepMs) }, (_, at) => {
      const step = hours.tally(keys, fromMs + at * stepMs, fromMs + (at + 1) * stepMs)
      return {
        availability: availabilityOf(step.sum('replies'), step.faults(), 1),
        dissents: step.sum('dissents'),
      }
    }),
  }
}

function availabilityOf(replies: number, faults: ScoreRow['faults'], min = countMin): number | null {
  const requests = replies + countOf(faults)
  return requests < min ? null : rounded(replies / requests)
}

/** Down, so that only all is 1. */
const rounded = (share: number): number => Math.floor(10_000 * share + 1e-6) / 10_000

const countOf = (faults: ScoreRow['faults']): number =>
  Object.values(faults).reduce((sum, count) => sum + count, 0)

function percentilesOf(histogram: Histogram, quantile = quantileOf): Percentiles | null {
  if (histogram.count === 0) return null
  return { p50: quantile(histogram, 0.5), p95: quantile(histogram, 0.95) }
}

/** Of whole numbers: the bound of the bucket. */
const boundOf: typeof quantileOf = ({ bounds, counts, count }, share) =>
  bounds[counts.findIndex((each) => each >= share * count)] ?? bounds.at(-1) ?? 0

/** As Prometheus has it: linear within a bucket; what is beyond the last bound counts as that. */
function quantileOf({ bounds, counts, count }: Histogram, share: number): number {
  const rank = share * count
  const at = counts.findIndex((each) => each >= rank)
  const [below, above] = [bounds[at - 1] ?? 0, bounds[at] ?? bounds.at(-1) ?? 0]
  const before = counts[at - 1] ?? 0
  const inside = (counts[at] ?? 0) - before
  return Math.round(10 * (below + ((above - below) * (rank - before)) / Math.max(1, inside))) / 10
}

const outvotedMin = 3
const availabilityMin = 0.95
const blocksMax = 2

function adviceOf(
  row: Pick<ScoreRow, 'dissents' | 'availability' | 'faults' | 'blocksBehind'>,
  plan: NodeSnapshot['plan'],
  worst: () => { readonly most: number; readonly hourMs: number },
): Advice | null {
  const { dissents, availability, faults, blocksBehind } = row
  if (dissents.wrong >= outvotedMin) {
    const { most, hourMs } = worst()
    // Some of that hour may have been right.
    return { id: 'outvoted', count: dissents.wrong, most: Math.min(most, dissents.wrong), hourMs }
  }
  if (availability !== null && availability < availabilityMin) {
    const [fault = ''] = Object.entries(faults).toSorted(([, a], [, b]) => b - a)[0] ?? []
    return { id: 'unavailable', availability, fault }
  }
  const blocks = blocksBehind?.p95 ?? 0
  if (blocks >= blocksMax) return { id: 'behind', blocks }
  return plan?.spentMs == null ? null : { id: 'plan', spentMs: plan.spentMs }
}

function worstHour(keys: readonly NodeKey[], hours: Gateway['hours'], fromMs: number, toMs: number) {
  let worst = { most: 0, hourMs: fromMs }
  for (let at = fromMs; at < toMs; at += hourMs) {
    const most = hours.tally(keys, at, at + hourMs).sum('outvoted')
    if (most > worst.most) worst = { most, hourMs: at }
  }
  return worst
}

/** By the share of its work that was of no use: a refuted vote counts as ten faults, each block behind as one in fifty. */
function worstFirst(rows: readonly ScoreRow[]): readonly ScoreRow[] {
  const badness = ({ requests, faults, dissents, blocksBehind }: ScoreRow) =>
    (countOf(faults) + 10 * dissents.wrong) / Math.max(1, requests) + 0.02 * (blocksBehind?.p95 ?? 0)
  return rows.toSorted((a, b) => badness(b) - badness(a))
}

const columns = [
  'chain',
  'node',
  'operator',
  'availability',
  'requests',
  ...purposes.flatMap((kind) => [`${kind} p50 ms`, `${kind} p95 ms`]),
  'won',
  'votes',
  'dissents right',
  'dissents wrong',
  'dissents unknown',
  'faults',
  'head delay p50 ms',
  'head delay p95 ms',
  'blocks behind p50',
  'blocks behind p95',
  'proofs',
  'plan',
] as const

/** One line a node, then one an operator; empty where nothing is known. */
export function scorecardCsv({ nodes, operators }: Scorecard): string {
  const pair = (each: Percentiles | null) => [each?.p50, each?.p95]
  const lines = [...nodes, ...operators].map((row) => [
    ...[row.chainId, row.node, row.operator, row.availability, row.requests],
    ...purposes.flatMap((kind) => pair(row.latency[kind])),
    ...[row.won, row.votes, row.dissents.right, row.dissents.wrong, row.dissents.unknown],
    Object.entries(row.faults)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(' '),
    ...[...pair(row.headDelayMs), ...pair(row.blocksBehind), row.proofs, row.plan],
  ])
  return [columns, ...lines].map((line) => `${line.map((cell) => cell ?? '').join()}\r\n`).join('')
}
