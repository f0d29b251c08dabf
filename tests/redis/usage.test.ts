import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hashOf } from '#rpc-proxy'
import { freePort } from '../../demo/ports.ts'
import type { Nodes } from '../support/demo-nodes.ts'
import { type Host, startHost } from '../support/host.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'
import { endRedis, startRedis } from '../support/redis.ts'

/** What callers with keys use, in a real Redis: it survives a restart, also a kill, and counts all processes. */
const token = 'a-token-of-the-operator'
const key = 'a-key-of-twenty-four-chars'
const running: Host[] = []
let nodes: Nodes
let redis: ChildProcess
let port: number

beforeAll(async () => {
  nodes = await startMadeUpNodes()
  port = await freePort()
  redis = await startRedis(port)
})
afterEach(() => {
  for (const host of running.splice(0)) host.signal('SIGKILL')
})
afterAll(async () => {
  await Promise.all([endRedis(redis), nodes.stop()])
})

async function startGateway(): Promise<Host> {
  const { chains, ...config } = configOf(nodes, {
    callers: [{ name: 'web', keyHash: hashOf(key), perMonth: 20 }],
  }) as { chains: { nodes: object[] }[] }
  for (const chain of chains) chain.nodes = chain.nodes.map((node) => ({ ...node, perMonth: 100_000 }))
  const { host } = await startHost('alone', {
    config: { ...config, chains },
    env: {
      OPERATOR_TOKEN: token,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SESSION_SECRET: 'a-secret-of-at-least-thirty-two-characters',
    },
  })
  running.push(host)
  return host
}

const ask = (host: Host, account: number) =>
  fetch(`${host.url}/api/rpc/137/key/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getBalance',
      params: [`0x${account.toString(16).padStart(40, '0')}`, 'latest'],
    }),
  })

async function usageAt(host: Host, query = '') {
  const response = await fetch(`${host.url}/api/rpc/usage${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return response.text()
}
const callsAt = async (host: Host): Promise<number> =>
  JSON.parse(await usageAt(host)).usage.reduce((all: number, { calls }: { calls: number }) => all + calls, 0)

test('usage of all processes survives their end, and is not counted twice', async () => {
  const [first, second] = await Promise.all([startGateway(), startGateway()])
  for (let turn = 1; turn <= 4; turn++) expect((await ask(first, turn)).status).toBe(200)
  for (let turn = 5; turn <= 7; turn++) expect((await ask(second, turn)).status).toBe(200)
  await expect.poll(() => callsAt(first)).toBe(7)
  await expect.poll(() => callsAt(second)).toBe(7)
  // What is as old as this is stored already.
  first.signal('SIGKILL')
  second.signal('SIGTERM')
  await second.ended
  const third = await startGateway()
  await expect.poll(() => callsAt(third)).toBe(7)

  for (let turn = 11; turn <= 23; turn++) await ask(third, turn)
  const refused = await ask(third, 30)
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { error: { code: -32005, message: 'the units of this key are spent until the next month' } },
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await usageAt(third, '?by=month&format=csv')).toMatch(
    /^day,caller,method,calls,units,cacheHits,errors\r\n\d{4}-\d\d,web,eth_getBalance,/,
  )
})

async function viewAt(host: Host, view: string) {
  const response = await fetch(`${host.url}/api/rpc/${view}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return response.json()
}

test('what nodes did and cost counts all processes, and survives their end', async () => {
  const unitsAt = async (host: Host): Promise<number> => {
    const { chains } = await viewAt(host, 'snapshot')
    return chains[0].nodes.reduce((sum: number, { plan }: { plan: { units: number } }) => sum + plan.units, 0)
  }
  const requestsAt = async (host: Host): Promise<number> => {
    const { nodes: rows } = await viewAt(host, 'scorecard?last=30d')
    return rows.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0)
  }
  const [first, second] = await Promise.all([startGateway(), startGateway()])
  await expect.poll(() => unitsAt(first)).toBeGreaterThan(20)
  const before = [await unitsAt(first), await requestsAt(first)]
  expect((await ask(second, 40)).status).toBe(200)
  await expect.poll(() => unitsAt(first)).toBeGreaterThan(before[0] ?? 0)
  await expect.poll(() => requestsAt(first)).toBeGreaterThan(before[1] ?? 0)
  const all = [await unitsAt(first), await requestsAt(first)]
  first.signal('SIGKILL')
  second.signal('SIGKILL')
  const third = await startGateway()
  await expect.poll(() => unitsAt(third)).toBeGreaterThanOrEqual(all[0] ?? 0)
  await expect.poll(() => requestsAt(third)).toBeGreaterThanOrEqual(all[1] ?? 0)
})
