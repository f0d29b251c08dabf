import { ownLimits, type Provider, providers } from './providers.ts'
import type { Make } from './spelling.ts'

/** One kind of public node: its client, the depth of its state, and its provider plan. */
export interface RealNode {
  readonly make: Make
  /** The chain of the node. Forms differ by chain. */
  readonly chainId: 1 | 137 | 42161
  /** Blocks behind the head with state; null for an archive node. */
  readonly depthBlocks: number | null
  readonly provider: Provider
}

const none: Provider = {}

/** Nodes by their name in the demo and the tests. Sources of figures and messages: docs/nodes.md. */
export const zoo = {
  geth: { make: 'geth', chainId: 1, depthBlocks: 128, provider: ownLimits.geth },
  bor: { make: 'bor', chainId: 137, depthBlocks: 128, provider: ownLimits.geth },
  erigon: { make: 'erigon', chainId: 1, depthBlocks: null, provider: ownLimits.erigon },
  nethermind: { make: 'nethermind', chainId: 1, depthBlocks: 128, provider: ownLimits.nethermind },
  besu: { make: 'besu', chainId: 1, depthBlocks: 512, provider: ownLimits.besu },
  reth: { make: 'reth', chainId: 1, depthBlocks: 10_064, provider: ownLimits.reth },
  nitro: { make: 'nitro', chainId: 42161, depthBlocks: null, provider: none },
  'alchemy-free': { make: 'geth', chainId: 1, depthBlocks: null, provider: providers['alchemy-free'] },
  infura: { make: 'geth', chainId: 1, depthBlocks: null, provider: providers.infura },
  'quicknode-free': { make: 'bor', chainId: 137, depthBlocks: null, provider: providers['quicknode-free'] },
  'chainstack-free': { make: 'geth', chainId: 1, depthBlocks: null, provider: providers['chainstack-free'] },
  'drpc-free': { make: 'reth', chainId: 1, depthBlocks: null, provider: providers['drpc-free'] },
  publicnode: { make: 'reth', chainId: 1, depthBlocks: null, provider: providers.publicnode },
  ankr: { make: 'erigon', chainId: 1, depthBlocks: null, provider: providers.ankr },
  '1rpc': { make: 'geth', chainId: 1, depthBlocks: null, provider: providers['1rpc'] },
  thirdweb: { make: 'nethermind', chainId: 1, depthBlocks: null, provider: providers.thirdweb },
  coinbase: { make: 'geth', chainId: 1, depthBlocks: null, provider: providers.coinbase },
  cloudflare: { make: 'besu', chainId: 1, depthBlocks: null, provider: providers.cloudflare },
  'arb1-public': { make: 'nitro', chainId: 42161, depthBlocks: null, provider: providers['arb1-public'] },
  'idle-resets': { make: 'geth', chainId: 1, depthBlocks: null, provider: providers['idle-resets'] },
  'two-heads': { make: 'reth', chainId: 1, depthBlocks: null, provider: providers['two-heads'] },
  'gateway-pages': { make: 'bor', chainId: 137, depthBlocks: null, provider: providers['gateway-pages'] },
} as const satisfies Readonly<Record<string, RealNode>>

export type RealName = keyof typeof zoo

export const realNames = Object.keys(zoo) as [RealName, ...RealName[]]
