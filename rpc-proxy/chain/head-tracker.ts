import type { ChainConfig } from '../config/config-types.ts'
import type { EngineEvent, Evidence, FailureReason } from '../events/events.ts'
import type { Ports } from '../events/ports.ts'
import { buildEvidence } from '../evidence/build.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import { createGenesis, type Genesis } from '../heads/genesis.ts'
import type { HeadPollPorts } from '../heads/head-poll.ts'
import { type Head, Heads, type HeadsPorts, staleMsOf } from '../heads/heads.ts'
import { readHeader } from '../heads/read-header.ts'
import {
  type Electorate,
  type Electorates,
  isQuorum,
  operatorOfNode,
  operatorsOfNodes,
  withMajority,
} from '../quorum/electorate.ts'
import {
  contains,
  countOperators,
  difference,
  noOperators,
  type OperatorSet,
} from '../quorum/operator-set.ts'
import type { RuleName } from '../quorum/verdict.ts'
import type { Signal } from '../runtime/abort.ts'
import { within } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { ofOurOwn } from '../upstreams/errors/error-pattern.ts'
import type { Node } from '../upstreams/node.ts'
import { inOrder } from '../upstreams/order.ts'
import { createHeadEvidence, type HeadEvidence, idOf } from './head-evidence.ts'
import { watchHeadLag } from './head-lag.ts'
import type { NodeFeedback } from './node-feedback.ts'
import { UpstreamRequest } from './upstream-request.ts'

/** The current block of one chain, by the headers of its nodes. */
export interface ChainHeads {
  readonly heads: Heads
  /** The agreed head, or QuorumError. */
  readonly head: (endMs: number) => Head | Promise<Head>
  /** The agreed safe or finalized block; `block-not-found` where the nodes agree on none. */
  readonly finality: (tag: 'safe' | 'finalized', endMs: number) => Promise<Head>
  /** The evidence for this agreed head, whether or not it is the newest one. */
  readonly headEvidence: (head: Head) => Evidence
  /** What these operators have shown until now is not believed any more. */
  readonly distrust: (suspects: OperatorSet) => void
  readonly close: () => void
}

/** The nodes to poll, and how much each of them weighs. */
interface ChainHeadsOptions {
  readonly config: ChainConfig
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  readonly electorates: Electorates
  readonly feedback: NodeFeedback
  /** Operators that are not believed. */
  readonly suspects: () => OperatorSet
  readonly nextId: () => string
  /** A reorg of unknown depth: anything cached by block number may belong to another chain. */
  readonly onDeepReorg: () => void
}

type ChainPorts = Pick<Ports, 'clock' | 'random'>
type Emit = (event: EngineEvent) => void

const headerCall = { method: 'eth_getBlockByNumber', context: ofOurOwn, lane: 'head-poll' } as const

export function createChainHeads(options: ChainHeadsOptions, ports: ChainPorts, emit: Emit): ChainHeads {
  const { config, nodes, electorate, electorates, suspects, nextId } = options
  const { clock } = ports
  const chainId = config.id
  const evidence = createHeadEvidence({ chainId, nodes, electorates, nextId })
  const genesis = createGenesis({
    clock,
    getGenesis: (node, signal) => firstBlockOf(nodes[node] as Node, signal),
    isMajority(showing) {
      const believed = difference(operatorsOfNodes(electorate, showing), suspects())
      return isQuorum(withMajority(electorate), believed) && countOperators(believed) >= accusersMin
    },
  })
  const heads = new Heads(
    { maxAgeMs: config.headMaxAgeMs, resetMs: config.headResetMs, deadlineMs: config.deadlineMs },
    { ...pollPorts(options, ports, emit), ...headEvents(options, { evidence, genesis, emit }) },
  )

  async function headBy(endMs: number, found: Promise<Head>): Promise<Head> {
    try {
      return await within(clock, endMs - clock.now(), found)
    } catch {
      const { reason, ...rule } = isAnswering() ? noHead : tooFewReplies
      const nowMs = clock.now()
      const nothing = buildEvidence({
        id: nextId(),
        chainId,
        method: 'eth_blockNumber',
        block: null,
        electorate,
        startMs: nowMs,
        endMs: nowMs,
        rule,
        reason,
        operators: noOperators,
        requests: [],
        groups: [],
      })
      emit({ type: 'verdict', evidence: nothing })
      throw new QuorumError(nothing)
    }
  }

  /** Whether enough nodes to agree on a head have answered since one could last be served. */
  function isAnswering(): boolean {
    const sinceMs = clock.now() - staleMsOf(config.headMaxAgeMs)
    return isQuorum(electorate, operatorsOfNodes(electorate, heads.repliedSince(sinceMs)))
  }

  return {
    heads,
    head(endMs) {
      const found = heads.fresh()
      return found instanceof Promise ? headBy(endMs, found) : found
    },
    async finality(tag, endMs) {
      try {
        return await within(clock, endMs - clock.now(), Promise.resolve(heads.at(tag)))
      } catch {
        throw new CallError('block-not-found', { message: `${tag} block not found` })
      }
    },
    headEvidence: (head) => evidence.of(head),
    distrust(distrusted) {
      forgetGenesis(genesis, nodes)
      heads.restart((node) => !contains(distrusted, operatorOfNode(electorate, node)))
      evidence.forget()
      const head = heads.current()
      if (head !== null) evidence.remember(head)
    },
    close() {
      heads.close()
      genesis.close()
    },
  }
}

/** How a poll asks the nodes. */
function pollPorts(
  { config, nodes, electorate, electorates, feedback }: ChainHeadsOptions,
  { clock, random }: ChainPorts,
  emit: Emit,
): Omit<HeadPollPorts, 'repliedMs'> {
  const majority = withMajority(electorate)
  const thinMajority = withMajority(electorates.thin)
  return {
    clock,
    electorates: { latest: electorate, safe: majority, finalized: majority },
    tightened: electorates.mayTighten ? electorates.tightened : null,
    thin: { latest: electorates.thin, safe: thinMajority, finalized: thinMajority },
    nodes: () =>
      inOrder(nodes, headerCall.method, null, random).map(({ node, index, usable, isWitness, isDown }) => ({
        node: index,
        usable,
        isWitness,
        isDown,
        due: node.isDue(),
      })),
    request(node, member, block) {
      const call = { ...headerCall, params: `["${block}",false]` }
      return new UpstreamRequest(member, {
        node: nodes[node] as Node,
        call,
        purpose: 'head',
        feedback,
        clock,
      })
    },
    sawHead(index, number) {
      const node = nodes[index] as Node
      node.sawHead(number)
      emit({ type: 'node-head', chainId: config.id, node: node.options.name, number })
    },
  }
}

/** The hash of block 0; null where the node has none to show: it may keep recent blocks only. */
async function firstBlockOf(node: Node, signal: Signal): Promise<string | null> {
  const reply = await node.send({ ...headerCall, params: '["0x0",false]' }, signal)
  const header = reply.kind === 'result' ? readHeader(reply.raw) : null
  return header?.number === 0 ? header.hash : null
}

interface HeadObservers {
  readonly evidence: HeadEvidence
  readonly genesis: Genesis
  readonly emit: Emit
}

/** Who is told when heads change. */
function headEvents(
  { config, nodes, onDeepReorg }: ChainHeadsOptions,
  { evidence, genesis, emit }: HeadObservers,
): Pick<HeadsPorts, 'onHead' | 'onReorg' | 'onPolled'> {
  const chainId = config.id
  const watchLag = watchHeadLag(config, emit)
  return {
    onHead(agreed) {
      const remembered = evidence.remember(agreed)
      emit({ type: 'head', chainId, block: idOf(agreed.block) })
      emit({ type: 'verdict', evidence: remembered })
    },
    onReorg(from, to, isDeep) {
      if (isDeep) forgetGenesis(genesis, nodes)
      if (isDeep) onDeepReorg()
      emit({ type: 'reorg', chainId, from: idOf(from), to: idOf(to) })
    },
    onPolled(head, polled) {
      for (const index of genesis.due(polled))
        void genesis.check(index).then((foreign) => {
          for (const other of foreign) nodes[other]?.foreign()
        })
      watchLag(head)
      const { number } = head.block
      for (const [index, node] of nodes.entries()) {
        if (polled.includes(index as NodeIndex)) node.compareHead(number)
        else node.assumeHead(number)
      }
    },
  }
}

/** So many operators must stand on another genesis than a node before it is taken to serve another chain. */
const accusersMin = 3

function forgetGenesis(genesis: Genesis, nodes: readonly Node[]): void {
  for (const node of genesis.forget()) nodes[node]?.notForeign()
}

interface NoHead extends RuleName {
  readonly reason: FailureReason
}

/** Why there is no head, by whether enough nodes answer to agree on one. */
const noHead: NoHead = { id: 'no-head', label: 'no block that a quorum shows', reason: 'heads' }
const tooFewReplies: NoHead = {
  id: 'too-few-replies',
  label: 'too few nodes answer to agree on a block',
  reason: 'silent',
}
