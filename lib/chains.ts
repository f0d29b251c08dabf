import type { ChainConfig, Config } from '#rpc-proxy'
import { runningConfig } from './engine.ts'

/** What a page shows of a chain, from the configuration at run time, so that a chain can be added without a build. */
export interface ChainFacts {
  readonly id: number
  readonly name: string
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly explorer: string | null
  /** Node URLs that a wallet may be offered when it adds the chain. */
  readonly publicUrls: readonly string[]
}

type Known = Pick<ChainFacts, 'name' | 'currency' | 'explorer'>

/** The configured chains in their order; names, currencies and explorers that the configuration leaves out come from viem, once learned. */
export function chains(): readonly ChainFacts[] {
  return runningConfig().chains.map(facts)
}

/** Learns from viem what the configuration leaves out. Its list of all chains takes half a second to load, so only where it is needed. */
export async function learnChains(config: Config): Promise<void> {
  const wanted = config.chains.filter((chain) => lacks(chain) && !learned().has(chain.id))
  if (wanted.length === 0) return
  const known = Object.values(await import('viem/chains'))
  for (const { id } of wanted) {
    const chain = known.find((candidate) => candidate.id === id)
    if (chain === undefined) continue
    learned().set(id, {
      name: chain.name,
      currency: chain.nativeCurrency,
      explorer: chain.blockExplorers?.default.url ?? null,
    })
  }
}

const lacks = (chain: ChainConfig) =>
  chain.name === null || chain.currency === null || chain.explorer === null

function facts(chain: ChainConfig): ChainFacts {
  const known = learned().get(chain.id)
  return {
    id: chain.id,
    name: chain.name ?? known?.name ?? `Chain ${chain.id}`,
    currency: chain.currency ?? known?.currency ?? { name: 'Ether', symbol: 'ETH', decimals: 18 },
    explorer: chain.explorer ?? known?.explorer ?? null,
    publicUrls: chain.publicUrls,
  }
}

/** Once per process: Next bundles several copies of this module, and only one of them learns. */
function learned(): Map<number, Known> {
  const slots = globalThis as unknown as Record<symbol, Map<number, Known> | undefined>
  const slot = Symbol.for('quorate.chains')
  slots[slot] ??= new Map()
  return slots[slot]
}
