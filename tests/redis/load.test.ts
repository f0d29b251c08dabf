import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRedisClient } from '#lib/redis/redis-client.ts'
import type { Nodes } from '../../demo/nodes/start.ts'
import { freePort } from '../../demo/ports.ts'
import { type Host, startHost } from '../support/host.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'
import { endRedis, startRedis } from '../support/redis.ts'

/** Three replicas under load, while one after the other happens to them and to their Redis what happens to machines. */
let nodes: Nodes
let port: number
let redis: ChildProcess
const replicas: Host[] = []

beforeAll(async () => {
  nodes = await startMadeUpNodes()
  port = await freePort()
  redis = await startRedis(port)
  for (let count = 0; count < 3; count += 1) replicas.push(await startReplica())
}, 120_000)
afterAll(async () => {
  for (const host of replicas) host.signal('SIGKILL')
  await Promise.all([endRedis(redis), nodes.stop()])
})

async function startReplica(): Promise<Host> {
  const env = {
    REDIS_URL: `redis://127.0.0.1:${port}`,
    SESSION_SECRET: 'the-same-secret-for-all-of-the-replicas',
  }
  return (await startHost('alone', { config: configOf(nodes), env })).host
}

interface Outcomes {
  good: number
  readonly wrong: unknown[]
  readonly failed: string[]
  retried: number
  readonly tookMs: number[]
}

/** As a load balancer: the next replica is sent what one did not answer, or answered with 503. */
async function call(at: number, outcomes: Outcomes): Promise<void> {
  const startMs = performance.now()
  const params = [`0x${(at % 500).toString(16).padStart(40, '0')}`, 'latest']
  const body = JSON.stringify({ jsonrpc: '2.0', id: at, method: 'eth_getBalance', params })
  for (let turn = 0; turn < 3; turn += 1) {
    const host = replicas[(at + turn) % replicas.length]
    const response = await fetch(`${host?.url}/api/rpc/137`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => null)
    if (response === null || response.status === 503) {
      outcomes.retried += 1
      continue
    }
    const answer = (await response.json()) as { id: number; result?: string }
    if (answer.result === '0x10' && answer.id === at) outcomes.good += 1
    else if (answer.result === undefined) outcomes.failed.push(JSON.stringify(answer))
    else outcomes.wrong.push(answer)
    outcomes.tookMs.push(performance.now() - startMs)
    return
  }
  outcomes.failed.push('no replica answered')
}

/** Eight callers at a time, from here until `event` is over. */
async function during(event: () => Promise<void>): Promise<Outcomes> {
  const outcomes: Outcomes = { good: 0, wrong: [], failed: [], retried: 0, tookMs: [] }
  let isOver = false
  let count = 0
  const callers = Array.from({ length: 8 }, async () => {
    while (!isOver) await call(count++, outcomes)
  })
  await event()
  isOver = true
  await Promise.all(callers)
  outcomes.tookMs.sort((a, b) => a - b)
  return outcomes
}

/** So many answers of a replica while something is wrong are enough to see it. */
const answers = async (count: number) => {
  for (let done = 0; done < count; done += 1)
    await fetch(`${replicas[1]?.url}/api/rpc/137`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
    })
}

test.each<[string, () => Promise<void>]>([
  ['nothing happens', () => answers(300)],
  [
    'one is killed, and another takes its place',
    async () => {
      replicas[0]?.signal('SIGKILL')
      await answers(100)
      replicas[0] = await startReplica()
      await answers(100)
    },
  ],
  [
    'Redis is restarted',
    async () => {
      await endRedis(redis)
      await answers(200)
      redis = await startRedis(port)
      await answers(200)
    },
  ],
  [
    'Redis stands still',
    async () => {
      redis.kill('SIGSTOP')
      await answers(400)
      redis.kill('SIGCONT')
      await answers(100)
    },
  ],
  [
    'Redis is full',
    async () => {
      const client = createRedisClient(`redis://127.0.0.1:${port}`)
      await client.connect()
      await client.configSet('maxmemory', '1')
      await answers(300)
      await client.configSet('maxmemory', '0')
      client.destroy()
    },
  ],
  [
    'somebody empties it',
    async () => {
      const client = createRedisClient(`redis://127.0.0.1:${port}`)
      await client.connect()
      for (let turn = 0; turn < 20; turn += 1) {
        await client.flushAll()
        await answers(10)
      }
      client.destroy()
    },
  ],
  [
    'all three are replaced, one after the other',
    async () => {
      for (let at = 0; at < 3; at += 1) {
        const next = await startReplica()
        const old = replicas[at]
        replicas[at] = next
        old?.signal('SIGTERM')
        await old?.ended
      }
    },
  ],
])('while %s, no result is wrong and no call fails', async (name, event) => {
  const outcomes = await during(event)
  const { good, retried, tookMs } = outcomes
  const at = (share: number) => Math.round(tookMs[Math.floor(tookMs.length * share)] ?? 0)
  console.log(`${name}: ${good} calls, ${retried} retried, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  expect([outcomes.wrong, outcomes.failed]).toEqual([[], []])
  expect(good).toBeGreaterThan(100)
})
