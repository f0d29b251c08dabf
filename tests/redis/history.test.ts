import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { historyStepMs } from '#rpc-proxy'
import type { Nodes } from '../../demo/nodes/start.ts'
import { freePort } from '../../demo/ports.ts'
import { type Host, startHost } from '../support/host.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'
import { endRedis, startRedis } from '../support/redis.ts'

/** History in a real Redis: it survives a restart of the gateway, and no call fails while Redis is down. */
const token = 'a-token-of-the-operator'
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
  const { host } = await startHost('node', {
    config: configOf(nodes),
    env: {
      OPERATOR_TOKEN: token,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SESSION_SECRET: 'a-secret-of-at-least-thirty-two-characters',
    },
  })
  running.push(host)
  return host
}

const ask = (host: Host) =>
  fetch(`${host.url}/api/rpc/137`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  })

async function callsSeen(host: Host): Promise<number> {
  const response = await fetch(`${host.url}/api/rpc/history`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { chains } = (await response.json()) as { chains: { calls: number[]; nodes: unknown[] }[] }
  return chains.flatMap(({ calls }) => calls).reduce((all, value) => all + value, 0)
}

test('history survives a restart', async () => {
  const first = await startGateway()
  for (let turn = 0; turn < 7; turn++) expect((await ask(first)).status).toBe(200)
  expect(await callsSeen(first)).toBe(7)
  const step = Math.floor(Date.now() / historyStepMs)
  first.signal('SIGTERM')
  await expect.poll(() => first.output(), { timeout: 20_000 }).toContain('stopped')

  // Only finished steps are loaded.
  await expect.poll(() => Math.floor(Date.now() / historyStepMs), { timeout: 15_000 }).toBeGreaterThan(step)
  const second = await startGateway()
  await expect.poll(() => callsSeen(second), { timeout: 10_000 }).toBe(7)
  await ask(second)
  expect(await callsSeen(second)).toBe(8)
}, 120_000)

test('while Redis is down, calls are answered and history is kept in memory', async () => {
  await endRedis(redis)
  const host = await startGateway()
  expect((await ask(host)).status).toBe(200)
  expect(await callsSeen(host)).toBe(1)
  host.signal('SIGTERM')
  await expect.poll(() => host.output(), { timeout: 20_000 }).toContain('stopped')
  redis = await startRedis(port)
}, 60_000)
