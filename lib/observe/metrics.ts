import type { ChainSnapshot, Histogram, NodeSnapshot, NodeState, Series, Snapshot } from '#rpc-proxy'
import packageJson from '../../package.json' with { type: 'json' }
import { prefix } from '../public-names.ts'
import type { Exemplar, Traced } from './traced.ts'

type Kind = 'counter' | 'gauge' | 'histogram'
type Labels = Readonly<Record<string, string>>

/** The help of each metric, below its prefix, by kind. The engine's ledger names the counters and histograms; gauges are computed here from the snapshot. */
const helps: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  histogram: {
    rpc_server_call_duration_seconds:
      'Time from a call to its answer, by method and JSON-RPC code; 0 is a result.',
    rpc_client_call_duration_seconds: 'Time from a request to a node to its outcome.',
    requests_per_call: 'Requests to nodes per call.',
    node_reply_seconds: 'Time of the replies of a node, by kind of call.',
    node_head_delay_seconds:
      'For how long others have had a block that a node does not show when it is asked.',
    node_blocks_behind: 'Blocks that a node is behind the agreed head when it is asked.',
  },
  counter: {
    verdicts_total: 'Verdicts, by outcome: agreed, or the reason for the failure.',
    rounds_total:
      'Rounds, by policy: everyday, tightened (a voter was unusable or outvoted), protected or bridge.',
    thin_total: 'Results on which the voters alone agreed, because too few witnesses could be reached.',
    proven_total: 'Calls answered by a proof of one node against the agreed block.',
    proof_requests_saved_total:
      'Requests to nodes that proven calls did without: the smallest quorum would have taken so many more.',
    proof_faults_total: 'Proofs of a node that do not follow from the agreed block.',
    upstream_requests_total: 'Outcomes of requests to a node.',
    dissents_total: 'Votes of a node outside the winning group.',
    dissents_judged_total:
      'Dissents of a node that more than half of all weight refuted (outvoted), and those of them that were right (vindicated): who refuted them was distrusted.',
    proofs_served_total: 'Proofs that a node has served.',
    node_units_total: 'What requests to a node have cost, in units of its plan.',
    equivocations_total: 'Answers on which nodes of one operator disagreed.',
    distrusts_total: 'Times an operator became a suspect, so that what was kept on its word was dropped.',
    faults_total: 'Faults of a node, by kind.',
    stalls_total: 'Requests that a node did not answer within its stall time.',
    reorgs_total: 'Agreed reorganisations of a chain.',
    cache_total: 'Calls, by source of the answer: hit, miss or shared.',
    shared_total: 'Calls that joined a request in flight (single flight).',
    shed_total: 'Calls refused because too many were in flight.',
    rate_limited_total: 'Calls refused by a rate limit.',
    limits_met_total: 'Requests refused or cut by a limit of the host, by limit.',
    breaches_total: 'Violated invariants. Must stay 0.',
    observer_errors_total: 'Events that the log or the tracing of this host failed to process, by type.',
    log_lines_lost_total:
      'Lines that could not be written: of the log, or printed by the framework to stdout or stderr.',
    trace_losses_total: 'Exports of which the collector did not take all spans, by reason.',
    caller_calls_total: 'Calls of a caller with a key.',
    caller_units_total: 'Units that its calls have cost.',
    caller_cache_hits_total: 'Its calls that were answered without asking a node.',
    caller_errors_total: 'Its calls that ended with an error of ours.',
    operator_refused_total: "Wrong operator tokens, by way: bearer or login; and callers' wrong keys: key.",
    origins_refused_total: 'Refused requests from pages of other sites, by kind: rpc or change.',
    csp_reports_total: 'Content-Security-Policy violations that browsers reported, by directive.',
    peer_messages_total: 'Messages between processes, by way: sent, received, or lost while Redis was away.',
    peer_messages_dropped_total:
      'Messages from Redis that were not believed: forged, replayed, aged or malformed.',
    redis_refusals_total:
      'Refusals of Redis while it answers, by their first word; a transaction that is refused counts once.',
    redis_values_dropped_total:
      'Values read from Redis that no process with this SESSION_SECRET had sealed for their key, by kind.',
  },
  gauge: {
    caller_month_units: 'Units that a caller with a key has used in this UTC month, at all processes.',
    caller_month_units_max: 'Units that its key has in a month.',
    operators_to_lie: 'Operators that would have to tell one lie for it to become a result now, by policy.',
    limit_used: 'Amounts held under the limits of the host: bytes, pages, connections.',
    log_failing: '1 while the last write to the log failed.',
    peers_joined:
      '1 while this process hears the others with the same Redis; 0 while it knows only its own state.',
    head_block: 'Agreed head.',
    protected_head_block: 'Head of protected calls, as of the last of them.',
    head_age_seconds: 'Time since the agreed head was last refreshed.',
    head_block_age_seconds: 'Age of the head block, by the time in its header, when a quorum last showed it.',
    signed_block_time_seconds:
      'Time of the last block that the sync committee has signed as final, Unix seconds; 0 while there is none.',
    clock_behind_seconds:
      "How far the head block's time was ahead of this machine's clock when a quorum last showed it.",
    head_lag_max_seconds: 'Age from which on a head block is too old.',
    quorum_needed: 'Weight of voters that must agree every day.',
    quorum_weight: 'Weight of all voting operators.',
    quorum_usable: 'Weight of the voting operators with a usable node.',
    quorum_in_reach: '1 while the usable nodes, witnesses included, could complete a quorum, by policy.',
    node_info: '1, labelled with the operator and the role of a node.',
    node_head_block: 'Last head block reported by a node.',
    node_state: '1 for the state that a node is in.',
    node_score: 'Orders nodes of equal priority; the lowest is asked first.',
    node_plan_units: 'Units of its monthly plan that a node has used, at all processes that share a Redis.',
    node_plan_units_max: 'Units of the monthly plan of a node.',
    node_plan_spent_seconds:
      'When the plan of a node is used up at the pace of the last day, Unix seconds; 0 where it lasts.',
    cache_bytes: 'Bytes of cached answers.',
    cache_entries: 'Cached answers.',
    in_flight: 'Requests of callers and requests to nodes in flight.',
    build_info: '1, labelled with the version.',
  },
}

const entries = Object.entries(helps) as readonly (readonly [Kind, Readonly<Record<string, string>>])[]

export const metricTable: Readonly<Record<string, { readonly kind: Kind; readonly help: string }>> =
  Object.fromEntries(
    entries.flatMap(([kind, named]) =>
      Object.entries(named).map(([name, help]) => [
        // Two have the names of OpenTelemetry.
        name.startsWith('rpc_') ? name : `${prefix}_${name}`,
        { kind, help },
      ]),
    ),
  )

/** What the host adds to the snapshot: series of its own, and labels that every sample gets. */
interface HostMetrics {
  readonly series?: readonly Series<number>[]
  readonly labels?: Labels
  /** Makes it OpenMetrics 1.0: each bucket of the call duration names its last trace. */
  readonly exemplars?: Traced['exemplars']
}

export const openMetricsType = 'application/openmetrics-text'

/** The snapshot and the host's own series in Prometheus text format 0.0.4, or in OpenMetrics. */
export function metricsText(snapshot: Snapshot, ofHost: HostMetrics = {}): string {
  const lines = samples(snapshot, ofHost)
  if (ofHost.exemplars === undefined) return textOf(lines, (name) => name)
  // OpenMetrics names a counter's family without the `_total` of its samples.
  const familyOf = (name: string, kind: Kind) => (kind === 'counter' ? name.replace(/_total$/, '') : name)
  return `${textOf(lines, familyOf)}# EOF\n`
}

function textOf(
  lines: ReadonlyMap<string, readonly string[]>,
  familyOf: (name: string, kind: Kind) => string,
): string {
  return [...lines]
    .flatMap(([name, own]) => {
      const known = metricTable[name]
      const kind = known?.kind ?? (name.endsWith('_total') ? 'counter' : 'gauge')
      const family = familyOf(name, kind)
      return [`# HELP ${family} ${known?.help ?? 'Not described.'}`, `# TYPE ${family} ${kind}`, ...own]
    })
    .join('\n')
    .concat('\n')
}

/** Sample lines by metric. */
function samples(
  snapshot: Snapshot,
  { series = [], labels: ofEach = {}, exemplars = () => [] }: HostMetrics,
): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>()
  const add = (name: string, line: string) => {
    const known = lines.get(name)
    if (known === undefined) lines.set(name, [line])
    else known.push(line)
  }
  for (const { name, labels, value } of [...gaugesOf(snapshot), ...snapshot.counters, ...series])
    add(name, `${name}${labelText({ ...ofEach, ...labels })} ${value}`)
  for (const { name, labels, value } of snapshot.histograms) {
    const traced = name === 'rpc_server_call_duration_seconds' ? exemplars(labels) : []
    for (const line of histogramLines(name, { ...ofEach, ...labels }, value, traced)) add(name, line)
  }
  return lines
}

const states: readonly NodeState[] = [
  'usable',
  'open',
  'half-open',
  'rate-limited',
  'behind',
  'ejected',
  'cordoned',
]

/** Those that are known. */
function gauges(labels: Labels, values: Readonly<Record<string, number | null>>): Series<number>[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [{ name: `${prefix}_${name}`, labels, value }],
  )
}

const seconds = (ms: number | null) => ms && ms / 1000

function gaugesOf({ chains, cache, inFlight }: Snapshot): Series<number>[] {
  return [
    ...gauges({ version: packageJson.version }, { build_info: 1 }),
    ...gauges({ kind: 'requests' }, { in_flight: inFlight.requests }),
    ...gauges({ kind: 'upstream-requests' }, { in_flight: inFlight.upstreamRequests }),
    ...gauges({}, { cache_bytes: cache.bytes, cache_entries: cache.entries }),
    ...chains.flatMap((chain) => [...ofChain(chain), ...chain.nodes.flatMap((node) => ofNode(chain, node))]),
  ]
}

function ofChain({ quorum, signed, operatorsToLie, ...chain }: ChainSnapshot): Series<number>[] {
  const labels = { chain: String(chain.chainId) }
  return [
    ...gauges(labels, {
      head_block: chain.head?.number ?? null,
      protected_head_block: chain.protectedHead?.number ?? null,
      head_age_seconds: seconds(chain.headAgeMs),
      head_block_age_seconds: seconds(chain.blockAgeMs),
      clock_behind_seconds: seconds(chain.clockBehindMs),
      head_lag_max_seconds: seconds(chain.headLagMaxMs),
      signed_block_time_seconds: signed && seconds(signed.timeMs ?? 0),
      quorum_needed: quorum.needed,
      quorum_weight: quorum.total,
      quorum_usable: quorum.usable,
    }),
    ...Object.entries(quorum.inReach).flatMap(([policy, isInReach]) =>
      gauges({ ...labels, policy }, { quorum_in_reach: isInReach === null ? null : Number(isInReach) }),
    ),
    ...Object.entries(operatorsToLie).flatMap(([policy, operators]) =>
      gauges({ ...labels, policy }, { operators_to_lie: operators }),
    ),
  ]
}

function ofNode({ chainId }: ChainSnapshot, node: NodeSnapshot): Series<number>[] {
  const labels = { chain: String(chainId), node: node.name }
  return [
    ...gauges({ ...labels, operator: node.operator, role: node.role }, { node_info: 1 }),
    ...gauges(labels, {
      node_head_block: node.head,
      node_score: node.score,
      node_plan_units: node.plan?.units ?? null,
      node_plan_units_max: node.plan?.unitsMax ?? null,
      node_plan_spent_seconds: node.plan && seconds(node.plan.spentMs ?? 0),
    }),
    ...states.flatMap((state) => gauges({ ...labels, state }, { node_state: Number(node.state === state) })),
  ]
}

function histogramLines(
  name: string,
  labels: Labels,
  { bounds, counts, sum, count }: Histogram,
  exemplars: readonly Exemplar[],
): string[] {
  const text = labelText(labels)
  const bucket = (bound: number, above: number, total: number) => {
    const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound)
    const traced = exemplars.findLast(({ value }) => value > above && value <= bound)
    return `${name}_bucket${labelText({ ...labels, le })} ${total}${traced === undefined ? '' : exemplarText(traced)}`
  }
  return [
    ...bounds.map((bound, at) => bucket(bound, bounds[at - 1] ?? -1, counts[at] ?? 0)),
    bucket(Number.POSITIVE_INFINITY, bounds.at(-1) ?? -1, count),
    `${name}_sum${text} ${sum}`,
    `${name}_count${text} ${count}`,
  ]
}

function exemplarText({ traceId, value, atMs }: Exemplar): string {
  return ` # {trace_id="${traceId}"} ${value} ${(atMs / 1000).toFixed(3)}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}
