import { afterAll, expect, test } from 'vitest'
import { demoAccount } from '../../../demo/accounts.ts'
import { multicall3Address } from '../../../demo/history.ts'
import { callNode } from '../../../demo/json-rpc.ts'
import type { FaultProfileInput } from '../../../demo/nodes/fault-profile.ts'
import { startClientChain } from './support/chain.ts'
import { startAsking } from './support/gateway.ts'

/** Real clients on real chains: their headers hash, and their proofs hold. */
const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

const reads = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'] as const

test.each([
  [1, ['geth', 'erigon', 'nethermind', 'besu', 'reth']],
  [137, ['bor', 'erigon', 'bor']],
] as const)('chain %i: one of each client proves what all others lie about', async (id, clients) => {
  const chain = await startClientChain(id)
  stops.push(() => chain.stop())
  const liars: FaultProfileInput[] = [1, 2].map(() => ({ kind: 'lying', lieName: 'all' }))
  const faultProfiles = [...liars, ...clients.map((name): FaultProfileInput => ({ kind: 'real', name }))]
  const settings = { headMaxAgeMs: 1000, proofs: 'required' }
  const asking = await startAsking({ chain, faultProfiles, settings })
  stops.push(() => asking.stop())
  for (const address of [demoAccount(0).address, multicall3Address, `0x${'d0'.repeat(20)}`])
    for (const method of reads) {
      const truth = await callNode(chain.url, method, [address, 'latest'])
      const answer = await asking.ask(method, [address, 'latest'])
      expect([address, method, answer]).toMatchObject([address, method, { result: truth }])
    }
})
