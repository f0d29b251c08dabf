import type { EngineEvent, Purpose, TraceContext } from '../events/events.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import { isBlankBloom } from '../methods/log-filter.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { isEmpty, namesOf, type OperatorSet } from '../quorum/electorate.ts'
import { incapacityOf } from '../quorum/incapacity.ts'
import { type ReadOutcome, type ReadQuestion, ReadRound } from '../quorum/read-round.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { DissentAt } from '../upstreams/health.ts'
import type { Node } from '../upstreams/node.ts'
import { type Candidate, inOrder } from '../upstreams/order.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { Reply } from '../wire/types.ts'
import type { Chain } from './chain.ts'
import { traced, UpstreamRequest, type UpstreamRequestOptions } from './upstream-request.ts'

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
  const round = new ChainRound(read, chain, ports).begin()
  // An audit may bring a dissent after the verdict.
  if (read.audit)
    round.verdict.then(
      (outcome) => round.ended().then(() => round.reportDissent(outcome)),
      () => {},
    )
  return round.verdict
}

/** The round of one read. Reports what the replies say of their nodes. */
class ChainRound extends ReadRound<UpstreamRequest> implements UpstreamRequestOptions {
  declare protected readonly members: readonly Candidate[]
  readonly emit: ReadPorts['emit']
  readonly chainId: number
  readonly call: NodeCall
  readonly purpose: Purpose
  readonly block: PinnedBlock | null
  readonly #read: ChainRead
  readonly #chain: Chain

  constructor(read: ChainRead, chain: Chain, { clock, random, emit }: ReadPorts) {
    const { deadlineMs, signal } = read
    super(read, candidatesOf(read, chain, random), { deadlineMs, clock, signal })
    this.#read = read
    this.#chain = chain
    this.emit = emit
    this.chainId = chain.config.id
    this.call = read.call
    this.purpose = read.call.context.callerControlled ? 'caller-controlled' : 'read'
    this.block = read.block
  }

  protected hasSlot(member: MemberIndex): boolean {
    return this.#nodeAt(member).budget.backlog() === 0
  }

  protected request(member: MemberIndex): UpstreamRequest {
    const node = this.#nodeAt(member)
    const call = traced(this.call, node, this.#read)
    if (call === this.call) return new UpstreamRequest(member, node, this)
    const { clock, emit, chainId, purpose, block } = this
    const refine = (reply: Reply) => this.refine(reply)
    return new UpstreamRequest(member, node, { clock, emit, chainId, purpose, block, refine, call })
  }

  /** A node that has nothing of an agreed block is behind. An empty list is believed only where the block's bloom is blank. */
  refine(reply: Reply): Reply {
    const { spec, block } = this.#read
    if (reply.kind !== 'result' || !spec.ofBlock || block?.hash == null) return reply
    // Of the agreed header; where that is not known, the list is believed.
    const bloom = this.#chain.heads.agreed.blockOf(block.hash)?.logsBloom ?? '0x'
    const isMissing = reply.raw === 'null' || (reply.raw === '[]' && !isBlankBloom(bloom))
    return isMissing ? { kind: 'behind' } : reply
  }

  protected override onVerdict(outcome: ReadOutcome | null): void {
    if (outcome === null) {
      this.explain(null)
      return
    }
    if (this.hasUnexplained()) {
      const { verdict } = outcome
      const incapacity = verdict.kind === 'agreed' ? null : incapacityOf(outcome, verdict)
      this.explain(incapacity?.why === 'unknown' ? incapacity.error : null)
    }
    if (!this.#read.audit) this.reportDissent(outcome)
    // Only where others answered: what every node fails at is due to the call.
    if (this.purpose === 'caller-controlled' && outcome.verdict.kind === 'agreed')
      for (const request of this.requests)
        if (request.hasFailed) request.node.health.deprioritized.failed(this.call.method)
    if (!isEmpty(outcome.split)) this.#reportSplit(outcome.split)
  }

  /** The votes outside of what was agreed, when the last request has ended. */
  reportDissent({ verdict, groups }: ReadOutcome): void {
    if (verdict.kind === 'failed' || verdict.raw !== null) return
    const { emit, chainId } = this
    const { suspects } = this.#chain
    const { group, joined, operators } = verdict
    for (const { index, members } of groups) {
      if (index === group.index || joined.includes(index)) continue
      for (const member of members) {
        const node = this.#nodeAt(member)
        const { method } = this.call
        emit({ type: 'dissent', chainId, node: node.options.name, method, answer: this.#read.id })
        if (isOfHonesty(this.#read)) suspects.contradicted(node, operators, this.#contradictedAt(member))
      }
    }
  }

  /** Reports operators whose nodes contradict each other. */
  #reportSplit(split: OperatorSet): void {
    const { emit, chainId } = this
    const { electorate, suspects } = this.#chain
    const { method } = this.call
    for (const operator of namesOf(electorate, split)) {
      emit({ type: 'equivocation', chainId, operator, method, answer: this.#read.id })
      if (isOfHonesty(this.#read)) suspects.contradictsItself(operator)
    }
  }

  /** Where it was contradicted, and whether its head polls show another block there: an honest node reads what it has. */
  #contradictedAt(member: MemberIndex): DissentAt | null {
    const { block } = this.#read
    if (block === null) return null
    const { number, hash } = block
    const own = this.#chain.heads.hashOf((this.members[member] as Candidate).index, number)
    return { number, isForked: own !== null && own !== hash }
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

/** Only a vote on an agreed block, on what no caller can forge, speaks of a node's honesty. */
function isOfHonesty({ spec, block }: ChainRead): boolean {
  return spec.ejects && block?.hash != null
}
