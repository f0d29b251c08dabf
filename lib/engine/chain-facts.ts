import type { ChainConfig, Config } from '#rpc-proxy'
import { processWide } from '../process-wide.ts'
import { runningConfig } from './engine.ts'

/** A chain's facts for pages. Read from the configuration at run time, so that adding a chain needs no build. */
export interface ChainFacts {
  readonly id: number
  readonly name: string
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly explorer: string | null
  /** A chain of `npm run dev` or `npm run demo`. */
  readonly isLocal?: true
  /** Node URLs to offer to a wallet that adds the chain. */
  readonly publicUrls: readonly string[]
}

type Known = Pick<ChainFacts, 'name' | 'currency' | 'explorer'>

/** The configured chains in order. Missing names, currencies and explorers come from viem, after `learnChains`. */
export function chains(): readonly ChainFacts[] {
  return runningConfig().chains.map(facts)
}

/** Takes what the configuration omits from viem. Its list of all chains takes half a second to load, so only if needed. */
export async function learnChains(config: Config): Promise<void> {
  const wanted = config.chains.filter((chain) => lacks(chain) && !learned.has(chain.id))
  if (wanted.length === 0) return
  const known = Object.values(await import('viem/chains'))
  for (const { id } of wanted) {
    const chain = known.find((candidate) => candidate.id === id)
    if (chain === undefined) continue
    learned.set(id, {
      name: chain.name,
      currency: chain.nativeCurrency,
      explorer: chain.blockExplorers?.default.url ?? null,
    })
  }
}

const lacks = (chain: ChainConfig) =>
  chain.name === null || chain.currency === null || chain.explorer === null

function facts(chain: ChainConfig): ChainFacts {
  const known = learned.get(chain.id)
  return {
    id: chain.id,
    name: chain.name ?? known?.name ?? `Chain ${chain.id}`,
    currency: chain.currency ?? known?.currency ?? { name: 'Ether', symbol: 'ETH', decimals: 18 },
    explorer: chain.explorer ?? known?.explorer ?? null,
    publicUrls: chain.publicUrls,
  }
}

const learned = processWide('chains', new Map<number, Known>()).value
