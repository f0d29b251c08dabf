import type { Chain, Transport } from 'viem'
import { type Config, type Connector, createConfig } from 'wagmi'
import type { ChainFacts } from '#lib/chains.ts'
import { gatewayPath } from '#lib/page/gateway-path.ts'
import { lazyHttp } from './lazy-http.ts'
import type { Visitor } from './visitor.ts'

/** Where multicall3 lives on every chain that has it. */
const multicall3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } as const

export interface WalletConfigOptions {
  readonly chains: readonly ChainFacts[]
  /** Base of a gateway elsewhere; empty for this very site. */
  readonly gateway: string
  readonly visitor: Visitor | null
}

/**
 * One configuration for one request or one tab, with no connector in it yet. Never a module singleton: on the server
 * that would render one visitor's address for another.
 */
export function createWalletConfig({ chains, gateway, visitor }: WalletConfigOptions): Config {
  const [first, ...others] = chains.map((chain) => toChain(chain, gateway))
  if (!first) throw new Error('no chain is configured')
  const transports: Record<number, Transport> = {}
  for (const { id } of chains) {
    transports[id] = lazyHttp(absolute(gatewayPath(gateway, id)), {
      batch: { wait: 10 },
      timeout: 10_000,
      retryCount: 3,
    })
  }
  const config = createConfig({
    chains: [first, ...others],
    transports,
    connectors: [],
    // Ours: wagmi's keeps every account in a cookie or in localStorage, and connects wallets that only announced themselves.
    storage: null,
    multiInjectedProviderDiscovery: false,
    pollingInterval: 4000,
    batch: { multicall: { batchSize: 1024, wait: 10 } },
  })
  if (visitor) config.setState((state) => ({ ...state, ...returning(visitor, config) }))
  return config
}

/** The chain as wallets and viem want it. Wallets are offered the chain's public nodes, or this gateway where there are none. */
export function toChain(chain: ChainFacts, gateway: string): Chain {
  const urls = chain.publicUrls.length > 0 ? chain.publicUrls : [absolute(gatewayPath(gateway, chain.id))]
  return {
    id: chain.id,
    name: chain.name,
    nativeCurrency: chain.currency,
    rpcUrls: { default: { http: urls } },
    ...(chain.explorer && { blockExplorers: { default: { name: chain.name, url: chain.explorer } } }),
    contracts: { multicall3 },
  }
}

/** The state in which a returning visitor is shown before the wallet has answered: like connected, with a stand-in for the wallet. */
function returning(visitor: Visitor, config: Config): Partial<Config['state']> {
  const connector = standIn(visitor.connectorId)
  const known = config.chains.some(({ id }) => id === visitor.chainId)
  return {
    status: 'reconnecting',
    current: connector.uid,
    connections: new Map([
      [connector.uid, { accounts: [visitor.address], chainId: visitor.chainId, connector }],
    ]),
    ...(known && { chainId: visitor.chainId }),
  }
}

// wagmi wants a whole connector; until the real one is there it is only asked for its name.
function standIn(id: string): Connector {
  return { id, name: id, type: 'stand-in', uid: 'returning' } as unknown as Connector
}

function absolute(path: string): string {
  return path.startsWith('/') && typeof location === 'object' ? `${location.origin}${path}` : path
}
