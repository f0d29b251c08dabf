import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Collector, startCollector } from '../support/collector.ts'
import type { Nodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { asOperator, bothGateways, hostsForOneFile, operatorToken } from '../support/hosts.ts'
import { honest, startAlike } from '../support/made-up-nodes.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { balanceCall } from '../support/post-json.ts'

const start = hostsForOneFile()
const chainIds = [1, 137, 42161]
const chains = new Map<number, Nodes>()
let names: NameServer
let collector: Collector

/** Names that begin with `silent` are never answered. */
beforeAll(async () => {
  names = await startNameServer((name) => (name.startsWith('silent') ? 'silence' : ['127.0.0.1']))
  collector = await startCollector()
  for (const id of chainIds) chains.set(id, await startAlike(['a', 'b'], honest({}, id)))
})
afterAll(async () => {
  names.stop()
  collector.stop()
  for (const nodes of chains.values()) await nodes.stop()
})

const named = (name: string, url = '') => `http://${name}.test:${new URL(url).port}`
/** Three nodes on each chain, all by name; the first one has a name that cannot be looked up, the same provider's everywhere. */
const config = () => ({
  chains: chainIds.map((id) => {
    const url = (name: string) => named(`${name}-${id}`, chains.get(id)?.node(name).url)
    const others = ['a', 'b'].map((name) => ({ name, url: url(name), priority: 2 }))
    const silent = { name: 'silent', url: `http://silent-${id}.test:8545`, priority: 1 }
    return { id, quorum: 2, nodes: [silent, ...others] }
  }),
  rate: null,
})

describe.each(bothGateways)('%s: nodes by name, of which one on each chain cannot be looked up', (kind) => {
  let host: Host

  beforeAll(async () => {
    host = await start(kind, {
      config: config(),
      env: {
        OPERATOR_TOKEN: operatorToken,
        SESSION_SECRET: 's'.repeat(32),
        REDIS_URL: 'redis://silent-redis.test:6379',
        OTEL_EXPORTER_OTLP_ENDPOINT: named('collector', collector.url),
        NODE_OPTIONS: `--import=${new URL('../support/use-name-server.mjs', import.meta.url)}`,
        NAME_SERVER: names.address,
      },
    })
  })

  const ask = async (id: number) => (await host.post(`/api/rpc/${id}`, { ...balanceCall, id })).json()

  test('cost a stall at a cold start, on every chain', async () => {
    const answers = await Promise.all(chainIds.flatMap((id) => [ask(id), ask(id), ask(id)]))
    expect(answers).toEqual(chainIds.flatMap((id) => Array(3).fill({ jsonrpc: '2.0', id, result: '0x10' })))
    expect(names.asked).toContain('silent-137.test A')
    // Redis has no address and hangs as well.
    if (kind === 'alone') expect(names.asked).toContain('silent-redis.test A')
  })

  test('do not take the other nodes out of use for long', async () => {
    const states = async () => {
      const snapshot = await host.get('/api/rpc/snapshot', asOperator)
      const told = (await snapshot.json()) as { chains: { nodes: { name: string; state: string }[] }[] }
      const others = told.chains.flatMap(({ nodes }) => nodes.filter(({ name }) => name !== 'silent'))
      return others.map(({ state }) => state)
    }
    // A starved machine may open one for a while.
    await expect.poll(states).toEqual(Array(6).fill('usable'))
  })

  test('do not keep traces from a collector that has a name', async () => {
    await expect.poll(() => collector.spans().length).toBeGreaterThan(0)
  })
})
