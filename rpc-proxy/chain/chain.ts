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
import { type Electorate, type Electorates, electoratesOf, noOperators } from '../quorum/electorate.ts'
import { indexesOf, type NodeIndex } from '../runtime/indexes.ts'
import { Node } from '../upstreams/node.ts'
import { createCheckpointCheck, GenesisCheck } from './genesis-check.ts'
import { type ChainHeads, createChainHeads } from './head-tracker.ts'
import { createPinnedHistory, type PinnedHistory } from './pinned-history.ts'
import { createSuspects, type Suspects, type Trust } from './suspects.ts'

/** One chain under a policy: its nodes, who of them may decide, and which block is now. */
export interface Chain extends ChainHeads {
  /**
   * The same chain as stricter calls see it: with the heads and finality that a protected quorum shows, and what is kept of those. Under
   * `bridge` for logs and receipts on which all operators must agree. Null where it is one of these.
   */
  readonly under: Readonly<Record<'protected' | 'bridge', Chain>> | null
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
  /** Which protection the configuration wants for this call, if any. */
  readonly protectionOf: (spec: MethodSpec, params: readonly unknown[]) => Protection | null
}

/** A chain as it is served, by its everyday heads. */
export interface ServedChain extends Chain {
  readonly under: NonNullable<Chain['under']>
  /** Takes in the last block that the chain's validators have signed as final. */
  readonly sign: (finality: SignedFinality) => void
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
  options: ChainOptions,
  ports: Ports,
  emit: (event: EngineEvent) => void,
): ServedChain {
  const { answerBytesMax, nextId, trust, onDeepReorg } = options
  const chainId = config.id
  const electorates = electoratesOf(config)
  // All who may vote: the voters alone may be outweighed by liars among them.
  const everybody = { ...electorates.tightened, required: noOperators }
  const history = createPinnedHistory(config.checkpoint)
  const { checkpoints } = history
  const nodes = createNodes(config, { ...options, checkpoints }, ports, emit)

  const genesis = new GenesisCheck({ chainId, nodes, electorate: everybody, clock: ports.clock })
  const replies = new HeaderReplies(ports.clock)
  const reached = new HeightLog(staleMsOf(config.headMaxAgeMs))
  const keys = keysOf(config)
  const headsOf = (policy: 'everyday' | 'protected', ...own: readonly string[]) =>
    createChainHeads(
      {
        ...{ config, nodes, electorates, policy, genesis, history, replies, reached, nextId },
        onDeepReorg: () => own.forEach(onDeepReorg),
      },
      ports,
      emit,
    )
  const everyday = headsOf('everyday', keys.everyday)
  const guarded = headsOf('protected', keys.protected, keys.bridge)
  const both = [everyday, guarded]

  const suspects = createSuspects({
    ...{ chainId, nodes, electorate: everybody, trust, emit },
    onDistrust(distrusted) {
      for (const { distrust } of both) distrust(distrusted)
    },
  })
  const isElsewhere = (index: NodeIndex) => nodes[index]?.identity.wrongChain() != null
  for (const { identity } of nodes)
    identity.onContradiction(() => suspects.distrust(indexesOf<NodeIndex>(nodes).filter(isElsewhere)))

  const common = {
    ...{ config, electorates, nodes, trust, suspects, answerBytesMax, history, replies },
    electorate: electorates.everyday,
    stallMs: Math.min(...config.nodes.map((node) => node.stallMs)),
    protectionOf: protection(config.protect),
  }
  const chainWith = (own: ChainHeads, key: string) => {
    const agreedBlocks: AgreedBlocks = {
      ...{ chainId, checkpoints },
      at: (number) => own.heads.agreed.blockAt(number),
      of: (hash) => own.heads.agreed.blockOf(hash),
    }
    return { ...common, ...own, key, agreedBlocks, under: null }
  }
  return {
    ...chainWith(everyday, keys.everyday),
    // What is kept of reads by `bridge` is of its own: for others less would do.
    under: { protected: chainWith(guarded, keys.protected), bridge: chainWith(guarded, keys.bridge) },
    sign(finality) {
      const block = history.sign(finality)
      if (block === null) return
      // There is another checkpoint: nodes are asked for it when they are next used.
      for (const node of nodes) node.identity.recheck()
      for (const { heads } of both) {
        const known = heads.agreed.hashAt(block.number)
        if (known === null || known === block.hash) continue
        const showing = heads.current()?.nodes ?? []
        for (const index of showing) nodes[index]?.identity.clearWrongChain()
        suspects.distrust(showing)
      }
    },
    close() {
      for (const { close } of both) close()
    },
  }
}

interface NodesOptions extends Pick<ChainOptions, 'answerBytesMax' | 'hours'> {
  readonly checkpoints: Checkpoints
}

function createNodes(
  { id: chainId, nodes, deadlineMs }: ChainConfig,
  { answerBytesMax, hours, checkpoints }: NodesOptions,
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
          onState: (from, to, why) =>
            emit({ type: 'node-state', chainId, node: options.name, from, to, why }),
        },
      ),
  )
}

/** By policy. A digest, because URLs are secret. In the order of the nodes: sets of operators count by it. */
function keysOf({ id, checkpoint, nodes }: ChainConfig) {
  const each = nodes.map(({ name, url, operator, weight, role, required }) =>
    JSON.stringify([name, url, operator, weight, role, required]),
  )
  const text = [id, checkpoint?.hash ?? '', ...each].join()
  const everyday = bytesToHex(keccak_256(utf8ToBytes(text))).slice(0, 16)
  return { everyday, protected: `${everyday}|protected`, bridge: `${everyday}|bridge` }
}

export type Chains = ReadonlyMap<number, ServedChain>

/** The chains of a configuration. One that is configured as before is kept with all that it has learned. */
export function chainsOf(
  { chains, limits: { answerBytesMax } }: Config,
  old: Chains,
  make: (config: ChainConfig, answerBytesMax: number, previous: ServedChain | null) => ServedChain,
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
