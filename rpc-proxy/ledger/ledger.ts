import type { Clock } from '../clock.ts'
import type { CallRecord, EngineEvent, Evidence, RequestRecord } from '../events.ts'
import { askCountOf } from '../packed-evidence.ts'
import { createArchive } from './archive.ts'
import { createBlockLog, type SeenBlock } from './blocks.ts'
import { type Certificate, certify } from './certificate.ts'
import { createCounts, type NodeFigures, replies } from './counts.ts'
import { createHistory, type HistoryLog } from './history.ts'
import type { Histogram, Series } from './snapshot-types.ts'

export interface LedgerOptions {
  readonly clock: Clock
  /** Answers that can be looked up by id. */
  readonly answersMax?: number
  /** Estimated memory of those answers. */
  readonly answersBytesMax?: number
  /** Failures and disputes are kept this long, and this many bytes of them. */
  readonly disputesAgeMaxMs?: number
  readonly disputesBytesMax?: number
}

/** Counts what the engine tells and keeps what answers rest on. Everything that an operator sees reads from here. */
export interface Ledger {
  /** Takes in one event; never throws. */
  readonly note: (event: EngineEvent) => void
  /** The host's observer threw on an event of this type. */
  readonly observerFailed: (type: EngineEvent['type']) => void
  readonly counters: () => readonly Series<number>[]
  readonly histograms: () => readonly Series<Histogram>[]
  /** The last answers' certificates, newest first. */
  readonly answers: (most: number) => readonly Certificate[]
  /** The last failures and disputes, newest first, those on heads included. */
  readonly disputes: (most: number) => readonly Certificate[]
  readonly answer: (id: string) => Certificate | null
  readonly nodeFigures: (chainId: number, node: string) => NodeFigures
  readonly reorgs: (chainId: number) => number
  readonly history: Pick<HistoryLog, 'read' | 'take' | 'restore'>
  readonly blocks: (chainId: number) => readonly SeenBlock[]
}

const dayMs = 86_400_000

/** Creates an empty ledger. Bounded in series, answers and bytes; certificates are made only when they are read. */
export function createLedger({
  clock,
  answersMax = 1000,
  answersBytesMax = 33_554_432,
  disputesAgeMaxMs = dayMs,
  disputesBytesMax = 16_777_216,
}: LedgerOptions): Ledger {
  const counts = createCounts()
  const history = createHistory(clock.now)
  const blocks = createBlockLog(clock.now)
  const answers = createArchive({
    entriesMax: answersMax,
    bytesMax: answersBytesMax,
    ageMaxMs: Number.POSITIVE_INFINITY,
  })
  const disputes = createArchive({
    entriesMax: 10_000,
    bytesMax: disputesBytesMax,
    ageMaxMs: disputesAgeMaxMs,
  })

  const noteRequest = ({ chainId, calls }: RequestRecord) => {
    const chain = chainLabel(chainId)
    for (const call of calls) {
      counts.serverSeconds.at(chain, call.method, call.code).observe((call.endMs - call.startMs) / 1000)
      counts.asksPerCall.at(chain).observe(asksOf(call))
      if (chainId !== null) remember(chainId, call)
      if (call.cache !== null) add(counts.cache_total.at(chain, call.cache))
      // A hit names evidence that has usually been kept already; only what has left the archive comes back.
      if (call.evidence !== null && !answers.has(call.evidence.id)) answers.keep(call.evidence, clock.now())
    }
  }

  const remember = (chainId: number, call: CallRecord) => {
    history.addToChain(chainId, 'calls', 1)
    history.addToChain(chainId, 'answerMs', call.endMs - call.startMs)
    if (isFailure(call.code)) history.addToChain(chainId, 'failures', 1)
    if (call.cache === 'hit' || call.cache === 'shared') history.addToChain(chainId, 'known', 1)
    else history.addToChain(chainId, 'asks', asksOf(call))
  }

  const noteAsk = ({ chainId, node, outcome, fault, durationMs }: Extract<EngineEvent, { type: 'ask' }>) => {
    counts.ask(chainId, node, outcome, fault, durationMs)
    if (replies.has(outcome)) {
      history.addToNode(chainId, node, 'replies', 1)
      history.addToNode(chainId, node, 'replyMs', durationMs)
    }
    if (fault !== null && fault !== 'cancelled')
      history.addToNode(chainId, node, fault === 'rate-limited' ? 'limited' : 'faults', 1)
  }

  const noteVerdict = (evidence: Evidence) => {
    const { chainId, method, outcome, reason, camps } = evidence
    add(counts.verdicts_total.at(chainId, method, reason ?? outcome))
    if (outcome === 'failed' || camps.length > 1) disputes.keep(evidence, clock.now())
    // A broadcast goes on collecting after its caller was answered: its last account replaces the first.
    if (answers.has(evidence.id)) answers.keep(evidence, clock.now())
  }

  const note = (event: EngineEvent): void => {
    switch (event.type) {
      case 'request':
        noteRequest(event.request)
        break
      case 'ask':
        noteAsk(event)
        break
      case 'verdict':
        noteVerdict(event.evidence)
        break
      case 'stall':
        add(counts.stalls_total.at(event.chainId, event.node))
        break
      case 'dissent':
        add(counts.dissents_total.at(event.chainId, event.node))
        history.addToNode(event.chainId, event.node, 'dissents', 1)
        break
      case 'equivocation':
        add(counts.equivocations_total.at(event.chainId, event.operator))
        break
      case 'reorg':
        add(counts.reorgs_total.at(event.chainId))
        break
      case 'shed':
        add(counts.shed_total.at(chainLabel(event.chainId)))
        break
      case 'rate-limited':
        add(counts.rate_limited_total.at(chainLabel(event.chainId)))
        break
      case 'breach':
        add(counts.breaches_total.at(event.chainId, event.invariant))
        break
      case 'head':
        blocks.agreed(event.chainId, event.block.number, event.block.hash)
        break
      case 'node-head':
        blocks.shown(event.chainId, event.node, event.number)
        break
      // States are the snapshot's: they are read where they live, not remembered here.
      case 'node-state':
        break
    }
  }

  return {
    note,
    observerFailed: (type) => add(counts.observer_errors_total.at(type)),
    counters: counts.counters,
    histograms: counts.histograms,
    answers: (most) => answers.newest(most, clock.now()).map(certify),
    disputes: (most) => disputes.newest(most, clock.now()).map(certify),
    answer(id) {
      const evidence = answers.get(id) ?? disputes.get(id)
      return evidence === null ? null : certify(evidence)
    },
    nodeFigures: counts.nodeFigures,
    reorgs: (chainId) => counts.reorgs_total.at(chainId).value,
    history,
    blocks: blocks.read,
  }
}

function add(counter: { value: number }): void {
  counter.value += 1
}

/** A request whose chain is not one of ours is counted, under no name that it chose. */
const chainLabel = (chainId: number | null): number | string => chainId ?? 'none'

/** No quorum, or an answer withheld: what counts against the error budget. */
const isFailure = (code: number): boolean => code === -32010 || code === -32603

/** Asks of nodes that a call caused itself: what was known, or asked for somebody else already, cost none. */
const asksOf = ({ cache, evidence }: CallRecord): number =>
  evidence === null || cache === 'hit' || cache === 'shared' ? 0 : askCountOf(evidence)
