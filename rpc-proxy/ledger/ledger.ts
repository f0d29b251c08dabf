import { type CallRecord, type EngineEvent, invariants, type RequestRecord } from '../events/events.ts'
import type { ElectorateRecord, Evidence, ProofRecord } from '../events/evidence-types.ts'
import { bytesOf } from '../evidence/build.ts'
import { contains, electorateOf, type OperatorSet } from '../quorum/electorate.ts'
import { fewestOperators } from '../quorum/operators-to-lie.ts'
import type { Clock } from '../runtime/clock.ts'
import { createDictionary } from '../runtime/dictionary.ts'
import type { OperatorIndex } from '../runtime/indexes.ts'
import { dayMs } from '../runtime/period-counts.ts'
import { isOwnFault } from '../wire/fault.ts'
import { createBlockLog, type SeenBlock } from './blocks.ts'
import { type Certificate, certify } from './certificate.ts'
import { createCounts, type NodeFigures, replies, votes } from './counts.ts'
import { HistoryLog, type HistoryRange } from './history.ts'
import { NodeHours } from './node-hours.ts'
import type { ChainSnapshot, Histogram, Series } from './snapshot-types.ts'

/**
 * Counts what the engine tells and keeps what answers rest on; everything that an operator sees reads from here. Bounded in series,
 * answers and bytes. Certificates are made only when they are read.
 */
export class Ledger {
  readonly history: HistoryLog
  /** What each node did by hour, for a month. */
  readonly hours: NodeHours
  readonly #now: () => number
  readonly #counts = createCounts()
  readonly #blocks: ReturnType<typeof createBlockLog>
  readonly #archive = createArchive({
    entriesMax: 1000,
    bytesMax: 33_554_432,
    ageMaxMs: Number.POSITIVE_INFINITY,
  })
  /** Failures and disputes. */
  readonly #disputes = createArchive({ entriesMax: 10_000, bytesMax: 16_777_216, ageMaxMs: dayMs })

  constructor(clock: Pick<Clock, 'now'>) {
    this.#now = () => clock.now()
    this.history = new HistoryLog(this.#now)
    this.hours = new NodeHours(this.#now)
    this.#blocks = createBlockLog(this.#now)
  }

  /** Takes in one event; never throws. */
  note(event: EngineEvent): void {
    const counts = this.#counts
    switch (event.type) {
      case 'request':
        this.#noteRequest(event.request)
        break
      case 'upstream-request':
        this.#noteUpstreamRequest(event)
        break
      case 'verdict':
        this.#noteVerdict(event.evidence)
        break
      case 'node-head':
        this.#noteNodeHead(event)
        break
      case 'head':
        this.#blocks.agreed(event.chainId, event.block.number, event.block.hash)
        break
      case 'dissent':
        add(counts.dissents_total.at(event.chainId, event.node))
        this.history.addToNode(event.chainId, event.node, { dissents: 1 })
        this.hours.count(event.chainId, event.node, 'dissents')
        break
      case 'dissent-judged':
        this.hours.count(event.chainId, event.node, event.ended)
        break
      case 'proof':
        this.hours.count(event.chainId, event.node, 'proofs')
        break
      case 'stall':
      case 'proof-fault':
        add(counts[counterOf[event.type]].at(event.chainId, event.node))
        break
      case 'equivocation':
      case 'distrust':
        add(counts[counterOf[event.type]].at(event.chainId, event.operator))
        break
      case 'breach':
        add(counts.breaches_total.at(event.chainId, event.invariant))
        break
      case 'reorg':
      case 'shed':
      case 'rate-limited':
        add(counts[counterOf[event.type]].at(chainLabel(event.chainId)))
        break
      // States are the snapshot's: they are read where they live, not remembered here.
      case 'node-state':
      case 'head-lag':
      case 'clock-behind':
    }
  }

  /** The host's observer threw on an event of this type. */
  observerFailed(type: EngineEvent['type']): void {
    add(this.#counts.observer_errors_total.at(type))
  }

  counters(): readonly Series<number>[] {
    return [...this.#counts.counters(), ...this.hours.counters()]
  }

  histograms(): readonly Series<Histogram>[] {
    return [...this.#counts.histograms(), ...this.hours.histograms()]
  }

  /** Certificates of the latest answers, all or within a time range, newest first. */
  certificates(most: number, range?: Range): readonly Certificate[] {
    return this.#archive.newest(most, this.#now(), range).map(certify)
  }

  /** The last failures and disputes, newest first, those on heads included. */
  disputes(most: number, range?: Range): readonly Certificate[] {
    return this.#disputes.newest(most, this.#now(), range).map(certify)
  }

  certificate(id: string): Certificate | null {
    const evidence = this.#archive.get(id) ?? this.#disputes.get(id)
    return evidence === null ? null : certify(evidence)
  }

  /** What was proven of an answer, which the cache does not keep. */
  proofOf(id: string): Evidence['proof'] {
    return this.#archive.get(id)?.proof
  }

  nodeFigures(chainId: number, node: string): NodeFigures {
    return this.#counts.nodeFigures(chainId, node)
  }

  /** Creates the counters of alerts at 0. Prometheus sees no increase in a series that begins at 1. */
  startCounters(chainId: number, nodes: readonly string[]): void {
    const { breaches_total, thin_total, faults_total } = this.#counts
    // Chain 0 counts requests without a chain.
    for (const chain of [0, chainId]) for (const each of invariants) breaches_total.at(chain, each)
    thin_total.at(chainId)
    for (const node of nodes) faults_total.at(chainId, node, 'too-many-files')
  }

  reorgs(chainId: number): number {
    return this.#counts.reorgs_total.at(chainId).value
  }

  proofs(chainId: number, nodes: readonly string[]): ChainSnapshot['proofs'] {
    const { proven_total, proof_faults_total, proof_requests_saved_total, requestsPerCall } = this.#counts
    return {
      calls: requestsPerCall.at(chainId).count(),
      proven: proven_total.at(chainId).value,
      saved: proof_requests_saved_total.at(chainId).value,
      forged: nodes.reduce((sum, node) => sum + proof_faults_total.at(chainId, node).value, 0),
    }
  }

  blocks(chainId: number): readonly SeenBlock[] {
    return this.#blocks.read(chainId)
  }

  #noteRequest({ chainId, calls, endMs }: RequestRecord): void {
    const chain = chainLabel(chainId)
    for (const call of calls) {
      const { method, code, cache, evidence } = call
      this.#counts.serverSeconds.at(chain, method, code).observe((call.endMs - call.startMs) / 1000)
      this.#counts.requestsPerCall.at(chain).observe(requestsOf(call))
      if (chainId !== null) this.#remember(chainId, call)
      if (cache !== null) add(this.#counts.cache_total.at(chain, cache))
      if (code === 0 && evidence?.ruleId === 'proven') this.#noteProven(chain, call, evidence)
      // A hit names evidence that has usually been kept already; only what has left the archive comes back.
      if (evidence !== null && !this.#archive.has(evidence.id)) this.#archive.keep(evidence, endMs)
    }
  }

  #noteProven(chain: number | string, call: CallRecord, evidence: Evidence): void {
    add(this.#counts.proven_total.at(chain))
    // What is known would be known by a quorum too.
    if (call.cache !== 'hit')
      this.#counts.proof_requests_saved_total.at(chain).value += savedRequests(evidence, requestsOf(call))
  }

  #remember(chainId: number, call: CallRecord): void {
    const { code, cache, startMs, endMs } = call
    const isKnown = cache === 'hit' || cache === 'shared'
    this.history.addToChain(chainId, {
      calls: 1,
      callMs: endMs - startMs,
      failures: isFailure(code) ? 1 : 0,
      known: isKnown ? 1 : 0,
      requests: requestsOf(call),
    })
  }

  #noteUpstreamRequest({
    chainId,
    node,
    purpose,
    outcome,
    fault,
    durationMs,
  }: Extract<EngineEvent, { type: 'upstream-request' }>): void {
    this.#counts.request(chainId, node, outcome, fault, durationMs)
    if (replies.has(outcome)) {
      this.history.addToNode(chainId, node, { replies: 1, replyMs: durationMs })
      this.hours.count(chainId, node, 'replies')
      this.hours.observe(chainId, node, purpose, durationMs)
      if (votes.has(outcome)) this.hours.count(chainId, node, 'votes')
    }
    if (fault !== null) this.hours.countFault(chainId, node, fault)
    if (fault === 'rate-limited') this.history.addToNode(chainId, node, { limited: 1 })
    else if (fault !== null && !isOwnFault(fault)) this.history.addToNode(chainId, node, { faults: 1 })
  }

  #noteNodeHead({ chainId, node, number }: Extract<EngineEvent, { type: 'node-head' }>): void {
    const { blocks, delayMs } = this.#blocks.record(chainId, node, number)
    this.hours.observe(chainId, node, 'behind', blocks)
    this.hours.observe(chainId, node, 'delay', delayMs)
  }

  #noteVerdict(evidence: Evidence): void {
    const { id, chainId, method, params, outcome, reason, policy, isThin, groups } = evidence
    add(this.#counts.rounds_total.at(chainId, policy))
    if (isThin) add(this.#counts.thin_total.at(chainId))
    add(this.#counts.verdicts_total.at(chainId, method, reason ?? outcome))
    if ((outcome === 'failed' && reason !== 'refused') || groups.length > 1)
      this.#disputes.keep(evidence, this.#now())
    // What is kept for others has no proof any more.
    if (evidence.proof !== undefined) this.#archive.keep(evidence, this.#now())
    // A broadcast, whose account alone has no params, goes on collecting after its caller was answered: the last replaces the first.
    if (params === null && this.#archive.has(id)) this.#archive.keep(evidence, this.#now())
  }
}

/** Counters of events that are counted and nothing else. */
const counterOf = {
  stall: 'stalls_total',
  'proof-fault': 'proof_faults_total',
  equivocation: 'equivocations_total',
  distrust: 'distrusts_total',
  reorg: 'reorgs_total',
  shed: 'shed_total',
  'rate-limited': 'rate_limited_total',
} as const

function add(counter: { value: number }): void {
  counter.value += 1
}

/** A request for an unknown chain is counted under a fixed name, not its own. */
const chainLabel = (chainId: number | null): number | string => chainId ?? 'none'

/** No quorum, or an answer withheld: what counts against the error budget. */
const isFailure = (code: number): boolean => code === -32010 || code === -32603

/** Requests to nodes that a call caused itself: what was known, or asked for somebody else already, cost none. */
const requestsOf = ({ cache, evidence }: CallRecord): number =>
  evidence === null || cache === 'hit' || cache === 'shared' ? 0 : evidence.requests.length

/** Epoch milliseconds. */
type Range = Pick<HistoryRange, 'fromMs' | 'toMs'>
const always: Range = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

interface ArchiveOptions {
  readonly entriesMax: number
  /** Estimated memory of what is kept. */
  readonly bytesMax: number
  readonly ageMaxMs: number
}

/**
 * Evidence by id, the newest first to be shown and the oldest first to go: bounded by entries, bytes and age. What alone is over the
 * bytes is kept until the next comes.
 */
export function createArchive({ entriesMax, bytesMax, ageMaxMs }: ArchiveOptions) {
  const byId = createDictionary<Entry>()
  /** The oldest first. */
  const entries: Entry[] = []
  let bytes = 0

  function forget({ evidence, bytes: own }: Entry): void {
    delete byId[evidence.id]
    bytes -= own
  }

  function dropOld(nowMs: number): void {
    for (let [oldest] = entries; oldest !== undefined; [oldest] = entries) {
      const isRoomy = entries.length <= entriesMax && (bytes <= bytesMax || entries.length === 1)
      if (isRoomy && nowMs - oldest.atMs <= ageMaxMs) return
      entries.shift()
      forget(oldest)
    }
  }

  return {
    /** Keeps it, in the place of an older account of the same answer. */
    keep(evidence: Evidence, nowMs: number): void {
      const known = byId[evidence.id]
      if (known !== undefined) {
        entries.splice(entries.indexOf(known), 1)
        forget(known)
      }
      const entry = { evidence, bytes: bytesOfAll(evidence), atMs: nowMs }
      byId[evidence.id] = entry
      entries.push(entry)
      bytes += entry.bytes
      dropOld(nowMs)
    },
    has: (id: string): boolean => byId[id] !== undefined,
    get: (id: string): Evidence | null => byId[id]?.evidence ?? null,
    newest(most: number, nowMs: number, { fromMs, toMs }: Range = always): readonly Evidence[] {
      dropOld(nowMs)
      return entries
        .map(({ evidence }) => evidence)
        .filter(({ startMs, endMs }) => endMs >= fromMs && startMs <= toMs)
        .reverse()
        .slice(0, Math.max(0, Math.floor(most)))
    },
  }
}

interface Entry {
  readonly evidence: Evidence
  readonly bytes: number
  readonly atMs: number
}

/** What an evidence weighs in memory, roughly, and the texts that it holds. */
function bytesOfAll(evidence: Evidence): number {
  const { proof } = evidence
  return 500 + bytesOf(evidence, '') + (typeof proof === 'object' ? 2 * charsOf(proof) : 0)
}

/** Of the nodes and the code in a proof, which are nearly all of it. */
function charsOf({ header, nodes, slots, code }: ProofRecord): number {
  const texts = [...header, ...nodes, ...slots.flatMap((slot) => slot.nodes), code ?? '']
  return texts.reduce((sum, { length }) => sum + length, 0)
}

/** Requests that a proven call did without: the smallest quorum that could have agreed on it would have taken more. */
export function savedRequests({ electorate, needed, operatorsMin }: Evidence, requests: number): number {
  const voters = electorateOf(votersOf(electorate), needed, operatorsMin)
  return Math.max(0, (fewestOperators(voters) ?? 0) - requests)
}

function votersOf({ operators, weights, required }: ElectorateRecord) {
  return operators.map((operator, index) => ({
    operator,
    weight: weights[index] ?? 0,
    required: contains(required as OperatorSet, index as OperatorIndex),
  }))
}
