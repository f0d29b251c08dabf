import { ownLimits, type Provider, providers } from './providers.ts'
import type { Client } from './reply-format.ts'

/** One kind of public node: its client, the depth of its state, and its provider plan. */
export interface RealNode {
  readonly client: Client
  /** The chain of the node. Forms differ by chain. */
  readonly chainId: 1 | 137 | 42161
  /** Blocks behind the head with state; null for an archive node. */
  readonly depthBlocks: number | null
  readonly provider: Provider
}

const none: Provider = {}

/** Nodes by their name in the demo and the tests. Sources of figures and messages: docs/nodes.md. */
export const clientProfiles = {
  geth: { client: 'geth', chainId: 1, depthBlocks: 128, provider: ownLimits.geth },
  bor: { client: 'bor', chainId: 137, depthBlocks: 128, provider: ownLimits.geth },
  erigon: { client: 'erigon', chainId: 1, depthBlocks: null, provider: ownLimits.erigon },
  nethermind: { client: 'nethermind', chainId: 1, depthBlocks: 128, provider: ownLimits.nethermind },
  besu: { client: 'besu', chainId: 1, depthBlocks: 512, provider: ownLimits.besu },
  reth: { client: 'reth', chainId: 1, depthBlocks: 10_064, provider: ownLimits.reth },
  nitro: { client: 'nitro', chainId: 42161, depthBlocks: null, provider: none },
  'alchemy-free': { client: 'geth', chainId: 1, depthBlocks: null, provider: providers['alchemy-free'] },
  infura: { client: 'geth', chainId: 1, depthBlocks: null, provider: providers.infura },
  'quicknode-free': { client: 'bor', chainId: 137, depthBlocks: null, provider: providers['quicknode-free'] },
  'chainstack-free': {
    client: 'geth',
    chainId: 1,
    depthBlocks: null,
    provider: providers['chainstack-free'],
  },
  'drpc-free': { client: 'reth', chainId: 1, depthBlocks: null, provider: providers['drpc-free'] },
  publicnode: { client: 'reth', chainId: 1, depthBlocks: null, provider: providers.publicnode },
  ankr: { client: 'erigon', chainId: 1, depthBlocks: null, provider: providers.ankr },
  '1rpc': { client: 'geth', chainId: 1, depthBlocks: null, provider: providers['1rpc'] },
  thirdweb: { client: 'nethermind', chainId: 1, depthBlocks: null, provider: providers.thirdweb },
  coinbase: { client: 'geth', chainId: 1, depthBlocks: null, provider: providers.coinbase },
  cloudflare: { client: 'besu', chainId: 1, depthBlocks: null, provider: providers.cloudflare },
  'arb1-public': { client: 'nitro', chainId: 42161, depthBlocks: null, provider: providers['arb1-public'] },
  'idle-resets': { client: 'geth', chainId: 1, depthBlocks: null, provider: providers['idle-resets'] },
  'two-heads': { client: 'reth', chainId: 1, depthBlocks: null, provider: providers['two-heads'] },
  'gateway-pages': { client: 'bor', chainId: 137, depthBlocks: null, provider: providers['gateway-pages'] },
} as const satisfies Readonly<Record<string, RealNode>>

export type RealName = keyof typeof clientProfiles

export const realNames = Object.keys(clientProfiles) as [RealName, ...RealName[]]
