import type { ChainConfig } from '../config/config-types.ts'
import { isDevChain } from '../config/fields.ts'
import type { EngineEvent } from '../events/events.ts'
import type { Evidence, FailureReason } from '../events/evidence-types.ts'
import type { Ports } from '../events/ports.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import type { HeadPollPorts } from '../heads/head-poll.ts'
import type { HeaderReplies } from '../heads/header-replies.ts'
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
import { type Cancel, type Soon, within } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { Node } from '../upstreams/node.ts'
import { inOrder } from '../upstreams/order.ts'
import { type GenesisCheck, headerCall } from './genesis-check.ts'
import { HeadEvidence, idOf } from './head-evidence.ts'
import { watchHeadLag } from './head-lag.ts'
import type { PinnedHistory } from './pinned-history.ts'
import { UpstreamRequest } from './upstream-request.ts'

/** The nodes to poll, and how much each of them weighs. */
interface ChainHeadsOptions {
  readonly config: ChainConfig
  readonly nodes: readonly Node[]
  readonly electorates: Electorates
  /** Heads of protected calls are agreed on by a protected quorum, and polled for these calls alone. */
  readonly policy: 'everyday' | 'protected'
  readonly genesis: GenesisCheck
  readonly history: PinnedHistory
  /** The heads of any policy that more than half of all weight has shown. */
  readonly reached: HeightLog
  readonly replies: HeaderReplies
  readonly nextId: () => string
  /** A reorg of unknown depth: anything cached by block number may belong to another chain. */
  readonly onDeepReorg: () => void
}

type ChainPorts = Pick<Ports, 'clock' | 'random'>
type Emit = (event: EngineEvent) => void

/** How long no quorum shows a head until it is given up for a lower one: longer than nodes take to agree again after a fork or a restart. */
export const headResetMsOf = (chainId: number): number => (isDevChain(chainId) ? 5000 : 30_000)

/** The current block of one chain, by the headers of its nodes. */
export function createChainHeads(options: ChainHeadsOptions, ports: ChainPorts, emit: Emit) {
  const { config, nodes, electorates, policy, genesis, history, nextId } = options
  const { clock } = ports
  const chainId = config.id
  const electorate = electorates[policy]
  // The head descends from it.
  const signed = () => {
    const block = history.signed()?.block ?? null
    return block !== null && heads.agreed.hashAt(block.number) === block.hash ? block : null
  }
  const evidence = new HeadEvidence({ chainId, nodes, electorates, nextId, signed })
  const listeners = new Set<() => void>()
  const heads = new Heads(
    { maxAgeMs: config.headMaxAgeMs, resetMs: headResetMsOf(chainId), deadlineMs: config.deadlineMs },
    { ...pollPorts(options, ports, emit), ...headEvents(options, { evidence, listeners }, ports, emit) },
  )

  return {
    heads,
    /** The agreed head, or QuorumError. */
    head(endMs: number): Soon<Head> {
      const found = heads.fresh()
      if (!(found instanceof Promise)) return found
      return within(clock, endMs - clock.now(), found).catch(() => {
        const nothing = evidence.ofNone(whyNoHead(options, clock.now()), policy, clock.now())
        emit({ type: 'verdict', evidence: nothing })
        throw new QuorumError(nothing)
      })
    },
    /** The agreed safe or finalized block; `block-not-found` where the nodes agree on none. */
    finality: (tag: 'safe' | 'finalized', endMs: number): Promise<Head> =>
      within(clock, endMs - clock.now(), Promise.resolve(heads.at(tag))).catch(() => {
        throw new CallError('block-not-found', { message: `${tag} block not found` })
      }),
    /** Called at each new agreed head, until it is cancelled. */
    onHead(listener: () => void): Cancel {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** The evidence for this agreed head, whether or not it is the newest one. */
    headEvidence: (head: Head): Evidence => evidence.of(head),
    /** What these operators have shown until now is not believed any more. */
    distrust(distrusted: OperatorSet): void {
      genesis.forget()
      options.reached.clear()
      heads.restart((node) => !contains(distrusted, operatorOfNode(electorate, node)))
      evidence.forget()
      const head = heads.current()
      if (head !== null) evidence.remember(head)
    },
    close(): void {
      heads.close()
      genesis.close()
    },
  }
}

export type ChainHeads = ReturnType<typeof createChainHeads>

/** How a poll asks the nodes. */
function pollPorts(
  { config, nodes, electorates, policy, history, replies }: ChainHeadsOptions,
  { clock, random }: ChainPorts,
  emit: Emit,
): Omit<HeadPollPorts, 'known'> {
  const isEveryday = policy === 'everyday'
  const latest = electorates[policy]
  const majority = withMajority(latest)
  const degradedMajority = withMajority(electorates.degraded)
  return {
    clock,
    chainId: config.id,
    checkpoints: history.checkpoints,
    replies,
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
      const options = { chainId: config.id, call, purpose: 'head', clock, emit } as const
      return new UpstreamRequest(member, nodes[node] as Node, options)
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
      if (isDeep) genesis.forget()
      if (isDeep) onDeepReorg()
      reached.clear()
      if (isEveryday) emit({ type: 'reorg', chainId, from: idOf(from), to: idOf(to) })
    },
    onPolled(head, polled) {
      genesis.check(polled)
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
  const isConfirmed = isMajority && seenMs <= confirmedMs
  if (isConfirmed) reached.note(block.number, nowMs)
  const isVisible = nodes.some((node) => (node.headSince(nowMs - apartMs) ?? -1) >= block.number)
  if (seenMs - confirmedMs > apartMs && !isVisible) reached.clear()
  for (const node of nodes) {
    const number = node.headSince(nowMs - apartMs)
    const isPassed = number !== null && reached.isPassed(number, nowMs)
    if (number !== null && (isConfirmed || !isPassed)) node.health.staysBehind(isPassed)
  }
}

/** Why there is no head: enough nodes to agree on one have replied lately, or too few have. */
function whyNoHead(
  { config, electorates, policy, replies }: ChainHeadsOptions,
  nowMs: number,
): FailureReason {
  const electorate = electorates[policy]
  const answering = operatorsOfNodes(electorate, replies.since(nowMs - staleMsOf(config.headMaxAgeMs)))
  if (isQuorum(electorate, answering)) return 'heads'
  return policy === 'protected' && !isEmpty(answering) ? 'thin' : 'silent'
}
