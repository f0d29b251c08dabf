import * as known from 'viem/chains'
import config from '#config'

/** What a page and a wallet are told of a chain. viem has what is left out. */
export interface DemoFacts {
  readonly id: number
  readonly name?: string | undefined
  readonly currency?:
    | { readonly name: string; readonly symbol: string; readonly decimals: number }
    | undefined
  readonly explorer?: string | undefined
}

/** A chain that the demo starts. */
export interface DemoChain {
  readonly facts: DemoFacts
  readonly label: string
  /** Seconds between blocks, as on the real chain where viem knows it. */
  readonly blockTimeS: number
}

/** A local chain for each of these, which are as in `quorate.config.ts`. */
export function demoChainsOf(chains: readonly DemoFacts[]): readonly DemoChain[] {
  const all = Object.values<{ id: number; name: string; blockTime?: number | undefined }>(known)
  return chains.map(({ id, name, currency, explorer }) => {
    const chain = all.find((candidate) => candidate.id === id)
    return {
      facts: { id, name, currency, explorer },
      label: name ?? chain?.name ?? `Chain ${id}`,
      blockTimeS: (chain?.blockTime ?? 1000) / 1000,
    }
  })
}

/** The chains of the demo: those of `quorate.config.ts`. */
export const demoChains = demoChainsOf(config.chains)
