import { type ChainConfig, isDevChain } from '../config/config-types.ts'
import type { EngineEvent } from '../events/events.ts'
import type { Evidence, FailureReason } from '../events/evidence-types.ts'
import type { Ports } from '../events/ports.ts'
import { buildEvidence } from '../evidence/build.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import type { HeadPollPorts } from '../heads/head-poll.ts'
import { type Head, Heads, type HeadsPorts, staleMsOf } from '../heads/heads.ts'
import type { HeightLog } from '../heads/height-log.ts'
import {
  contains,
  type Electorates,
  isEmpty,
  isQuorum,
  noOperators,
  type OperatorSet,
  operatorOfNode,
  operatorsOfNodes,
  withMajority,
} from '../quorum/electorate.ts'
import type { RuleName } from '../quorum/verdict.ts'
import { type Cancel, within } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { Node } from '../upstreams/node.ts'
import { inOrder } from '../upstreams/order.ts'
import { type Genesis, headerCall } from './genesis-check.ts'
import { createHeadEvidence, type HeadEvidence, idOf } from './head-evidence.ts'
import { watchHeadLag } from './head-lag.ts'
import type { PinnedHistory } from './pinned-history.ts'
import { type NodeFeedback, UpstreamRequest } from './upstream-request.ts'

/** The current block of one chain, by the headers of its nodes. */
export interface ChainHeads {
  readonly heads: Heads
  /** The agreed head, or QuorumError. */
  readonly head: (endMs: number) => Head | Promise<Head>
  /** The agreed safe or finalized block; `block-not-found` where the nodes agree on none. */
  readonly finality: (tag: 'safe' | 'finalized', endMs: number) => Promise<Head>
  /** Called at each new agreed head, until it is cancelled. */
  readonly onHead: (listener: () => void) => Cancel
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
  readonly electorates: Electorates
  /** Heads of protected calls are agreed on by a protected quorum, and polled for these calls alone. */
  readonly policy: 'everyday' | 'protected'
  readonly genesis: Genesis
  readonly history: PinnedHistory
  readonly feedback: NodeFeedback
  /** The heads of any policy that more than half of all weight has shown. */
  readonly reached: HeightLog
  readonly nextId: () => string
  /** A reorg of unknown depth: anything cached by block number may belong to another chain. */
  readonly onDeepReorg: () => void
}

type ChainPorts = Pick<Ports, 'clock' | 'random'>
type Emit = (event: EngineEvent) => void

/** How long no quorum shows a head until it is given up for a lower one: longer than nodes take to agree again after a fork or a restart. */
export const headResetMsOf = (chainId: number): number => (isDevChain(chainId) ? 5000 : 30_000)

export function createChainHeads(options: ChainHeadsOptions, ports: ChainPorts, emit: Emit): ChainHeads {
  const { config, nodes, electorates, policy, genesis, history, nextId } = options
  const { clock } = ports
  const chainId = config.id
  const electorate = electorates[policy]
  // The head descends from it.
  const signed = () => {
    const block = history.signed()?.block ?? null
    return block !== null && heads.agreed.hashAt(block.number) === block.hash ? block : null
  }
  const evidence = createHeadEvidence({ chainId, nodes, electorates, nextId, signed })
  const listeners = new Set<() => void>()
  const heads = new Heads(
    { maxAgeMs: config.headMaxAgeMs, resetMs: headResetMsOf(chainId), deadlineMs: config.deadlineMs },
    { ...pollPorts(options, ports, emit), ...headEvents(options, { evidence, listeners }, ports, emit) },
  )

  return {
    heads,
    head(endMs) {
      const found = heads.fresh()
      if (!(found instanceof Promise)) return found
      return within(clock, endMs - clock.now(), found).catch(() => {
        const nothing = evidenceOfNoHead(options, heads, clock.now())
        emit({ type: 'verdict', evidence: nothing })
        throw new QuorumError(nothing)
      })
    },
    finality: (tag, endMs) =>
      within(clock, endMs - clock.now(), Promise.resolve(heads.at(tag))).catch(() => {
        throw new CallError('block-not-found', { message: `${tag} block not found` })
      }),
    onHead(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    headEvidence: (head) => evidence.of(head),
    distrust(distrusted) {
      forgetGenesis(genesis, nodes)
      options.reached.clear()
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
  { config, nodes, electorates, policy, history, feedback }: ChainHeadsOptions,
  { clock, random }: ChainPorts,
  emit: Emit,
): Omit<HeadPollPorts, 'repliedMs' | 'known'> {
  const isEveryday = policy === 'everyday'
  const latest = electorates[policy]
  const majority = withMajority(latest)
  const degradedMajority = withMajority(electorates.degraded)
  return {
    clock,
    chainId: config.id,
    checkpoints: history.checkpoints,
    policy,
    electorates: { latest, safe: majority, finalized: majority },
    tightened: isEveryday && electorates.mayTighten ? electorates.tightened : null,
    degraded: { latest: electorates.degraded, safe: degradedMajority, finalized: degradedMajority },
    nodes: () =>
      inOrder(nodes, { electorate: latest, method: headerCall.method, block: null, random })
        .filter(({ isReserved }) => !(isEveryday && isReserved))
        .map(({ node, index, isUsable, isSpent, isWitness, isDown }) => ({
          node: index,
          // No poll has it as the extra node.
          isUsable: isUsable && !isSpent,
          isWitness: isEveryday && isWitness,
          isDown,
          due: node.health.isDue(),
        })),
    request(node, member, block) {
      const call = { ...headerCall, params: `["${block}",false]` }
      return new UpstreamRequest(member, nodes[node] as Node, { call, purpose: 'head', feedback, clock })
    },
    sawHead(index, number) {
      const node = nodes[index] as Node
      node.sawHead(number)
      emit({ type: 'node-head', chainId: config.id, node: node.options.name, number })
    },
  }
}

/** Who is told when heads change. */
function headEvents(
  options: ChainHeadsOptions,
  { evidence, listeners }: { readonly evidence: HeadEvidence; readonly listeners: ReadonlySet<() => void> },
  { clock }: ChainPorts,
  emit: Emit,
): Pick<HeadsPorts, 'onHead' | 'onReorg' | 'onPolled'> {
  const { config, nodes, policy, genesis, reached, onDeepReorg } = options
  const chainId = config.id
  // The chain's head, as it is shown, is the everyday one.
  const isEveryday = policy === 'everyday'
  const watchLag = isEveryday ? watchHeadLag(config, emit) : () => {}
  return {
    onHead(agreed) {
      const remembered = evidence.remember(agreed)
      if (isEveryday) emit({ type: 'head', chainId, block: idOf(agreed.block) })
      emit({ type: 'verdict', evidence: remembered })
      for (const listener of listeners) listener()
    },
    onReorg(from, to, isDeep) {
      if (isDeep) forgetGenesis(genesis, nodes)
      if (isDeep) onDeepReorg()
      reached.clear()
      if (isEveryday) emit({ type: 'reorg', chainId, from: idOf(from), to: idOf(to) })
    },
    onPolled(head, polled) {
      for (const index of genesis.due(polled))
        void genesis.check(index).then((others) => {
          for (const other of others) nodes[other]?.identity.markWrongChain()
        })
      watchLag(head)
      findBehind(head, options, clock.now())
      const number = Math.max(head.block.number, reached.top() ?? 0)
      for (const [index, node] of nodes.entries()) {
        if (polled.includes(index as NodeIndex)) node.compareHead(number)
        else node.assumeHead(number)
      }
    },
  }
}

/**
 * A node stays behind while more than half of voters and witnesses show a head that has long passed its own. A head that nobody
 * shows any more, since the chain was reset, leaves nobody behind.
 */
function findBehind(
  { block, nodes: showing, seenMs, confirmedMs }: Head,
  { config, nodes, electorates: { tightened }, reached }: ChainHeadsOptions,
  nowMs: number,
): void {
  const apartMs = staleMsOf(config.headMaxAgeMs)
  const isMajority = isQuorum({ ...tightened, required: noOperators }, operatorsOfNodes(tightened, showing))
  const isConfirmed = isMajority && seenMs === confirmedMs
  if (isConfirmed) reached.note(block.number, nowMs)
  const isVisible = nodes.some((node) => (node.headSince(nowMs - apartMs) ?? -1) >= block.number)
  if (seenMs - confirmedMs > apartMs && !isVisible) reached.clear()
  for (const node of nodes) {
    const number = node.headSince(nowMs - apartMs)
    const isPassed = number !== null && reached.isPassed(number, nowMs)
    if (number !== null && (isConfirmed || !isPassed)) node.health.staysBehind(isPassed)
  }
}

function forgetGenesis(genesis: Genesis, nodes: readonly Node[]): void {
  for (const node of genesis.forget()) nodes[node]?.identity.clearWrongChain()
}

function evidenceOfNoHead(options: ChainHeadsOptions, heads: Heads, nowMs: number): Evidence {
  const { config, electorates, policy, nextId } = options
  const electorate = electorates[policy]
  const { reason, ...rule } = whyNoHead(options, heads, nowMs)
  return buildEvidence({
    id: nextId(),
    chainId: config.id,
    method: 'eth_blockNumber',
    params: '[]',
    block: null,
    electorate,
    policy,
    startMs: nowMs,
    endMs: nowMs,
    rule,
    reason,
    operators: noOperators,
    requests: [],
    groups: [],
    result: null,
  })
}

/** By whether enough nodes to agree on a head have answered since one could last be served. */
function whyNoHead({ config, electorates, policy }: ChainHeadsOptions, heads: Heads, nowMs: number): NoHead {
  const electorate = electorates[policy]
  const answering = operatorsOfNodes(electorate, heads.repliedSince(nowMs - staleMsOf(config.headMaxAgeMs)))
  if (isQuorum(electorate, answering)) return noHead
  return policy === 'protected' && !isEmpty(answering) ? { ...tooFewReplies, reason: 'thin' } : tooFewReplies
}

interface NoHead extends RuleName {
  readonly reason: FailureReason
}

const noHead: NoHead = { id: 'no-head', label: 'no block that a quorum shows', reason: 'heads' }
const tooFewReplies: NoHead = {
  id: 'too-few-replies',
  label: 'too few nodes answer to agree on a block',
  reason: 'silent',
}
