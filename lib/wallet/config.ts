import type { Chain } from 'viem'
import { type Config, createConfig } from 'wagmi'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { absolute, gatewayPath, quorate } from '#lib/page/quorate.ts'
import { multicall3 } from './multicall3.ts'
import { setPlaceholder } from './placeholder.ts'
import type { Visitor } from './visitor.ts'

export interface WalletConfigOptions {
  readonly chains: readonly ChainFacts[]
  /** Origin of the gateway; empty for this site. */
  readonly gateway: string
  readonly visitor: Visitor | null
}

/**
 * The wagmi configuration for one request or tab, without connectors. Never a module singleton: on the server that would
 * render one visitor's address for another.
 */
export function createWalletConfig({ chains, gateway, visitor }: WalletConfigOptions): Config {
  const [first, ...others] = chains.map((chain) => toChain(chain, gateway))
  if (!first) throw new Error('no chain is configured')
  const config = createConfig({
    chains: [first, ...others],
    transports: Object.fromEntries(chains.map(({ id }) => [id, quorate(gatewayPath(gateway, id))])),
    connectors: [],
    // We have our own: wagmi's storage keeps every account, and its discovery adds wallets that the visitor did not choose.
    storage: null,
    multiInjectedProviderDiscovery: false,
    pollingInterval: 4000,
    batch: { multicall: { batchSize: 1024, wait: 10 } },
  })
  if (visitor) setPlaceholder(config, visitor)
  return config
}

/** The chain for wallets and viem. Wallets are offered its public nodes, or this gateway when it has none. */
export function toChain(chain: ChainFacts, gateway: string): Chain {
  const urls = chain.publicUrls.length > 0 ? chain.publicUrls : [absolute(gatewayPath(gateway, chain.id))]
  return {
    id: chain.id,
    name: chain.name,
    nativeCurrency: chain.currency,
    rpcUrls: { default: { http: urls } },
    ...(chain.explorer && { blockExplorers: { default: { name: chain.name, url: chain.explorer } } }),
    contracts: { multicall3: { address: multicall3 } },
  }
}
