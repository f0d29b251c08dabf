import type { UpstreamOutcome } from '../events/evidence-types.ts'
import { prefix } from '../runtime/names.ts'
import type { FaultKind } from '../wire/fault.ts'
import type { Histogram, NodeSnapshot, Series } from './snapshot-types.ts'

/** What the ledger counts for one node; the rest of its snapshot comes from the node itself. */
export type NodeFigures = Pick<
  NodeSnapshot,
  'latency' | 'requests' | 'faults' | 'stalls' | 'dissents' | 'votes'
>

/** Outcomes that count in a round. */
export const votes: ReadonlySet<UpstreamOutcome> = new Set<UpstreamOutcome>([
  'result',
  'reverted',
  'rejected',
  'known',
])
/** Outcomes in which a node has replied, so that its time counts as latency. */
export const replies: ReadonlySet<UpstreamOutcome> = new Set<UpstreamOutcome>([
  ...votes,
  'behind',
  'unsupported',
])

const counter = (...labels: readonly string[]) => createFamily(labels, () => ({ value: 0 }))

/** The counters, by the names and labels of the metrics page. */
const createTotals = () => ({
  verdicts_total: counter('chain', 'method', 'outcome'),
  rounds_total: counter('chain', 'policy'),
  thin_total: counter('chain'),
  proven_total: counter('chain'),
  proof_requests_saved_total: counter('chain'),
  proof_faults_total: counter('chain', 'node'),
  dissents_total: counter('chain', 'node'),
  equivocations_total: counter('chain', 'operator'),
  distrusts_total: counter('chain', 'operator'),
  faults_total: counter('chain', 'node', 'kind'),
  stalls_total: counter('chain', 'node'),
  reorgs_total: counter('chain'),
  cache_total: counter('chain', 'result'),
  shed_total: counter('chain'),
  rate_limited_total: counter('chain'),
  breaches_total: counter('chain', 'invariant'),
  observer_errors_total: counter('event'),
})

/** Creates every counter and histogram of the engine; each starts empty. */
export function createCounts() {
  const total = createTotals()
  const seconds = () => createBuckets(secondsBounds)
  const serverSeconds = createFamily(['chain', 'method', 'code'], seconds)
  const clientSeconds = createFamily(['chain', 'node', 'outcome'], seconds)
  const requestsPerCall = createFamily(['chain'], () => createBuckets(requestsBounds))
  const latencies = createFamily(['chain', 'node'], createLatencyWindow)

  return {
    ...total,
    serverSeconds,
    requestsPerCall,

    /** A request to a node has ended. */
    request(
      chainId: number,
      node: string,
      outcome: UpstreamOutcome,
      fault: FaultKind | null,
      durationMs: number,
    ) {
      clientSeconds.at(chainId, node, outcome).observe(durationMs / 1000)
      if (replies.has(outcome)) latencies.at(chainId, node).observe(durationMs)
      // A cancelled request is no fault of its node.
      if (fault !== null && fault !== 'cancelled') total.faults_total.at(chainId, node, fault).value += 1
    },

    counters: (): readonly Series<number>[] => [
      ...Object.entries(total).flatMap(([name, family]) =>
        family.series(`${prefix}_${name}`, ({ value }) => value),
      ),
      // Derived from the counters above, so that nothing is counted twice.
      ...total.cache_total
        .series(`${prefix}_shared_total`, ({ value }) => value)
        .filter(({ labels }) => labels.result === 'shared')
        .map((shared) => ({ ...shared, labels: { chain: shared.labels.chain ?? '' } })),
      ...clientSeconds
        .series(`${prefix}_upstream_requests_total`, (buckets) => buckets.count())
        .map(({ labels: { outcome = '', ...labels }, ...series }) => ({
          ...series,
          labels: { ...labels, result: outcome },
        })),
    ],

    histograms: (): readonly Series<Histogram>[] => [
      ...serverSeconds.series('rpc_server_call_duration_seconds', (buckets) => buckets.read()),
      ...clientSeconds.series('rpc_client_call_duration_seconds', (buckets) => buckets.read()),
      ...requestsPerCall.series(`${prefix}_requests_per_call`, (buckets) => buckets.read()),
    ],

    nodeFigures(chainId: number, node: string): NodeFigures {
      const forged = total.proof_faults_total.at(chainId, node).value
      const ended = [...clientSeconds.under(chainId, node)]
      const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
      return {
        latency: latencies.at(chainId, node).read(),
        requests: sum(ended.map(([, buckets]) => buckets.count())),
        votes: sum(
          ended.map(([outcome, buckets]) => (votes.has(outcome as UpstreamOutcome) ? buckets.count() : 0)),
        ),
        faults: faultsOf(total.faults_total.under(chainId, node), forged),
        stalls: total.stalls_total.at(chainId, node).value,
        dissents: total.dissents_total.at(chainId, node).value,
      }
    },
  }
}

/** A forged proof is counted as malformed too, and shown once. */
function faultsOf(
  byKind: ReadonlyMap<string | number, { readonly value: number }>,
  forged: number,
): Readonly<Record<string, number>> {
  const kinds = [...byKind].map(
    ([kind, { value }]) => [kind, kind === 'malformed' ? value - forged : value] as const,
  )
  return Object.fromEntries([...kinds, ['forged-proof', forged] as const].filter(([, count]) => count > 0))
}

const samplesMax = 256

/** The last round trips of one node: enough for a p99 that follows the node within minutes. */
function createLatencyWindow() {
  const samples = new Float64Array(samplesMax)
  let count = 0
  return {
    observe(ms: number): void {
      samples[count % samplesMax] = ms
      count += 1
    },
    /** Nearest-rank percentiles; null before the first round trip. */
    read(): NodeSnapshot['latency'] {
      if (count === 0) return null
      const sorted = samples.slice(0, Math.min(count, samplesMax)).sort()
      const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] as number
      return { p50Ms: rank(0.5), p95Ms: rank(0.95), p99Ms: rank(0.99) }
    },
  }
}

export type Label = string | number

/** Cells of a metric at most; whatever comes after is counted together under `_OTHER`, so that no label can fill the memory. */
const seriesMax = 10_000

const other = '_OTHER'

/** Cells of one metric, by the values of its labels, of which there are three at most. */
function createFamily<Cell>(labels: readonly string[], make: () => Cell) {
  // Maps in maps: a joined key would build a string for every call that is counted.
  const cells = new Map<Label, Map<Label, Map<Label, Cell>>>()
  let size = 0

  const place = (a: Label, b: Label, c: Label): Cell => {
    const byB = cells.get(a) ?? new Map<Label, Map<Label, Cell>>()
    const byC = byB.get(b) ?? new Map<Label, Cell>()
    const cell = byC.get(c) ?? make()
    if (!byC.has(c)) size += 1
    cells.set(a, byB.set(b, byC.set(c, cell)))
    return cell
  }

  return {
    /** The cell of these label values, made when it is met first. Allocates nothing afterwards. */
    at(a: Label = '', b: Label = '', c: Label = ''): Cell {
      const cell = cells.get(a)?.get(b)?.get(c)
      if (cell !== undefined) return cell
      if (size < seriesMax) return place(a, b, c)
      return place(
        labels.length > 0 ? other : '',
        labels.length > 1 ? other : '',
        labels.length > 2 ? other : '',
      )
    },
    /** Cells under the first label values, by the value of the one that follows. */
    under: (a: Label, b: Label): ReadonlyMap<Label, Cell> => cells.get(a)?.get(b) ?? new Map<Label, Cell>(),
    /** Every cell with its labels; `read` says what is shown of it. */
    series<Value>(name: string, read: (cell: Cell) => Value): readonly Series<Value>[] {
      const all = []
      for (const [a, byB] of cells)
        for (const [b, byC] of byB)
          for (const [c, cell] of byC) {
            const values = [a, b, c]
            all.push({
              name,
              labels: Object.fromEntries(labels.map((label, index) => [label, String(values[index])])),
              value: read(cell),
            })
          }
      return all
    },
  }
}

/** Seconds, as OpenTelemetry's semantic conventions advise for the duration of RPC calls. */
const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const

/** Requests to nodes that one call caused: none for what was known, two or three for a healthy quorum. */
const requestsBounds = [0, 1, 2, 3, 4, 6, 8, 12, 16] as const

/** A histogram that grows: `counts[i]` holds what fell between the bounds, the last what is beyond all. */
function createBuckets(bounds: readonly number[]) {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  let count = 0
  return {
    observe(value: number): void {
      let index = 0
      while (index < bounds.length && value > (bounds[index] as number)) index += 1
      counts[index] = (counts[index] as number) + 1
      sum += value
      count += 1
    },
    count: () => count,
    /** As the metrics page has it: cumulative. */
    read(): Histogram {
      let running = 0
      const cumulative = Array.from(counts, (own) => {
        running += own
        return running
      })
      return { bounds, counts: cumulative, sum, count }
    },
  }
}
