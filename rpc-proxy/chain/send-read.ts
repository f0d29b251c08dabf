import type { EngineEvent, Purpose, TraceContext } from '../events/events.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import { traceparentFor } from '../events/trace-context.ts'
import type { AgreedBlock } from '../heads/head-views.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { isEmpty, listOperators, type OperatorSet } from '../quorum/electorate.ts'
import { incapacityOf } from '../quorum/incapacity.ts'
import {
  type ReadOutcome,
  type ReadQuestion,
  ReadRound,
  type ReadRoundOptions,
} from '../quorum/read-round.ts'
import { runRound } from '../round/round.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { Node } from '../upstreams/node.ts'
import { type Candidate, inOrder } from '../upstreams/order.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { Reply } from '../wire/types.ts'
import type { Chain } from './chain.ts'
import { type NodeFeedback, UpstreamRequest, type UpstreamRequestOptions } from './upstream-request.ts'

/** One read, as it is sent to nodes. */
export interface ChainRead extends ReadQuestion {
  readonly spec: MethodSpec
  readonly call: NodeCall
  readonly block: PinnedBlock | null
  /** The id under which its evidence will be found. */
  readonly id: string
  /** The trace that nodes with `trace` are told of; null where nothing is traced. */
  readonly trace: TraceContext | null
  /** Nodes that come before all others. */
  readonly first: ReadonlySet<string> | null
  readonly deadlineMs: number
  /** The departure of every caller. */
  readonly signal: Signal | null
}

/** What a round needs of the engine. */
export interface ReadPorts {
  readonly clock: Clock
  readonly random: () => number
  readonly emit: (event: EngineEvent) => void
  readonly nextId: () => string
}

/** Sends one read to the nodes of a chain, and returns how its round ended. */
export function sendRead(read: ChainRead, chain: Chain, ports: ReadPorts): Promise<ReadOutcome> {
  const { deadlineMs, signal, audit } = read
  const sender = new ReadSender(read, chain, ports)
  const running = runRound(new ReadRound(read, sender), { deadlineMs, clock: ports.clock, signal })
  // An audit may bring a dissent after the verdict.
  if (audit)
    running.verdict.then(
      (outcome) => running.ended().then(() => sender.reportDissent(outcome)),
      () => {},
    )
  return running.verdict
}

/** Sends the requests of one read, and reports what they say of their nodes. */
class ReadSender implements ReadRoundOptions<UpstreamRequest>, UpstreamRequestOptions {
  readonly members: readonly Candidate[]
  readonly clock: Clock
  readonly feedback: NodeFeedback
  readonly call: NodeCall
  readonly purpose: Purpose
  readonly block: PinnedBlock | null
  readonly #read: ChainRead
  readonly #chain: Chain

  constructor(read: ChainRead, chain: Chain, { clock, random }: ReadPorts) {
    this.#read = read
    this.#chain = chain
    this.members = candidatesOf(read, chain, random)
    this.clock = clock
    this.feedback = chain.feedback
    this.call = read.call
    this.purpose = read.call.context.callerControlled ? 'caller-controlled' : 'read'
    this.block = read.block
  }

  hasSlot(member: MemberIndex): boolean {
    return this.#nodeAt(member).budget.backlog() === 0
  }

  start(member: MemberIndex): UpstreamRequest {
    const { call, trace, id } = this.#read
    const node = this.#nodeAt(member)
    const { clock, feedback, purpose, block } = this
    const isTraced = node.options.trace && trace !== null
    return new UpstreamRequest(
      member,
      node,
      isTraced
        ? {
            ...{ clock, feedback, purpose, block, refine: (reply) => this.refine(reply) },
            call: { ...call, traceparent: traceparentFor(trace, id, node.options.name) },
          }
        : this,
    )
  }

  /** Of a block that is there, a node that has nothing is behind; without receipts only where the block has no logs. */
  refine(reply: Reply): Reply {
    const { spec, block } = this.#read
    if (reply.kind !== 'result' || !spec.ofBlock || block?.hash == null) return reply
    const isMissing =
      reply.raw === 'null' || (reply.raw === '[]' && !hasNoLogs(this.#chain.heads.agreed.blockOf(block.hash)))
    return isMissing ? { kind: 'behind' } : reply
  }

  onOutcome(outcome: ReadOutcome | null, round: ReadRound<UpstreamRequest>): void {
    if (outcome === null) {
      round.explain(null)
      return
    }
    if (round.hasUnexplained()) {
      const { verdict } = outcome
      const incapacity = verdict.kind === 'agreed' ? null : incapacityOf(outcome, verdict)
      round.explain(incapacity?.why === 'unknown' ? incapacity.error : null)
    }
    if (!this.#read.audit) this.reportDissent(outcome)
    // Others answered it. What everybody fails at is the call's doing.
    if (this.purpose === 'caller-controlled' && outcome.verdict.kind === 'agreed')
      for (const request of round.sent())
        if (request.hasFailed) request.node.health.deprioritized.failed(this.call.method)
    if (!isEmpty(outcome.split)) this.#reportSplit(outcome.split)
  }

  /** The votes outside of what was agreed, when the last request has ended. */
  reportDissent({ verdict, groups }: ReadOutcome): void {
    if (verdict.kind === 'failed' || verdict.raw !== null) return
    const { feedback, suspects } = this.#chain
    const { group, joined, operators } = verdict
    for (const { index, members } of groups) {
      if (index === group.index || joined.includes(index)) continue
      for (const member of members) {
        const node = this.#nodeAt(member)
        feedback.dissented(node, this.call.method, this.#read.id)
        if (isOfHonesty(this.#read)) suspects.contradicted(node, operators)
      }
    }
  }

  /** These contradict themselves. */
  #reportSplit(split: OperatorSet): void {
    const { electorate, feedback, suspects } = this.#chain
    for (const index of listOperators(split)) {
      const operator = electorate.operators[index] ?? ''
      feedback.equivocated(operator, this.call.method, this.#read.id)
      if (isOfHonesty(this.#read)) suspects.contradictsItself(operator)
    }
  }

  #nodeAt(member: MemberIndex): Node {
    return (this.members[member] as Candidate).node
  }
}

function candidatesOf(
  { call, block, first, policy }: ChainRead,
  { nodes, electorate }: Chain,
  random: () => number,
): readonly Candidate[] {
  const order = { electorate, method: call.method, block: block?.number ?? null, random }
  let ordered = inOrder(nodes, order)
  if (policy === 'everyday' && ordered.some(({ isReserved }) => isReserved))
    ordered = ordered.map((each) => (each.isReserved ? { ...each, isUsable: false } : each))
  if (first === null) return ordered
  const isFirst = ({ node }: Candidate) => first.has(node.options.name)
  return ordered.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
}

/** By its agreed header, or its header is not known. */
function hasNoLogs(block: AgreedBlock | null): boolean {
  return block?.logsBloom == null || /^0x0*$/.test(block.logsBloom)
}

/** Only a vote on an agreed block, on what no caller can forge, speaks of a node's honesty. */
function isOfHonesty({ spec, block }: ChainRead): boolean {
  return spec.ejects && block?.hash != null
}
