import type { Config } from '#rpc-proxy'
import { type Chance, createChance } from '../../support/chance.ts'
import { planted } from '../../support/garbage.ts'
import type { WorldChain, WorldNode } from './world.ts'

export interface Cordoning {
  readonly atMs: number
  readonly node: string
  readonly isOut: boolean
}

/** Settings and operator actions of the gateway in one world. Times are milliseconds since its start. */
export interface Settings {
  /** Some calls audit an extra node. Asks may then be in flight after their calls have ended. */
  readonly hasAudits: boolean
  /** The transport ignores aborts. */
  readonly ignoresAbort: boolean
  readonly inFlightMax: number
  /** The budget of a caller per minute; null for no limit. */
  readonly costPerMinute: number | null
  readonly deny: readonly string[]
  /** From then on the first chain has a higher quorum. */
  readonly reload: { readonly atMs: number; readonly quorum: number } | null
  /** Nodes of the first chain that are cordoned, and uncordoned. */
  readonly cordons: readonly Cordoning[]
  readonly end: { readonly atMs: number; readonly kind: 'drain' | 'close' } | null
}

/** A world in place of an ordinary one. It has a generator of its own, so that other worlds stay unchanged. */
export interface SpecialWorld {
  readonly lengthMs: number
  /** Makes its only chain of one that was drawn. */
  readonly arrange: (chain: WorldChain) => WorldChain
  readonly settings?: (chain: WorldChain) => Partial<Settings>
}

export function createSettings(chance: Chance, chains: readonly WorldChain[], lengthMs: number): Settings {
  const first = chains[0] as WorldChain
  return {
    hasAudits: chance.roll(0.15),
    ignoresAbort: chance.roll(0.05),
    inFlightMax: chance.roll(0.04) ? chance.between(1, 2) : 1000,
    costPerMinute: chance.roll(0.02) ? chance.between(2, 10) : null,
    deny: chance.roll(0.02) ? ['eth_getLogs', 'eth_estimateGas'] : [],
    reload:
      chance.roll(0.08) && first.quorum < first.total
        ? { atMs: chance.int(lengthMs), quorum: (first.quorum + first.total) / 2 }
        : null,
    cordons: chance.roll(0.04)
      ? [{ atMs: chance.int(lengthMs), node: chance.pick(first.nodes).name, isOut: true }]
      : [],
    end: chance.roll(0.3) ? { atMs: chance.int(lengthMs), kind: chance.pick(['drain', 'close']) } : null,
  }
}

/** One in so many worlds has an operator who cordons nodes and takes some of them back. */
const cordonsEvery = 8

/** Drawn apart from everything else, so that a world without them is the same as before there were any. */
export function drawCordons(seed: number, { nodes }: WorldChain, lengthMs: number): readonly Cordoning[] {
  if (seed % cordonsEvery !== 3) return []
  const chance = createChance(seed ^ 0x2c1b3c6d)
  const isFaulty = ({ phases }: WorldNode) => phases.some(({ behavior }) => behavior.kind !== 'honest')
  const faulty = nodes.filter(isFaulty)
  const from = faulty.length > 0 && chance.roll(0.7) ? faulty : nodes
  return Array.from({ length: chance.between(1, 3) }, () => {
    const { name } = chance.pick(from)
    const atMs = chance.int(lengthMs)
    const backMs = chance.roll(0.4) ? [atMs + chance.int(2000)] : []
    return [
      { atMs, node: name, isOut: true },
      ...backMs.map((ms) => ({ atMs: ms, node: name, isOut: false })),
    ]
  }).flat()
}

/** One in so many worlds has nodes whose plans are spent soon. They are asked last, and a quorum that needs them still has them. */
const plansEvery = 8
const planMax = 40

/** Drawn apart from everything else too. */
export function withPlans(seed: number, chains: readonly WorldChain[]): readonly WorldChain[] {
  if (seed % plansEvery !== 5) return chains
  const chance = createChance(seed ^ 0x51ab7e03)
  const drawn = (node: WorldNode) =>
    chance.roll(0.6) ? { ...node, perMonth: chance.between(1, planMax) } : node
  return chains.map((chain) => ({ ...chain, nodes: chain.nodes.map(drawn) }))
}

/** The configuration of a world, in the form of `parseConfig`. */
export function configOf(
  chains: readonly WorldChain[],
  { inFlightMax, costPerMinute, deny }: Settings,
  quorum: number | null = null,
): Config {
  return {
    version: 1,
    chains: chains.map((chain, index) =>
      chainOf(chain, index === 0 ? (quorum ?? chain.quorum) : chain.quorum),
    ),
    limits: { bodyBytesMax: 524_288, batchCallsMax, answerBytesMax: 8_388_608, inFlightMax },
    rate: costPerMinute === null ? null : { costPerMinute, siteCallsPerSecond: null, trustedHops: 0 },
    callers: [],
    anonymous: 'allowed',
    methods: { deny, contracts: null },
  }
}

export const batchCallsMax = 20

function chainOf(chain: WorldChain, quorum: number): Config['chains'][number] {
  return {
    id: chain.id,
    quorum,
    total: chain.total,
    operatorsMin: chain.operatorsMin,
    headMaxAgeMs: chain.headMaxAgeMs,
    headLagMaxMs: 600_000,
    deadlineMs: chain.deadlineMs,
    logsRangeMax: 10_000,
    protect: chain.protect,
    beacon: null,
    checkpoint: null,
    proofs: 'auto',
    name: null,
    currency: null,
    explorer: null,
    publicUrls: [],
    nodes: chain.nodes.map((node) => ({
      name: node.name,
      url: node.url,
      enabled: true,
      weight: node.weight,
      role: node.isWitness ? 'witness' : 'voter',
      required: node.isRequired,
      priority: node.priority,
      stallMs: node.stallMs,
      community: false,
      operator: node.operator,
      aggregator: false,
      writes: node.writes,
      headers: { authorization: `Bearer ${planted}` },
      trace: false,
      batchCallsMax: node.batchCallsMax,
      inFlightMax: node.inFlightMax,
      perSecond: node.perSecond,
      perDay: null,
      units: null,
      perMonth: node.perMonth ?? null,
      monthBegins: 1,
      plan: null,
    })),
  }
}
