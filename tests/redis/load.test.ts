import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../demo/ports.ts'
import { type Host, startHost } from '../support/host.ts'
import { madeUpNodesForOneFile } from '../support/hosts.ts'
import { configOf } from '../support/made-up-nodes.ts'
import { balanceCall, postJson } from '../support/post-json.ts'
import { endRedis, redisForOneFile, startRedis } from '../support/redis.ts'
import { startWire, type Wire } from '../support/wire.ts'

/** Three replicas under load, while one after the other happens to them and to their Redis what happens to machines. */
const nodes = madeUpNodesForOneFile()
const redis = redisForOneFile()
const replicas: Host[] = []
/** Each replica's own way to Redis. */
const wires: Wire[] = []

beforeAll(async () => {
  for (let at = 0; at < 3; at += 1) {
    wires.push(await startWire(redis.port()))
    replicas.push(await startReplica(at))
  }
})
afterAll(() => {
  for (const host of replicas) host.signal('SIGKILL')
  for (const wire of wires) wire.close()
})

async function startReplica(at: number): Promise<Host> {
  const env = {
    REDIS_URL: `redis://127.0.0.1:${wires[at]?.port}`,
    SESSION_SECRET: 'the-same-secret-for-all-of-the-replicas',
    OPERATOR_OPEN: '1',
  }
  return (await startHost('alone', { config: configOf(nodes()), env })).host
}

interface Outcomes {
  good: number
  readonly wrong: unknown[]
  readonly failed: string[]
}

/** As a load balancer: the next replica is sent what one did not answer, or answered with 503. */
async function call(at: number, outcomes: Outcomes): Promise<void> {
  const params = [`0x${(at % 500).toString(16).padStart(40, '0')}`, 'latest']
  const body = { ...balanceCall, id: at, params }
  for (let turn = 0; turn < 3; turn += 1) {
    const host = replicas[(at + turn) % replicas.length]
    const response = await postJson(`${host?.url}/api/rpc/137`, body).catch(() => null)
    if (response === null || response.status === 503) continue
    const answer = (await response.json()) as { id: number; result?: string }
    if (answer.result === '0x10' && answer.id === at) outcomes.good += 1
    else if (answer.result === undefined) outcomes.failed.push(JSON.stringify(answer))
    else outcomes.wrong.push(answer)
    return
  }
  outcomes.failed.push('no replica answered')
}

/** Eight callers at a time ask for 500 accounts until `event` is over. */
async function during(event: () => Promise<void>): Promise<Outcomes> {
  const outcomes: Outcomes = { good: 0, wrong: [], failed: [] }
  let isOver = false
  let count = 0
  const callers = Array.from({ length: 8 }, async () => {
    while (!isOver) await call(count++, outcomes)
  })
  await event()
  isOver = true
  await Promise.all(callers)
  return outcomes
}

/** So many answers of a replica while something is wrong are enough to see it. */
const answers = async (count: number) => {
  for (let done = 0; done < count; done += 1)
    await postJson(`${replicas[1]?.url}/api/rpc/137`, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
}

/** Which replicas hear the others. */
const joined = () =>
  Promise.all(
    replicas.map(async ({ url }) =>
      /peers_joined\{.*\} 1/.test(await (await fetch(`${url}/api/rpc/metrics`)).text()),
    ),
  )
/** How all three are, in the words of the first. */
async function apart(): Promise<readonly boolean[]> {
  const response = await fetch(`${replicas[0]?.url}/api/rpc/replicas`)
  const { replicas: reports } = (await response.json()) as { replicas: { isJoined: boolean }[] }
  return reports.map(({ isJoined }) => isJoined)
}

/** An operator acts on a node at the first replica, … */
const act = (action: 'cordon' | 'uncordon') =>
  postJson(`${replicas[0]?.url}/api/rpc/nodes/137/liar`, { action })
/** … and the third knows. */
async function stateOfLiar(): Promise<string | undefined> {
  const snapshot = await (await fetch(`${replicas[2]?.url}/api/rpc/snapshot`)).json()
  const { chains } = snapshot as { chains: { nodes: { name: string; state: string }[] }[] }
  return chains[0]?.nodes.find(({ name }) => name === 'liar')?.state
}

test.each<[string, () => Promise<void>]>([
  [
    'one is killed, and another takes its place',
    async () => {
      replicas[0]?.signal('SIGKILL')
      await answers(100)
      replicas[0] = await startReplica(0)
      await answers(100)
    },
  ],
  [
    'Redis is restarted',
    async () => {
      await redis.end()
      await answers(200)
      await redis.start()
      await answers(200)
    },
  ],
  [
    'Redis stands still',
    async () => {
      redis.signal('SIGSTOP')
      await answers(400)
      redis.signal('SIGCONT')
      await answers(100)
    },
  ],
  [
    'Redis is slow',
    async () => {
      for (const wire of wires) wire.slow(100)
      await answers(400)
      for (const wire of wires) wire.slow(0)
    },
  ],
  [
    'Redis is full',
    async () => {
      const client = await redis.client()
      await client.configSet('maxmemory', '1')
      await answers(300)
      await client.configSet('maxmemory', '0')
      client.destroy()
    },
  ],
  [
    'somebody empties it',
    async () => {
      const client = await redis.client()
      for (let turn = 0; turn < 20; turn += 1) {
        await client.flushAll()
        await answers(10)
      }
      client.destroy()
    },
  ],
  [
    'Redis is cut off for ten seconds',
    async () => {
      const endMs = performance.now() + 10_000
      for (const wire of wires) wire.cut()
      await expect.poll(joined).toEqual([false, false, false])
      expect(await apart()).toEqual([false])
      await act('cordon')
      while (performance.now() < endMs) await answers(50)
      for (const wire of wires) wire.mend()
      await expect.poll(joined).toEqual([true, true, true])
      await expect.poll(apart).toEqual([true, true, true])
      // Nothing that was done meanwhile is lost.
      await expect.poll(stateOfLiar).toBe('cordoned')
      await act('uncordon')
      await expect.poll(stateOfLiar).not.toBe('cordoned')
    },
  ],
  [
    'one replica sees another Redis than the rest',
    async () => {
      const otherPort = await freePort()
      const other = await startRedis(otherPort)
      wires[0]?.leadTo(otherPort)
      await expect.poll(apart).toEqual([true])
      await answers(300)
      wires[0]?.leadTo(redis.port())
      await expect.poll(apart).toEqual([true, true, true])
      await endRedis(other)
    },
  ],
  [
    'all three are replaced, one after the other',
    async () => {
      for (let at = 0; at < 3; at += 1) {
        const next = await startReplica(at)
        const old = replicas[at]
        replicas[at] = next
        old?.signal('SIGTERM')
        await old?.ended
      }
    },
  ],
])('while %s, no result is wrong and no call fails', async (_, event) => {
  const { good, wrong, failed } = await during(event)
  expect([wrong, failed]).toEqual([[], []])
  expect(good).toBeGreaterThan(100)
})
