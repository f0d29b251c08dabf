import { createPublicClient, fallback, http } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createConfig } from 'wagmi'
import { getBalance } from 'wagmi/actions'
import { chain, siteForOneFile, unusedAddress } from './support/site.ts'
import { viemAt } from './support/viem.ts'

/** What no driver of `npm run clients` does without a quorum. */
const site = siteForOneFile({ nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })

beforeAll(async () => {
  // The head is already known, so the errors are those of the reads, not of the first head look.
  await viemAt(site().url()).getBlockNumber()
  for (const name of ['b', 'c'])
    await site()
      .nodes.node(name)
      .setFaultProfile({ kind: 'erring', only: ['eth_getBalance', 'eth_call'] })
})

test('without a quorum wagmi throws at once, and not as a revert', async () => {
  const node = site().nodes.node('b')
  node.clearRequests()
  const config = createConfig({ chains: [chain], transports: { [chain.id]: http(site().url()) } })
  const thrown = await getBalance(config, { address: unusedAddress(1000) }).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ details: 'failed to meet quorum' })
  expect(String(thrown)).not.toContain('revert')
  // It reads a balance by Multicall3.
  expect(node.callCount('eth_call')).toBe(1)
})

test("without a quorum viem's fallback continues with the next endpoint", async () => {
  const transport = fallback([http(site().url()), http(site().chainUrl)])
  const client = createPublicClient({ chain, transport })
  expect(await client.getBalance({ address: unusedAddress(1001) })).toBe(0n)
})
