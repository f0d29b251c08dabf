import type { UpstreamOutcome } from '../events/evidence-types.ts'
import { prefix } from '../runtime/names.ts'
import type { FaultKind } from '../wire/fault.ts'
import { createBuckets, requestsBounds, secondsBounds } from './buckets.ts'
import { createFamily } from './family.ts'
import { createLatencyWindow } from './quantiles.ts'
import type { Histogram, NodeSnapshot, Series } from './snapshot-types.ts'

/** What the ledger counts for one node; the rest of its snapshot comes from the node itself. */
export type NodeFigures = Pick<
  NodeSnapshot,
  'latency' | 'requests' | 'faults' | 'stalls' | 'dissents' | 'votes'
>

const votes: ReadonlySet<UpstreamOutcome> = new Set<UpstreamOutcome>([
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

const counter = (...labels: readonly string[]) => createFamily(labels, { make: () => ({ value: 0 }) })

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
  const seconds = { make: () => createBuckets(secondsBounds) }
  const serverSeconds = createFamily(['chain', 'method', 'code'], seconds)
  const clientSeconds = createFamily(['chain', 'node', 'outcome'], seconds)
  const requestsPerCall = createFamily(['chain'], { make: () => createBuckets(requestsBounds) })
  const latencies = createFamily(['chain', 'node'], { make: () => createLatencyWindow() })

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
