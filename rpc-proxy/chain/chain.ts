import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Protection, protection } from '../admission/contracts.ts'
import type { ChainConfig, Config } from '../config/config-types.ts'
import type { EngineEvent } from '../events/events.ts'
import type { Ports } from '../events/ports.ts'
import { HeaderReplies } from '../heads/header-replies.ts'
import { staleMsOf } from '../heads/heads.ts'
import { HeightLog } from '../heads/height-log.ts'
import type { NodeHours } from '../ledger/node-hours.ts'
import type { SignedFinality } from '../ledger/snapshot-types.ts'
import type { AgreedBlocks, Checkpoints } from '../methods/agreed-blocks.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import {
  type Electorate,
  type Electorates,
  electoratesOf,
  noOperators,
  type OperatorSet,
  operatorsOfNodes,
  unionOf,
} from '../quorum/electorate.ts'
import { indexesOf, type NodeIndex } from '../runtime/indexes.ts'
import { Node } from '../upstreams/node.ts'
import { createCheckpointCheck, GenesisCheck } from './genesis-check.ts'
import { type ChainHeads, createChainHeads } from './head-tracker.ts'
import { createPinnedHistory, type PinnedHistory } from './pinned-history.ts'
import { createSuspects, type Suspects, type Trust } from './suspects.ts'

/** One chain: its nodes, who of them may decide, and which block is now. */
export interface Chain extends ChainHeads {
  /** The same chain as protected calls see it: with the heads and finality that a protected quorum shows, and what is kept of those. */
  readonly forProtected: Chain
  /** The same for logs and receipts on which all operators must agree. */
  readonly forBridge: Chain
  readonly config: ChainConfig
  /** The electorate of everyday rounds. */
  readonly electorate: Electorate
  readonly electorates: Electorates
  readonly nodes: readonly Node[]
  /** Cache key of the chain: changes with its id, its voters, their order and their weights. */
  readonly key: string
  readonly agreedBlocks: AgreedBlocks
  /** Whose earlier word counts. */
  readonly trust: Trust
  readonly suspects: Suspects
  /** The shortest stall of its nodes, milliseconds: how long it is patient before it does more. */
  readonly stallMs: number
  /** Cap on one answer, of a node and to a caller, bytes. */
  readonly answerBytesMax: number
  readonly history: Pick<PinnedHistory, 'signed'>
  readonly replies: HeaderReplies
  /** Takes in the last block that the chain's validators have signed as final. */
  readonly sign: (finality: SignedFinality) => void
  /** Which protection the configuration wants for this call, if any. */
  readonly protectionOf: (spec: MethodSpec, params: readonly unknown[]) => Protection | null
}

interface ChainOptions {
  readonly nextId: () => string
  readonly answerBytesMax: number
  readonly trust: Trust
  /** What its nodes did, and what that has cost. */
  readonly hours: NodeHours
  /** A reorg of unknown depth: nothing cached under this key may be served any more. */
  readonly onDeepReorg: (key: string) => void
}

export function createChain(
  config: ChainConfig,
  { answerBytesMax, nextId, trust, hours, onDeepReorg }: ChainOptions,
  ports: Ports,
  emit: (event: EngineEvent) => void,
): Chain {
  const { clock } = ports
  const chainId = config.id
  const electorates = electoratesOf(config)
  const electorate = electorates.everyday
  // All who may vote: the voters alone may be outweighed by liars among them.
  const everybody = { ...electorates.tightened, required: noOperators }
  const history = createPinnedHistory(config.checkpoint)
  const { checkpoints } = history
  const nodes = createNodes(config, { answerBytesMax, hours, checkpoints, onContradiction }, ports, emit)
  const key = keyOf(config)
  const suspects = createSuspects({
    ...{ chainId, nodes, electorate: everybody, trust, emit },
    onDistrust: forgetBefore,
  })
  const genesis = new GenesisCheck({ chainId, nodes, electorate: everybody, suspects: suspects.now, clock })
  const common = {
    config,
    electorate,
    electorates,
    nodes,
    trust,
    suspects,
    stallMs: Math.min(...config.nodes.map((node) => node.stallMs)),
    answerBytesMax,
    protectionOf: protection(config.protect),
    history,
    sign,
    replies: new HeaderReplies(clock),
    reached: new HeightLog(staleMsOf(config.headMaxAgeMs)),
  }
  const everyday = chainFor('everyday')
  const guarded = chainFor('protected')
  const forProtected: Chain = {
    ...guarded,
    get forProtected() {
      return forProtected
    },
    get forBridge() {
      return forBridge
    },
  }
  const forBridge: Chain = {
    ...guarded,
    // What is kept of its reads is of its own: for others less would do.
    key: bridgeKey(guarded.key),
    forProtected,
    get forBridge() {
      return forBridge
    },
  }
  const both = [everyday, forProtected]
  return {
    ...everyday,
    forProtected,
    forBridge,
    close() {
      for (const { close } of both) close()
    },
  }

  function sign(finality: SignedFinality): void {
    const block = history.sign(finality)
    if (block === null) return
    // There is another checkpoint: nodes are asked for it when they are next used.
    for (const node of nodes) node.identity.recheck()
    for (const { heads } of both) {
      const known = heads.agreed.hashAt(block.number)
      if (known === null || known === block.hash) continue
      const showing = heads.current()?.nodes ?? []
      for (const index of showing) nodes[index]?.identity.clearWrongChain()
      distrustNodes(showing)
    }
  }

  function onContradiction(): void {
    distrustNodes(indexesOf<NodeIndex>(nodes).filter((index) => nodes[index]?.identity.wrongChain() != null))
  }

  function forgetBefore(distrusted: OperatorSet): void {
    for (const { distrust } of both) distrust(distrusted)
  }

  /** These contradict what the chain is known to have: what they said before counts no more. */
  function distrustNodes(indexes: readonly NodeIndex[]): void {
    const distrusted = unionOf([suspects.now(), operatorsOfNodes(everybody, indexes)])
    trust.distrust(distrusted)
    forgetBefore(distrusted)
  }

  function chainFor(policy: 'everyday' | 'protected'): Omit<Chain, 'forProtected' | 'forBridge'> {
    const own = policy === 'everyday' ? key : `${key}|${policy}`
    const forget = () => {
      for (const each of policy === 'everyday' ? [own] : [own, bridgeKey(own)]) onDeepReorg(each)
    }
    const heads: ChainHeads = createChainHeads(
      { ...common, policy, genesis, nextId, onDeepReorg: forget },
      ports,
      emit,
    )
    const agreedBlocks: AgreedBlocks = {
      chainId,
      at: (number) => heads.heads.agreed.blockAt(number),
      of: (hash) => heads.heads.agreed.blockOf(hash),
      checkpoints,
    }
    return { ...common, ...heads, key: own, agreedBlocks }
  }
}

interface NodesOptions extends Pick<ChainOptions, 'answerBytesMax' | 'hours'> {
  readonly checkpoints: Checkpoints
  readonly onContradiction: () => void
}

function createNodes(
  { id: chainId, nodes, deadlineMs }: ChainConfig,
  { answerBytesMax, hours, checkpoints, onContradiction }: NodesOptions,
  { clock, send, nodePeers }: Ports,
  emit: (event: EngineEvent) => void,
): readonly Node[] {
  const contradictsCheckpoint = createCheckpointCheck(chainId, checkpoints)
  return nodes.map(
    (options) =>
      new Node(
        options,
        { chainId, deadlineMs, answerBytesMax },
        {
          clock,
          send,
          nodePeers,
          unitCount: hours.unitsOf(chainId, options.name, options.plan),
          contradictsCheckpoint,
          onContradiction,
          onState: (from, to, why) =>
            emit({ type: 'node-state', chainId, node: options.name, from, to, why }),
        },
      ),
  )
}

const bridgeKey = (key: string) => `${key}|bridge`

/** A digest, because URLs are secret. In the order of the nodes: sets of operators count by it. */
function keyOf({ id, checkpoint, nodes }: ChainConfig): string {
  const each = nodes.map(({ name, url, operator, weight, role, required }) =>
    JSON.stringify([name, url, operator, weight, role, required]),
  )
  return bytesToHex(keccak_256(utf8ToBytes([id, checkpoint?.hash ?? '', ...each].join()))).slice(0, 16)
}

export type Chains = ReadonlyMap<number, Chain>

/** The chains of a configuration. One that is configured as before is kept with all that it has learned. */
export function chainsOf(
  { chains, limits: { answerBytesMax } }: Config,
  old: Chains,
  make: (config: ChainConfig, answerBytesMax: number, previous: Chain | null) => Chain,
): Chains {
  return new Map(
    chains.map((config) => {
      const previous = old.get(config.id)
      const isSame =
        previous?.answerBytesMax === answerBytesMax &&
        JSON.stringify(previous.config) === JSON.stringify(config)
      if (isSame) return [config.id, previous]
      const made = make(config, answerBytesMax, previous ?? null)
      for (const before of previous?.nodes.filter(isCordoned) ?? [])
        made.nodes.find((node) => isSameNode(node, before.options))?.health.cordon(before.health.cordoned())
      return [config.id, made]
    }),
  )
}

const isCordoned = (node: Node) => node.health.cordoned() !== null

/** A node stays cordoned through a reload under the same name at the same address. */
function isSameNode({ options }: Node, { name, url }: Node['options']): boolean {
  return options.name === name && options.url === url
}
