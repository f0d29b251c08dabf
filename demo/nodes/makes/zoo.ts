import { ownLimits, type Provider, providers } from './providers.ts'
import type { Make } from './spelling.ts'

/** One node as it is met in public: which client it runs, how far back its state goes, and whose plan is in front of it. */
export interface RealNode {
  readonly make: Make
  /** Blocks behind the head whose state it keeps; null for an archive. */
  readonly depthBlocks: number | null
  readonly provider: Provider
}

const none: Provider = {}

/** Nodes by the name under which the demo and the tests start them. Figures and words: docs/nodes.md. */
export const zoo = {
  geth: { make: 'geth', depthBlocks: 128, provider: ownLimits.geth },
  bor: { make: 'bor', depthBlocks: 128, provider: ownLimits.geth },
  erigon: { make: 'erigon', depthBlocks: null, provider: ownLimits.erigon },
  nethermind: { make: 'nethermind', depthBlocks: 128, provider: ownLimits.nethermind },
  besu: { make: 'besu', depthBlocks: 512, provider: ownLimits.besu },
  reth: { make: 'reth', depthBlocks: 10_064, provider: ownLimits.reth },
  nitro: { make: 'nitro', depthBlocks: null, provider: none },
  'alchemy-free': { make: 'geth', depthBlocks: null, provider: providers['alchemy-free'] },
  infura: { make: 'geth', depthBlocks: null, provider: providers.infura },
  'quicknode-free': { make: 'bor', depthBlocks: null, provider: providers['quicknode-free'] },
  'chainstack-free': { make: 'geth', depthBlocks: null, provider: providers['chainstack-free'] },
  'drpc-free': { make: 'reth', depthBlocks: null, provider: providers['drpc-free'] },
  publicnode: { make: 'reth', depthBlocks: null, provider: providers.publicnode },
  ankr: { make: 'erigon', depthBlocks: null, provider: providers.ankr },
  '1rpc': { make: 'geth', depthBlocks: null, provider: providers['1rpc'] },
  thirdweb: { make: 'nethermind', depthBlocks: null, provider: providers.thirdweb },
  coinbase: { make: 'geth', depthBlocks: null, provider: providers.coinbase },
  cloudflare: { make: 'besu', depthBlocks: null, provider: providers.cloudflare },
  'arb1-public': { make: 'nitro', depthBlocks: null, provider: providers['arb1-public'] },
} as const satisfies Readonly<Record<string, RealNode>>

export type RealName = keyof typeof zoo

export const realNames = Object.keys(zoo) as [RealName, ...RealName[]]
