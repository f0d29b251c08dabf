import type { Signal } from './abort.ts'
import type { Clock } from './clock.ts'
import type { EngineEvent, PinnedBlock, TraceContext } from './events.ts'
import type { MemberIndex } from './indexes.ts'
import type { Rule } from './methods/rule.ts'
import type { Electorate } from './quorum/electorate.ts'
import { listOperators } from './quorum/operator-set.ts'
import type { AskPorts, Outcome, Question } from './quorum/question.ts'
import type { Agreed } from './quorum/verdict.ts'
import type { Suspects } from './suspects.ts'
import { traceparentFor } from './trace-context.ts'
import type { NodeCall } from './upstreams/exchange.ts'
import type { Node } from './upstreams/node.ts'
import { isOwnFault } from './wire/fault.ts'
import type { Reply } from './wire/types.ts'

export interface ChainQuestion extends Omit<Question, 'voters' | 'electorate'> {
  readonly rule: Rule
  readonly call: NodeCall
  readonly block: PinnedBlock | null
  readonly electorate: Electorate
  /** The id under which its evidence will be found. */
  readonly id: string
  /** The trace that nodes with `trace` are told of; null where nothing is traced. */
  readonly trace: TraceContext | null
  /** Nodes that are asked before all others. */
  readonly first?: ReadonlySet<string>
}

interface InquiryOptions {
  readonly chainId: number
  /** The voters, in the order in which they are asked. */
  readonly nodes: readonly Node[]
  /** The chain's own electorate: who is a suspect goes by it, whatever the caller asks for. */
  readonly electorate: Electorate
  readonly suspects: Suspects
  /** By its agreed header the block has no logs, or its header is not known. */
  readonly mayBeEmpty: boolean
  readonly clock: Clock
  readonly emit: (event: EngineEvent) => void
}

/** One question to the nodes of a chain: sends it, and tells each node's health and the observers what came of it. */
export class Inquiry implements AskPorts {
  readonly clock: Clock
  readonly #question: ChainQuestion
  readonly #options: InquiryOptions
  readonly #kind: 'chosen' | 'call'
  /** The question is about a block that is agreed to be there. */
  readonly #isThere: boolean
  /** Whose ask has left our queue. */
  readonly #sent: boolean[] = []
  readonly #failing: MemberIndex[] = []

  constructor(question: ChainQuestion, options: InquiryOptions) {
    this.clock = options.clock
    this.#question = question
    this.#options = options
    this.#kind = question.call.context.chosen ? 'chosen' : 'call'
    this.#isThere = question.rule.ofBlock && question.block?.hash != null
  }

  hasPlace(voter: MemberIndex): boolean {
    return this.#nodeAt(voter).backlog() === 0
  }

  send(voter: MemberIndex, signal: Signal, onSent: () => void): Promise<Reply> {
    const { call, trace, id } = this.#question
    const node = this.#nodeAt(voter)
    const { name, trace: isTold } = node.options
    const told: NodeCall = {
      ...call,
      ...(isTold && trace !== null && { traceparent: traceparentFor(trace, id, name) }),
      onWait: () => {
        this.#sent[voter] = false
      },
    }
    const reply = node.ask(told, signal, () => {
      this.#sent[voter] = true
      onSent()
    })
    return this.#isThere ? reply.then((found) => orBehind(found, this.#options.mayBeEmpty)) : reply
  }

  onStall(voter: MemberIndex): void {
    const { chainId, emit } = this.#options
    emit({ type: 'stall', chainId, node: this.#nodeAt(voter).options.name })
  }

  onAbandoned(voter: MemberIndex, afterStall: boolean, durationMs: number): void {
    // A call that still waited for a place was never sent, and a reply that waits for room of ours has come.
    const isSilent = afterStall && this.#sent[voter] === true
    if (isSilent) {
      this.#nodeAt(voter).record(this.#question.call.method, silence, durationMs, this.#kind)
      this.#failing.push(voter)
    }
    const fault = isSilent ? 'timeout' : 'cancelled'
    this.#tell(voter, { outcome: isSilent ? 'fault' : 'cancelled', fault, durationMs })
  }

  onEnd(voter: MemberIndex, reply: Reply, durationMs: number): void {
    const { call, block } = this.#question
    const node = this.#nodeAt(voter)
    node.record(call.method, reply, durationMs, this.#kind)
    if (isFailure(reply)) this.#failing.push(voter)
    if (reply.kind === 'cannot' && reply.why === 'pruned' && block !== null)
      node.pruned(call.method, Math.max(block.number, (reply.fromBlock ?? 0) - 1))
    const fault = reply.kind === 'fault' ? reply.fault : null
    this.#tell(voter, { outcome: reply.kind, fault, durationMs })
  }

  /** What the outcome says of the nodes. */
  concluded(outcome: Outcome): void {
    const { call, id } = this.#question
    const { chainId, electorate, suspects, emit } = this.#options
    // Others answered it. What everybody fails at is the call's doing.
    if (this.#kind === 'chosen' && outcome.verdict.kind === 'agreed')
      for (const voter of this.#failing) this.#nodeAt(voter).avoid(call.method)
    for (const index of listOperators(outcome.split)) {
      const operator = electorate.operators[index] ?? ''
      emit({ type: 'equivocation', chainId, operator, method: call.method, answer: id })
      if (this.#isOfHonesty()) suspects.contradictsItself(operator)
    }
  }

  onDissent(voter: MemberIndex, { operators }: Agreed): void {
    const { call, id } = this.#question
    const { chainId, suspects, emit } = this.#options
    const node = this.#nodeAt(voter)
    emit({ type: 'dissent', chainId, node: node.options.name, method: call.method, answer: id })
    if (this.#isOfHonesty()) suspects.contradicted(node, operators)
  }

  /** Only a vote on an agreed block, on what no caller can forge, speaks of a node's honesty. */
  #isOfHonesty(): boolean {
    const { rule, block } = this.#question
    return rule.benches && block?.hash != null
  }

  #tell(
    voter: MemberIndex,
    came: Pick<Extract<EngineEvent, { type: 'ask' }>, 'outcome' | 'fault' | 'durationMs'>,
  ): void {
    const { chainId, emit } = this.#options
    const { method } = this.#question.call
    emit({ type: 'ask', chainId, method, node: this.#nodeAt(voter).options.name, ...came })
  }

  #nodeAt(voter: MemberIndex): Node {
    return this.#options.nodes[voter] as Node
  }
}

/** Of a block that is there; without receipts only where it has no logs. */
function orBehind(reply: Reply, mayBeEmpty: boolean): Reply {
  if (reply.kind !== 'answer') return reply
  return reply.raw === 'null' || (reply.raw === '[]' && !mayBeEmpty) ? { kind: 'behind' } : reply
}

function isFailure(reply: Reply): boolean {
  if (reply.kind === 'cannot') return reply.why === 'execution' || reply.why === 'size'
  return reply.kind === 'fault' && !isOwnFault(reply.fault)
}

const silence: Reply = { kind: 'fault', fault: 'timeout' }
