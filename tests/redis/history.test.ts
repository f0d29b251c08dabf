import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startHistory } from '#lib/redis/history-store.ts'
import { createRedisClient } from '#lib/redis/redis-client.ts'
import { createSeal } from '#lib/redis/sealed-text.ts'
import { createSealedValues } from '#lib/redis/sealed-values.ts'
import { type HistoryStep, historyStepMs } from '#rpc-proxy'
import { freePort } from '../../demo/ports.ts'
import type { Nodes } from '../support/demo-nodes.ts'
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

test('whatever somebody writes as history, a step is restored once, and a bounded part of the rest is fetched', async () => {
  const client = createRedisClient(`redis://127.0.0.1:${port}`)
  await client.connect()
  await client.flushAll()
  const values = createSealedValues(createSeal('a-secret-of-at-least-thirty-two-characters'))
  const now = Math.floor(Date.now() / historyStepMs) * historyStepMs
  const stepAt = (step: number): HistoryStep => ({
    step,
    chains: [{ chainId: 137, sums: { calls: 1 }, nodes: [{ node: 'a', sums: {} }] }],
  })
  const last = now / historyStepMs
  const open = (nowMs: number, isOwn: boolean) => {
    const restored: HistoryStep[] = []
    let reads = 0
    const gateway = {
      historyStep: (step: number) => (isOwn && step === last ? stepAt(step) : null),
      restoreHistory: (steps: readonly HistoryStep[]) => {
        restored.push(...steps)
        reads += 1
      },
    }
    const url = `redis://127.0.0.1:${port}`
    const store = startHistory(url, gateway, { values, now: () => nowMs })
    return { store, restored, reads: () => reads }
  }
  for (let turn = 0; turn < 2; turn += 1) {
    const { store, reads } = open(now, true)
    await expect.poll(reads).toBeGreaterThan(0)
    await store.close()
  }
  const key = `quorate:history:${last}`
  const genuine = (await client.get(key)) ?? ''
  expect(await client.pTTL(key)).toBeGreaterThan(86_000_000)
  // Repeated, moved to other steps, and with a lot around it.
  await client.set(key, `${genuine.repeat(20)}${'\n'.repeat(1000)}${'x'.repeat(8 * 2 ** 20)}`)
  for (let step = last - 40; step < last; step += 1)
    await client.set(`quorate:history:${step}`, `${genuine}${'x'.repeat(2 ** 21)}`)
  await client.lPush(`quorate:history:${last - 41}`, 'x')
  const sentBytes = async () => Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1])
  const before = await sentBytes()
  const { store, restored, reads } = open(now + historyStepMs, false)
  // A day, eight steps at a time.
  await expect.poll(reads, { timeout: 30_000 }).toBe(8640 / 8)
  await store.close()
  // Two processes have written it.
  expect(restored).toEqual([expect.objectContaining({ step: last }), expect.objectContaining({ step: last })])
  expect((await sentBytes()) - before).toBeLessThan(42 * 2 ** 20 + 2 ** 20)
  client.destroy()
}, 60_000)
