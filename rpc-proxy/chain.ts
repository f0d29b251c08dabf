import { within } from './clock.ts'
import type { ChainConfig } from './config.ts'
import { CallError } from './errors.ts'
import type { BlockId, EngineEvent, Evidence, PinnedBlock } from './events.ts'
import { createGenesis } from './heads/genesis.ts'
import { type Agreed, createHeads, type Heads } from './heads/heads.ts'
import { readHeader } from './heads/read-header.ts'
import type { Header } from './heads/views.ts'
import type { Rule } from './methods/rule.ts'
import type { Ports } from './ports.ts'
import { ask, type Outcome, type Question, type Voter } from './quorum/ask.ts'
import {
  countOf,
  type Electorate,
  electorateOf,
  isQuorum,
  type Operators,
  weightOf,
  withMajority,
} from './quorum/electorate.ts'
import { evidenceOfNothing, QuorumError } from './quorum/evidence.ts'
import type { NodeCall } from './upstreams/exchange.ts'
import { createNode, type Node } from './upstreams/node.ts'
import { inOrder } from './upstreams/order.ts'
import type { Reply } from './wire/types.ts'

/** One chain: its nodes, who of them may decide, and which block is now. */
export interface Chain {
  readonly config: ChainConfig
  readonly electorate: Electorate
  readonly nodes: readonly Node[]
  readonly heads: Heads
  /** The agreed head, or QuorumError. */
  readonly head: (endMs: number) => Agreed | Promise<Agreed>
  /** The agreed safe or finalized block; `block-not-found` where the nodes agree on none. */
  readonly finality: (tag: 'safe' | 'finalized', endMs: number) => Promise<Agreed>
  /** What the agreed head rests on. */
  readonly headEvidence: () => Evidence | null
  /** Puts one question to the nodes and tells what came of it. */
  readonly put: (question: ChainQuestion) => Promise<Outcome>
  /** Voters by their place in `nodes` -> the operators that they stand for. */
  readonly operatorsOf: (voters: readonly number[]) => Operators
  readonly close: () => void
}

export interface ChainQuestion extends Omit<Question, 'voters' | 'electorate'> {
  readonly rule: Rule
  readonly call: NodeCall
  readonly block: PinnedBlock | null
  readonly electorate: Electorate
  /** The id under which its evidence will be found. */
  readonly id: string
}

interface ChainOptions {
  readonly nextId: () => string
  readonly answerBytesMax: number
}

export function createChain(
  config: ChainConfig,
  { answerBytesMax, nextId }: ChainOptions,
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

  const genesis = createGenesis({
    clock,
    look: (voter, signal) => genesisOf(nodes[voter] as Node, signal),
    isMajority: (voters) => isQuorum(withMajority(electorate), operatorsOf(voters)),
    onForeign: (voter) => nodes[voter]?.foreign(),
  })
  let headEvidence: Evidence | null = null
  const heads = createHeads(
    { maxAgeMs: config.headMaxAgeMs, deadlineMs: config.deadlineMs },
    {
      clock,
      voters: () =>
        inOrder(nodes, headerCall.method, null, random).map(({ node, usable }) => ({
          voter: nodes.indexOf(node),
          usable,
          due: node.isDue(),
          stallMs: node.options.stallMs,
        })),
      look: (voter, block, signal) => lookAt(nodes[voter] as Node, block, signal),
      isQuorum: (voters, majority) =>
        isQuorum(majority ? withMajority(electorate) : electorate, operatorsOf(voters)),
      onHead(agreed) {
        headEvidence = evidenceOfHead(agreed)
        emit({ type: 'head', chainId, block: idOf(agreed.block) })
        emit({ type: 'verdict', evidence: headEvidence })
      },
      onReorg: (from, to) => emit({ type: 'reorg', chainId, from: idOf(from), to: idOf(to) }),
      onNodeHead(voter, number) {
        const node = nodes[voter] as Node
        node.sawHead(number)
        emit({ type: 'node-head', chainId, node: node.options.name, number })
      },
      onLooked(number, asked) {
        genesis.check(asked)
        for (const [voter, node] of nodes.entries()) {
          if (asked.includes(voter)) node.compareHead(number)
          else node.assumeHead(number)
        }
      },
      onSilent(voter) {
        const node = nodes[voter] as Node
        node.note(headerCall.method, silence, node.options.stallMs)
        emit({
          type: 'ask',
          chainId,
          method: headerCall.method,
          node: node.options.name,
          outcome: 'fault',
          fault: 'timeout',
          durationMs: node.options.stallMs,
        })
      },
    },
  )

  function evidenceOfHead({ block, voters, seenMs }: Agreed): Evidence {
    const agreeing = operatorsOf(voters)
    return {
      id: nextId(),
      chainId,
      method: 'eth_blockNumber',
      startMs: seenMs,
      endMs: seenMs,
      outcome: 'agreed',
      reason: null,
      rule: 'the highest block that a quorum shows',
      agreed: weightOf(electorate, agreeing),
      needed: electorate.needed,
      total: electorate.total,
      operators: countOf(agreeing),
      operatorsMin: electorate.operatorsMin,
      block: idOf(block),
      asks: [],
      camps: [
        {
          weight: weightOf(electorate, agreeing),
          operators: electorate.operators.filter((_, index) => agreeing & (1 << index)),
          nodes: voters.map((voter) => (nodes[voter] as Node).options.name),
          said: `"${block.hash}"`,
        },
      ],
    }
  }

  async function lookAt(node: Node, block: string, signal: AbortSignal): Promise<Header | null> {
    const startMs = clock.now()
    const reply = await node.ask({ ...headerCall, params: `["${block}",false]` }, signal)
    // Given up; some transports deliver all the same.
    if (signal.aborted) return null
    const header = reply.kind === 'answer' ? readHeader(reply.raw) : null
    const judged: Reply =
      reply.kind === 'answer' && header === null ? { kind: 'fault', fault: 'malformed' } : reply
    const durationMs = clock.now() - startMs
    node.note(headerCall.method, judged, durationMs, true)
    emit({
      type: 'ask',
      chainId,
      method: headerCall.method,
      node: node.options.name,
      outcome: judged.kind,
      fault: judged.kind === 'fault' ? judged.fault : null,
      durationMs,
    })
    return header
  }

  /** Whoever has no block 0 to show has not failed: it may keep recent blocks only. */
  async function genesisOf(node: Node, signal: AbortSignal): Promise<string | null> {
    const reply = await node.ask({ ...headerCall, params: '["0x0",false]' }, signal)
    const header = reply.kind === 'answer' ? readHeader(reply.raw) : null
    return header?.number === 0 ? header.hash : null
  }

  function head(endMs: number): Agreed | Promise<Agreed> {
    const found = heads.fresh()
    return found instanceof Promise ? headBy(endMs, found) : found
  }

  async function headBy(endMs: number, found: Promise<Agreed>): Promise<Agreed> {
    try {
      return await within(clock, endMs - clock.now(), found)
    } catch {
      const evidence = evidenceOfNothing(
        { id: nextId(), chainId, method: 'eth_blockNumber', block: null, electorate },
        clock.now(),
        'heads',
        'no block that a quorum shows',
      )
      emit({ type: 'verdict', evidence })
      throw new QuorumError(evidence)
    }
  }

  async function finality(tag: 'safe' | 'finalized', endMs: number): Promise<Agreed> {
    try {
      return await within(clock, endMs - clock.now(), Promise.resolve(heads.at(tag)))
    } catch {
      throw new CallError('block-not-found', { message: `${tag} block not found` })
    }
  }

  async function put(question: ChainQuestion): Promise<Outcome> {
    const { rule, call, block, id } = question
    const candidates = inOrder(nodes, call.method, block?.number ?? null, random)
    const voters: readonly Voter[] = candidates.map(({ node, usable, open }) => ({
      name: node.options.name,
      operator: electorate.operators.indexOf(node.options.operator),
      weight: node.options.weight,
      stallMs: node.options.stallMs,
      usable,
      open,
    }))
    const nodeAt = (voter: number) => (candidates[voter] as (typeof candidates)[number]).node
    const sent = new Set<number>()
    const isThere = rule.ofBlock && block?.hash != null
    const outcome = await ask(
      { ...question, voters },
      {
        clock,
        send(voter, signal) {
          const reply = nodeAt(voter).ask(call, signal, () => sent.add(voter))
          return isThere ? reply.then(orBehind) : reply
        },
        onStall: (voter) => emit({ type: 'stall', chainId, node: nodeAt(voter).options.name }),
        onAbandoned(voter, afterStall, durationMs) {
          const node = nodeAt(voter)
          // Whoever still waited for a place was never asked.
          const isSilent = afterStall && sent.has(voter)
          if (isSilent) node.note(call.method, silence, durationMs)
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
          nodeAt(voter).note(call.method, reply, durationMs)
          if (reply.kind === 'cannot' && reply.why === 'pruned' && block !== null)
            nodeAt(voter).pruned(call.method, block.number)
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

  return {
    config,
    electorate,
    nodes,
    heads,
    head,
    finality,
    headEvidence: () => headEvidence,
    put,
    operatorsOf,
    close() {
      heads.close()
      genesis.close()
    },
  }
}

/** Of a block that is there. */
function orBehind(reply: Reply): Reply {
  return reply.kind === 'answer' && reply.raw === 'null' ? { kind: 'behind' } : reply
}

const silence: Reply = { kind: 'fault', fault: 'timeout' }

const headerCall = {
  method: 'eth_getBlockByNumber',
  context: { executes: false, sends: false, gasGiven: false, ranges: false },
} as const

function idOf({ number, hash }: BlockId): BlockId {
  return { number, hash }
}
