import { createPublicClient, fallback, http } from 'viem'
import { expect, test } from 'vitest'
import { chain, siteForOneFile, unusedAddress } from './support/site.ts'
import { viemAt } from './support/viem.ts'

/** What clients see without a quorum, of a spent budget and of an overload: `npm run clients`. */
const site = siteForOneFile({ nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })

test("without a quorum viem's fallback continues with the next endpoint", async () => {
  const url = site().url()
  // The head is already known, so the errors are those of the reads, not of the first head look.
  await viemAt(url).getBlockNumber()
  for (const name of ['b', 'c'])
    await site()
      .nodes.node(name)
      .setFaultProfile({ kind: 'erring', only: ['eth_getBalance'] })
  const client = createPublicClient({ chain, transport: fallback([http(url), http(site().chainUrl)]) })
  expect(await client.getBalance({ address: unusedAddress(1000) })).toBe(0n)
})
