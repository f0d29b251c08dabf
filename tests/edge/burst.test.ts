import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLoop } from '../../scripts/load/open-loop.ts'
import { scenarios } from '../../scripts/load/scenarios.ts'
import { type Nodes, startNodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { bothGateways, hostsForOneFile, startBoth } from '../support/hosts.ts'
import { chainOf, honest } from '../support/made-up-nodes.ts'
import { postJson } from '../support/post-json.ts'

const chainIds = [1, 137, 42161]
/** What the host last said of its nodes is shown where a call failed. */
const outputChars = 8_000
const start = hostsForOneFile()
let hosts: ReadonlyMap<string, Host>
let rows: readonly Nodes[] = []

beforeAll(async () => {
  rows = await Promise.all(
    chainIds.map((chainId) =>
      startNodes({
        nodes: ['a', 'b', 'c'].map((name) => ({ name, packing: 'gzip', faultProfile: honest({}, chainId) })),
      }),
    ),
  )
  const chains = rows.map((nodes, place) => ({ ...chainOf(nodes), id: chainIds[place] }))
  hosts = await startBoth(start, { config: { version: 1, chains, rate: null } }, bothGateways)
})
afterAll(() => Promise.all(rows.map((nodes) => nodes.stop())))

test.each(bothGateways)('%s answers every call of a burst whose nodes compress', async (kind) => {
  const urls = chainIds.map((chainId) => `${hosts.get(kind)?.url}/api/rpc/${chainId}`)
  for (const url of urls) await expect.poll(() => blockNumber(url), { timeout: 120_000 }).toBe('0x3e8')
  // More than the places that all nodes together have.
  const total = 150
  const { errors, latenciesMs } = await openLoop({
    urls,
    total,
    perSecond: Number.POSITIVE_INFINITY,
    timeoutMs: 240_000,
    scenario: scenarios(1).burst,
  })
  expect(errors, hosts.get(kind)?.output().slice(-outputChars)).toEqual({})
  expect(latenciesMs).toHaveLength(total)
})

/** What the first call of a chain waits for: its nodes say which chain they serve, within a limit of time. */
async function blockNumber(url: string): Promise<unknown> {
  const response = await postJson(url, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' })
  return ((await response.json()) as { readonly result?: unknown }).result
}
