import type { ChainSnapshot, Histogram, NodeState, Series, Snapshot } from '#rpc-proxy'
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
  /** Of OpenMetrics alone. */
  readonly exemplars?: Traced['exemplars']
}

/** The snapshot and the host's own series in Prometheus text format 0.0.4. */
export function metricsText(snapshot: Snapshot, ofHost: HostMetrics = {}): string {
  return [...samples(snapshot, { ...ofHost, exemplars: none })]
    .flatMap(([name, own]) => {
      const { kind, help } = describe(name)
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...own]
    })
    .join('\n')
    .concat('\n')
}

const none: Traced['exemplars'] = () => []

export const openMetricsType = 'application/openmetrics-text'

/** The same in OpenMetrics 1.0, with exemplars: each bucket of the call duration names its last trace. */
export function openMetricsText(snapshot: Snapshot, ofHost: HostMetrics): string {
  return [...samples(snapshot, ofHost)]
    .flatMap(([name, own]) => {
      const { kind, help } = describe(name)
      // OpenMetrics names a counter's family without the `_total` of its samples.
      const family = kind === 'counter' ? name.replace(/_total$/, '') : name
      return [`# HELP ${family} ${help}`, `# TYPE ${family} ${kind}`, ...own]
    })
    .join('\n')
    .concat('\n# EOF\n')
}

function describe(name: string): { readonly kind: Kind; readonly help: string } {
  return metricTable[name] ?? { kind: name.endsWith('_total') ? 'counter' : 'gauge', help: 'Not described.' }
}

/** Sample lines by metric. */
function samples(
  snapshot: Snapshot,
  { series = [], labels: ofEach = {}, exemplars = none }: HostMetrics,
): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>()
  const add = (name: string, line: string) => {
    const known = lines.get(name)
    if (known === undefined) lines.set(name, [line])
    else known.push(line)
  }
  for (const { name, labels, value } of [...gauges(snapshot), ...snapshot.counters, ...series])
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

function gauges({ chains, cache, inFlight }: Snapshot): Series<number>[] {
  const gauge = (name: string, labels: Labels, value: number | null): Series<number>[] =>
    value === null ? [] : [{ name: `${prefix}_${name}`, labels, value }]
  return [
    ...gauge('build_info', { version: packageJson.version }, 1),
    ...gauge('in_flight', { kind: 'requests' }, inFlight.requests),
    ...gauge('in_flight', { kind: 'upstream-requests' }, inFlight.upstreamRequests),
    ...gauge('cache_bytes', {}, cache.bytes),
    ...gauge('cache_entries', {}, cache.entries),
    ...chains.flatMap((each) => [...chainGauges(each), ...nodeGauges(each)]),
  ]

  function chainGauges({
    chainId,
    head,
    protectedHead,
    headAgeMs,
    blockAgeMs,
    clockBehindMs,
    headLagMaxMs,
    quorum,
    operatorsToLie,
    signed,
  }: ChainSnapshot): Series<number>[] {
    const chain = { chain: String(chainId) }
    const byPolicy = (name: string, values: Readonly<Record<string, number | boolean | null>>) =>
      Object.entries(values).flatMap(([policy, value]) =>
        gauge(name, { ...chain, policy }, value === null ? null : Number(value)),
      )
    return [
      ...gauge('head_block', chain, head?.number ?? null),
      ...gauge('protected_head_block', chain, protectedHead?.number ?? null),
      ...gauge('head_age_seconds', chain, headAgeMs === null ? null : headAgeMs / 1000),
      ...gauge('head_block_age_seconds', chain, blockAgeMs === null ? null : blockAgeMs / 1000),
      ...gauge('clock_behind_seconds', chain, clockBehindMs / 1000),
      ...gauge('head_lag_max_seconds', chain, headLagMaxMs === null ? null : headLagMaxMs / 1000),
      ...gauge('signed_block_time_seconds', chain, signed === null ? null : (signed.timeMs ?? 0) / 1000),
      ...gauge('quorum_needed', chain, quorum.needed),
      ...gauge('quorum_weight', chain, quorum.total),
      ...gauge('quorum_usable', chain, quorum.usable),
      ...byPolicy('quorum_in_reach', quorum.inReach),
      ...byPolicy('operators_to_lie', operatorsToLie),
    ]
  }

  function nodeGauges({ chainId, nodes }: ChainSnapshot): Series<number>[] {
    return nodes.flatMap((each) => {
      const node = { chain: String(chainId), node: each.name }
      return [
        ...gauge('node_info', { ...node, operator: each.operator, role: each.role }, 1),
        ...gauge('node_head_block', node, each.head),
        ...gauge('node_score', node, each.score),
        ...gauge('node_plan_units', node, each.plan?.units ?? null),
        ...gauge('node_plan_units_max', node, each.plan?.unitsMax ?? null),
        ...gauge('node_plan_spent_seconds', node, each.plan && (each.plan.spentMs ?? 0) / 1000),
        ...states.flatMap((state) => gauge('node_state', { ...node, state }, each.state === state ? 1 : 0)),
      ]
    })
  }
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
