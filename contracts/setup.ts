import type { SetupChain } from '../scripts/contracts/setup-chain.ts'

/**
 * Deploys your contracts: on each new local chain of `npm run dev`, `npm run demo` and the tests, and on a real one by
 * `npm run deploy -- --chain 8453`. docs/build/pages.md has an example.
 */
export async function setup(_chain: SetupChain): Promise<void> {}
