import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Nodes, startNodes } from '../../demo/nodes/start.ts'
import { openLoop } from '../../scripts/load/open-loop.ts'
import { scenarios } from '../../scripts/load/scenarios.ts'
import type { Host } from '../support/host.ts'
import { bothGateways, hostsForOneFile, startBoth } from '../support/hosts.ts'
import { configOf, honestly } from '../support/made-up-nodes.ts'

const chainIds = [1, 137, 42161]
const start = hostsForOneFile()
let hosts: ReadonlyMap<string, Host>
let rows: readonly Nodes[] = []

beforeAll(async () => {
  rows = await Promise.all(
    chainIds.map((chainId) =>
      startNodes({
        nodes: ['a', 'b', 'c'].map((name) => ({
          name,
          packing: 'gzip',
          faultProfile: { kind: 'scripted', answer: honestly({}, chainId) },
        })),
      }),
    ),
  )
  const chains = rows.map((nodes, place) => ({
    ...(configOf(nodes).chains as object[])[0],
    id: chainIds[place],
  }))
  hosts = await startBoth(start, { config: { version: 1, chains, rate: null } }, bothGateways)
})
afterAll(() => Promise.all(rows.map((nodes) => nodes.stop())))

test.each(bothGateways)('%s answers every call of a burst whose nodes compress', async (kind) => {
  const urls = chainIds.map((chainId) => `${hosts.get(kind)?.url}/api/rpc/${chainId}`)
  const at = { urls, total: 450, perSecond: Number.POSITIVE_INFINITY, timeoutMs: 120_000 }
  for (const seed of [1, 2]) {
    const { errors, latenciesMs } = await openLoop({ ...at, scenario: scenarios(seed).burst })
    expect(errors).toEqual({})
    expect(latenciesMs).toHaveLength(450)
  }
})
