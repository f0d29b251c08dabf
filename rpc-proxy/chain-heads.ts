import { within } from './clock.ts'
import type { ChainConfig } from './config-types.ts'
import { CallError } from './errors.ts'
import type { EngineEvent, Evidence, FailureReason } from './events.ts'
import { createHeadEvidence, type HeadEvidence, idOf } from './head-evidence.ts'
import { watchHeadLag } from './head-lag.ts'
import { createHeaderAsks, type HeaderAsks, headerCall } from './header-asks.ts'
import { createGenesis, type Genesis } from './heads/genesis.ts'
import { type Agreed, Heads, type HeadsPorts, staleMsOf } from './heads/heads.ts'
import type { LookPorts } from './heads/look.ts'
import type { NodeIndex } from './indexes.ts'
import type { Ports } from './ports.ts'
import {
  type Electorate,
  isQuorum,
  operatorOfNode,
  operatorsOfNodes,
  withMajority,
} from './quorum/electorate.ts'
import { evidenceOfNothing, QuorumError } from './quorum/evidence.ts'
import { contains, countOperators, difference, type OperatorSet } from './quorum/operator-set.ts'
import type { RuleName } from './quorum/verdict.ts'
import type { Node } from './upstreams/node.ts'
import { inOrder } from './upstreams/order.ts'

/** The current block of one chain, by the headers of its nodes. */
export interface ChainHeads {
  readonly heads: Heads
  /** The agreed head, or QuorumError. */
  readonly head: (endMs: number) => Agreed | Promise<Agreed>
  /** The agreed safe or finalized block; `block-not-found` where the nodes agree on none. */
  readonly finality: (tag: 'safe' | 'finalized', endMs: number) => Promise<Agreed>
  /** The evidence for this agreed head, whether or not it is the newest one. */
  readonly headEvidence: (head: Agreed) => Evidence
  /** What these operators have shown until now is not believed any more. */
  readonly distrust: (suspects: OperatorSet) => void
  readonly close: () => void
}

/** The nodes to look at, and how much each of them weighs. */
interface ChainHeadsOptions {
  readonly config: ChainConfig
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  /** Operators that are not believed. */
  readonly suspects: () => OperatorSet
  readonly nextId: () => string
  /** A reorg of unknown depth: anything cached by block number may belong to another chain. */
  readonly onDeepReorg: () => void
}

type ChainPorts = Pick<Ports, 'clock' | 'random'>
type Emit = (event: EngineEvent) => void

export function createChainHeads(options: ChainHeadsOptions, ports: ChainPorts, emit: Emit): ChainHeads {
  const { config, nodes, electorate, suspects, nextId } = options
  const { clock } = ports
  const chainId = config.id
  const evidence = createHeadEvidence({ chainId, nodes, electorate, nextId })
  const asks = createHeaderAsks({ chainId, nodes, clock, emit })
  const genesis = createGenesis({
    clock,
    look: (node, signal) => asks.genesis(node, signal),
    isMajority(showing) {
      const believed = difference(operatorsOfNodes(electorate, showing), suspects())
      return isQuorum(withMajority(electorate), believed) && countOperators(believed) >= accusersMin
    },
    onForeign: (node) => nodes[node]?.foreign(),
    onForgiven: (node) => nodes[node]?.notForeign(),
  })
  const heads = new Heads(
    { maxAgeMs: config.headMaxAgeMs, resetMs: config.headResetMs, deadlineMs: config.deadlineMs },
    { ...lookPorts(options, ports, asks), ...headEvents(options, { evidence, genesis, emit }) },
  )

  async function headBy(endMs: number, found: Promise<Agreed>): Promise<Agreed> {
    try {
      return await within(clock, endMs - clock.now(), found)
    } catch {
      const { reason, ...rule } = isAnswering() ? noHead : tooFewReplies
      const call = { id: nextId(), chainId, method: 'eth_blockNumber', block: null, electorate }
      const nothing = evidenceOfNothing(call, clock.now(), reason, rule)
      emit({ type: 'verdict', evidence: nothing })
      throw new QuorumError(nothing)
    }
  }

  /** Whether enough nodes to agree on a head have answered since one could last be served. */
  function isAnswering(): boolean {
    const sinceMs = clock.now() - staleMsOf(config.headMaxAgeMs)
    return isQuorum(electorate, operatorsOfNodes(electorate, asks.answeringSince(sinceMs)))
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
      genesis.forget()
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

/** How a look asks the nodes, and how it counts them. */
function lookPorts(
  { nodes, electorate }: ChainHeadsOptions,
  { clock, random }: ChainPorts,
  asks: HeaderAsks,
): Omit<LookPorts, 'onNodeHead'> {
  return {
    clock,
    electorates: { latest: electorate, safe: withMajority(electorate), finalized: withMajority(electorate) },
    nodes: () =>
      inOrder(nodes, headerCall.method, null, random).map(({ node, index, usable }) => ({
        node: index,
        usable,
        due: node.isDue(),
        stallMs: node.options.stallMs,
      })),
    look: (node, block, signal) => asks.header(node, block, signal),
    onSilent: (node, signal) => asks.silent(node, signal),
  }
}

interface Told {
  readonly evidence: HeadEvidence
  readonly genesis: Genesis
  readonly emit: Emit
}

/** Who is told when heads change. */
function headEvents(
  { config, nodes, onDeepReorg }: ChainHeadsOptions,
  { evidence, genesis, emit }: Told,
): Pick<HeadsPorts, 'onHead' | 'onReorg' | 'onNodeHead' | 'onLooked'> {
  const chainId = config.id
  const watchLag = watchHeadLag(config, emit)
  return {
    onHead(agreed) {
      const remembered = evidence.remember(agreed)
      emit({ type: 'head', chainId, block: idOf(agreed.block) })
      emit({ type: 'verdict', evidence: remembered })
    },
    onReorg(from, to, isDeep) {
      if (isDeep) genesis.forget()
      if (isDeep) onDeepReorg()
      emit({ type: 'reorg', chainId, from: idOf(from), to: idOf(to) })
    },
    onNodeHead(index, number) {
      const node = nodes[index] as Node
      node.sawHead(number)
      emit({ type: 'node-head', chainId, node: node.options.name, number })
    },
    onLooked(head, asked) {
      genesis.check(asked)
      watchLag(head)
      const { number } = head.block
      for (const [index, node] of nodes.entries()) {
        if (asked.includes(index as NodeIndex)) node.compareHead(number)
        else node.assumeHead(number)
      }
    },
  }
}

/** So many operators must stand on another genesis than a node before it is taken to serve another chain. */
const accusersMin = 3

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
