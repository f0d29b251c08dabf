import { afterAll, beforeAll } from 'vitest'
import { type ChainsOptions, type LocalChains, startChains } from '../../demo/chains.ts'

/**
 * Local chains for one test file: started before its first test, stopped after its last.
 * All three start within a second, so each file has its own chains.
 * The default block time is 0.25 s.
 */
export function localChains(options: ChainsOptions = {}): () => LocalChains {
  let chains: LocalChains
  beforeAll(async () => {
    chains = await startChains({ blockTimeS: 0.25, ...options })
  })
  afterAll(() => chains.stop())
  return () => chains
}
