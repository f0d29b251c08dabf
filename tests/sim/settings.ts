import type { Config } from '#rpc-proxy'
import { callGas } from './asked.ts'
import type { Chance } from './chance.ts'
import { planted } from './garbage.ts'
import type { WorldChain } from './world.ts'

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
  readonly cordon: { readonly atMs: number; readonly node: string } | null
  readonly end: { readonly atMs: number; readonly kind: 'drain' | 'close' } | null
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
    cordon: chance.roll(0.04) ? { atMs: chance.int(lengthMs), node: chance.pick(first.nodes).name } : null,
    end: chance.roll(0.3) ? { atMs: chance.int(lengthMs), kind: chance.pick(['drain', 'close']) } : null,
  }
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
    rate:
      costPerMinute === null
        ? null
        : { costPerMinute, costBurst: null, siteCallsPerSecond: null, trustedHops: 0 },
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
    headResetMs: chain.headResetMs,
    headLagMaxMs: 600_000,
    deadlineMs: chain.deadlineMs,
    callGas,
    logsRangeMax: 10_000,
    name: null,
    currency: null,
    explorer: null,
    publicUrls: [],
    nodes: chain.nodes.map((node) => ({
      name: node.name,
      url: node.url,
      enabled: true,
      weight: node.weight,
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
    })),
  }
}
