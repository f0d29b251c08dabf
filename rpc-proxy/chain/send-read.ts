import type { TraceContext } from '../events/events.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import { traceparentFor } from '../events/trace-context.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { type Electorate, operatorOfNode } from '../quorum/electorate.ts'
import { incapacityOf } from '../quorum/incapacity.ts'
import { listOperators } from '../quorum/operator-set.ts'
import type { ReadMember } from '../quorum/progress.ts'
import { type ReadOutcome, type ReadQuestion, ReadRound } from '../quorum/read-round.ts'
import type { AgreedVerdict } from '../quorum/verdict.ts'
import { runRound } from '../round/round.ts'
import type { Signal } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import type { Node } from '../upstreams/node.ts'
import { type Candidate, inOrder } from '../upstreams/order.ts'
import type { NodeCall } from '../upstreams/post-calls.ts'
import type { Reply } from '../wire/types.ts'
import type { NodeFeedback } from './node-feedback.ts'
import type { Suspects } from './suspects.ts'
import { UpstreamRequest } from './upstream-request.ts'

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
  readonly first?: ReadonlySet<string>
  readonly deadlineMs: number
  /** The departure of every caller. */
  readonly signal: Signal | null
}

interface Nodes {
  readonly nodes: readonly Node[]
  /** The chain's own electorate: who is a suspect goes by it, whatever the caller asks for. */
  readonly electorate: Electorate
  readonly feedback: NodeFeedback
  readonly suspects: Suspects
  readonly clock: Clock
  readonly random: () => number
  /** By its agreed header the block of this hash has no logs, or its header is not known. */
  readonly mayBeEmpty: (hash: string) => boolean
}

/** Sends one read to the nodes of a chain, and returns how its round ended. */
export async function sendRead(read: ChainRead, options: Nodes): Promise<ReadOutcome> {
  const { nodes, electorate, feedback, clock, random } = options
  const { call, spec, block, id, deadlineMs, signal } = read
  const candidates = candidatesOf(read, nodes, random)
  const members = candidates.map(
    ({ index, isUsable, open, isWitness, isReserved, isDown }): ReadMember => ({
      operator: operatorOfNode(electorate, index),
      isUsable: isUsable && (read.policy === 'protected' || !isReserved),
      open,
      isWitness,
      isDown,
    }),
  )
  const nodeAt = (member: MemberIndex) => (candidates[member] as Candidate).node
  const shared = {
    feedback,
    clock,
    purpose: call.context.callerControlled ? ('caller-controlled' as const) : ('read' as const),
    block,
    ...(spec.ofBlock && block?.hash != null && { refine: orBehind(options.mayBeEmpty(block.hash)) }),
  }
  const requests: UpstreamRequest[] = []
  const round = new ReadRound<UpstreamRequest>(read, {
    members,
    hasSlot: (member) => nodeAt(member).backlog() === 0,
    clock,
    start(member) {
      const node = nodeAt(member)
      const request = new UpstreamRequest(member, { ...shared, node, call: tracedCall(read, node) })
      requests.push(request)
      return request
    },
  })
  const running = runRound(round, { deadlineMs, clock, signal })
  const outcome = await running.verdict.catch((left: unknown) => {
    round.explain(null)
    throw left
  })
  if (round.hasUnexplained()) {
    const incapacity = incapacityOf(outcome)
    round.explain(incapacity?.why === 'unknown' ? incapacity.error : null)
  }
  const { verdict } = outcome
  if (verdict.kind === 'agreed' && verdict.raw === null)
    void running.ended().then(() => reportDissent(read, { verdict, outcome, nodeAt }, options))
  // Others answered it. What everybody fails at is the call's doing.
  if (shared.purpose === 'caller-controlled' && verdict.kind === 'agreed')
    for (const { node, hasFailed } of requests) if (hasFailed) node.avoid(call.method)
  for (const index of listOperators(outcome.split)) {
    const operator = electorate.operators[index] ?? ''
    feedback.equivocated(operator, call.method, id)
    if (isOfHonesty(read)) options.suspects.contradictsItself(operator)
  }
  return outcome
}

function candidatesOf(
  { call, block, first }: ChainRead,
  nodes: readonly Node[],
  random: () => number,
): readonly Candidate[] {
  const ordered = inOrder(nodes, call.method, block?.number ?? null, random)
  if (first === undefined) return ordered
  const isFirst = ({ node }: Candidate) => first.has(node.options.name)
  return ordered.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
}

function tracedCall({ call, trace, id }: ChainRead, { options }: Node): NodeCall {
  if (!options.trace || trace === null) return call
  return { ...call, traceparent: traceparentFor(trace, id, options.name) }
}

interface Concluded {
  readonly verdict: AgreedVerdict
  readonly outcome: ReadOutcome
  readonly nodeAt: (member: MemberIndex) => Node
}

/** The votes outside of what was agreed, when the last request has ended. */
function reportDissent(
  read: ChainRead,
  { verdict, outcome, nodeAt }: Concluded,
  { feedback, suspects }: Nodes,
): void {
  const { group, joined, operators } = verdict
  for (const { index, members } of outcome.groups) {
    if (index === group.index || joined.includes(index)) continue
    for (const member of members) {
      const node = nodeAt(member)
      feedback.dissented(node, read.call.method, read.id)
      if (isOfHonesty(read)) suspects.contradicted(node, operators)
    }
  }
}

/** Only a vote on an agreed block, on what no caller can forge, speaks of a node's honesty. */
function isOfHonesty({ spec, block }: ChainRead): boolean {
  return spec.ejects && block?.hash != null
}

/** Of a block that is there; without receipts only where it has no logs. */
function orBehind(mayBeEmpty: boolean): (reply: Reply) => Reply {
  return (reply) => {
    if (reply.kind !== 'result') return reply
    return reply.raw === 'null' || (reply.raw === '[]' && !mayBeEmpty) ? { kind: 'behind' } : reply
  }
}
