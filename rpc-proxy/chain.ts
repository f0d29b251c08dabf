import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type ChainHeads, createChainHeads } from './chain-heads.ts'
import type { ChainConfig } from './config.ts'
import type { EngineEvent, PinnedBlock, TraceContext } from './events.ts'
import type { AgreedBlock } from './heads/views.ts'
import type { Rule } from './methods/rule.ts'
import type { Ports } from './ports.ts'
import { ask as askVoters } from './quorum/ask.ts'
import { type Electorate, electorateOf, isQuorum, type Operators } from './quorum/electorate.ts'
import { orLower } from './quorum/lower.ts'
import type { Outcome, Question, Voter } from './quorum/question.ts'
import { traceparentFor } from './trace-context.ts'
import type { NodeCall } from './upstreams/exchange.ts'
import { createNode, type Node } from './upstreams/node.ts'
import { type Candidate, inOrder } from './upstreams/order.ts'
import type { Reply } from './wire/types.ts'

/** One chain: its nodes, who of them may decide, and which block is now. */
export interface Chain extends ChainHeads {
  readonly config: ChainConfig
  readonly electorate: Electorate
  readonly nodes: readonly Node[]
  /** Which chain it is and who votes on it, and how heavily: under this its answers are kept, and nobody else's. */
  readonly key: string
  /** The shortest stall of its nodes, milliseconds: how long it is patient before it does more. */
  readonly stallMs: number
  /** Cap on one answer, of a node and to a caller, bytes. */
  readonly answerBytesMax: number
  /** Asks the nodes one question and returns what came of it. */
  readonly ask: (question: ChainQuestion) => Promise<Outcome>
  /** Voters by their place in `nodes` -> the operators that they stand for. */
  readonly operatorsOf: (voters: readonly number[]) => Operators
}

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

interface ChainOptions {
  readonly nextId: () => string
  readonly answerBytesMax: number
  /** Nobody knows how many blocks are gone: nothing that is kept under this key may serve any more. */
  readonly onDeepReorg: (key: string) => void
}

export function createChain(
  config: ChainConfig,
  { answerBytesMax, nextId, onDeepReorg }: ChainOptions,
  ports: Ports,
  emit: (event: EngineEvent) => void,
): Chain {
  const { clock, random, send } = ports
  const chainId = config.id
  const electorate = electorateOf(config.nodes, config.quorum, config.operatorsMin)
  const nodes = config.nodes.map((options) =>
    createNode(
      options,
      { chainId, answerBytesMax },
      {
        clock,
        send,
        onState: (from, to, why) => emit({ type: 'node-state', chainId, node: options.name, from, to, why }),
      },
    ),
  )
  const operators = config.nodes.map(({ operator }) => electorate.operators.indexOf(operator))
  const operatorsOf = (voters: readonly number[]): Operators =>
    voters.reduce((set, voter) => set | (1 << (operators[voter] ?? 0)), 0)

  const key = keyOf(config)
  const heads = createChainHeads(
    { config, nodes, electorate, operatorsOf, nextId, onDeepReorg: () => onDeepReorg(key) },
    ports,
    emit,
  )

  async function ask(question: ChainQuestion): Promise<Outcome> {
    const { rule, call, block, id, trace, first } = question
    const isFirst = ({ node }: Candidate) => first?.has(node.options.name) === true
    const ordered = inOrder(nodes, call.method, block?.number ?? null, random)
    const candidates =
      first === undefined ? ordered : ordered.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    const voters: readonly Voter[] = candidates.map(({ node, usable, open }) => ({
      name: node.options.name,
      operator: electorate.operators.indexOf(node.options.operator),
      weight: node.options.weight,
      stallMs: node.options.stallMs,
      usable,
      open,
      hasPlace: () => node.backlog() === 0,
    }))
    const nodeAt = (voter: number) => (candidates[voter] as (typeof candidates)[number]).node
    const sent = new Set<number>()
    const failing = new Set<number>()
    const kind = call.context.chosen ? 'chosen' : 'call'
    const isThere = rule.ofBlock && block?.hash != null
    const mayBeEmpty = isThere && hasNoLogs(heads.heads.blockOf(block?.hash ?? ''))
    const outcome = await askVoters(
      { ...question, judge: orLower(question.judge), voters },
      {
        clock,
        send(voter, signal, onSent) {
          const { name, trace: isTold } = nodeAt(voter).options
          const waits = {
            ...call,
            ...(isTold && trace !== null && { traceparent: traceparentFor(trace, id, name) }),
            onWait: () => sent.delete(voter),
          }
          const reply = nodeAt(voter).ask(waits, signal, () => {
            sent.add(voter)
            onSent()
          })
          return isThere ? reply.then((found) => orBehind(found, mayBeEmpty)) : reply
        },
        onStall: (voter) => emit({ type: 'stall', chainId, node: nodeAt(voter).options.name }),
        onAbandoned(voter, afterStall, durationMs) {
          const node = nodeAt(voter)
          // A call that still waited for a place was never sent, and a reply that waits for room of ours has come.
          const isSilent = afterStall && sent.has(voter)
          if (isSilent) {
            node.record(call.method, silence, durationMs, kind)
            failing.add(voter)
          }
          emit({
            type: 'ask',
            chainId,
            method: call.method,
            node: node.options.name,
            outcome: isSilent ? 'fault' : 'cancelled',
            fault: isSilent ? 'timeout' : 'cancelled',
            durationMs,
          })
        },
        onEnd(voter, reply, durationMs) {
          const fault = reply.kind === 'fault' ? reply.fault : null
          nodeAt(voter).record(call.method, reply, durationMs, kind)
          if (isFailure(reply)) failing.add(voter)
          if (reply.kind === 'cannot' && reply.why === 'pruned' && block !== null)
            nodeAt(voter).pruned(call.method, Math.max(block.number, (reply.fromBlock ?? 0) - 1))
          emit({
            type: 'ask',
            chainId,
            method: call.method,
            node: nodeAt(voter).options.name,
            outcome: reply.kind,
            fault,
            durationMs,
          })
        },
      },
    )
    // Others answered it. What everybody fails at is the call's doing.
    if (kind === 'chosen' && outcome.verdict.kind === 'agreed')
      for (const voter of failing) nodeAt(voter).avoid(call.method)
    for (let bits = outcome.split; bits !== 0; bits &= bits - 1) {
      const operator = electorate.operators[31 - Math.clz32(bits & -bits)] ?? ''
      emit({ type: 'equivocation', chainId, operator, method: call.method, answer: id })
    }
    void outcome.dissenters.then((dissenters) => {
      const { verdict } = outcome
      const isOutvoted =
        verdict.kind === 'agreed' &&
        isQuorum({ ...electorate, operatorsMin: 1, majority: true }, verdict.operators)
      for (const voter of dissenters) {
        const node = nodeAt(voter)
        emit({ type: 'dissent', chainId, node: node.options.name, method: call.method, answer: id })
        // Only what hangs on an agreed block, and only against more than half of all weight, speaks of the node's honesty.
        if (rule.benches && isOutvoted && block?.hash != null) node.dissented()
      }
    })
    return outcome
  }

  const stallMs = Math.min(...config.nodes.map((node) => node.stallMs))
  return { ...heads, config, electorate, nodes, key, stallMs, answerBytesMax, ask, operatorsOf }
}

/** A digest: it stands in the key of every kept answer, and URLs are secret. */
function keyOf({ id, nodes }: ChainConfig): string {
  const each = nodes.map(({ name, url, operator, weight }) => JSON.stringify([name, url, operator, weight]))
  return bytesToHex(keccak_256(utf8ToBytes([id, ...each.sort()].join()))).slice(0, 16)
}

/** Of a block that is there; without receipts only where it has no logs. */
function orBehind(reply: Reply, mayBeEmpty: boolean): Reply {
  if (reply.kind !== 'answer') return reply
  return reply.raw === 'null' || (reply.raw === '[]' && !mayBeEmpty) ? { kind: 'behind' } : reply
}

/** As far as its agreed header tells. */
function hasNoLogs(block: AgreedBlock | null): boolean {
  return block?.logsBloom == null || /^0x0*$/.test(block.logsBloom)
}

function isFailure(reply: Reply): boolean {
  if (reply.kind === 'cannot') return reply.why === 'execution' || reply.why === 'size'
  return reply.kind === 'fault' && reply.fault !== 'cancelled' && reply.fault !== 'busy'
}

const silence: Reply = { kind: 'fault', fault: 'timeout' }
