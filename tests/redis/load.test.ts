import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Host, startHost } from '../support/host.ts'
import { madeUpNodesForOneFile } from '../support/hosts.ts'
import { configOf } from '../support/made-up-nodes.ts'
import { peersJoined, redisForOneFile, redisForOneTest, redisSecret } from '../support/redis.ts'
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

function startReplica(at: number): Promise<Host> {
  const env = {
    REDIS_URL: `redis://127.0.0.1:${wires[at]?.port}`,
    SESSION_SECRET: redisSecret,
    OPERATOR_OPEN: '1',
  }
  return startHost('alone', { config: configOf(nodes()), env })
}

/** As a load balancer: the next replica is sent what one did not answer, or answered with 503. Returns what is wrong with the answer. */
async function wrongIn(at: number): Promise<string | null> {
  const params = [`0x${(at % 500).toString(16).padStart(40, '0')}`, 'latest']
  for (let turn = 0; turn < 3; turn += 1) {
    const response = await replicas[(at + turn) % replicas.length]?.call({ id: at, params }).catch(() => null)
    if (response == null || response.status === 503) continue
    const answer = (await response.json()) as { id: number; result?: string }
    return answer.result === '0x10' && answer.id === at ? null : JSON.stringify(answer)
  }
  return 'no replica answered'
}

/** Eight callers at a time ask for 500 accounts until `event` is over. */
async function during(event: () => Promise<void>) {
  const wrong: string[] = []
  let isOver = false
  let count = 0
  const callers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const found = await wrongIn(count++)
      if (found !== null) wrong.push(found)
    }
  })
  await event()
  isOver = true
  await Promise.all(callers)
  return { wrong, count }
}

/** So many answers of a replica while something is wrong are enough to see it. */
const answers = async (count: number) => {
  for (let done = 0; done < count; done += 1) await replicas[1]?.call({ method: 'eth_chainId', params: [] })
}

const readAt = async (replica: number, view: string) =>
  (await replicas[replica]?.get(`/api/rpc/${view}`))?.json()
/** Which replicas hear the others. */
const joined = () => Promise.all(replicas.map(peersJoined))
/** How all three are, in the words of the first. */
const apart = async () =>
  (await readAt(0, 'replicas')).replicas.map((report: { isJoined: boolean }) => report.isJoined)

/** An operator acts on a node at the first replica, … */
const act = (action: 'cordon' | 'uncordon') => replicas[0]?.post('/api/rpc/nodes/137/liar', { action })
/** … and the third knows. */
const stateOfLiar = async () =>
  (await readAt(2, 'snapshot')).chains[0].nodes.find(({ name }: { name: string }) => name === 'liar').state

const events = {
  async 'one is killed, and another takes its place'() {
    replicas[0]?.signal('SIGKILL')
    await answers(100)
    replicas[0] = await startReplica(0)
    await answers(100)
  },
  async 'Redis is restarted'() {
    await redis.end()
    await answers(200)
    await redis.start()
    await answers(200)
  },
  async 'Redis stands still'() {
    redis.signal('SIGSTOP')
    await answers(400)
    redis.signal('SIGCONT')
    await answers(100)
  },
  async 'Redis is slow'() {
    for (const wire of wires) wire.slow(100)
    await answers(400)
    for (const wire of wires) wire.slow(0)
  },
  async 'Redis is full'() {
    const client = await redis.client()
    await client.configSet('maxmemory', '1')
    await answers(300)
    await client.configSet('maxmemory', '0')
  },
  async 'somebody empties it'() {
    const client = await redis.client()
    for (let turn = 0; turn < 20; turn += 1) {
      await client.flushAll()
      await answers(10)
    }
  },
  async 'Redis is cut off for ten seconds'() {
    const endMs = performance.now() + 10_000
    for (const wire of wires) wire.cut()
    await expect.poll(joined).toEqual(['0', '0', '0'])
    expect(await apart()).toEqual([false])
    await act('cordon')
    while (performance.now() < endMs) await answers(50)
    for (const wire of wires) wire.mend()
    await expect.poll(joined).toEqual(['1', '1', '1'])
    await expect.poll(apart).toEqual([true, true, true])
    // Nothing that was done meanwhile is lost.
    await expect.poll(stateOfLiar).toBe('cordoned')
    await act('uncordon')
    await expect.poll(stateOfLiar).not.toBe('cordoned')
  },
  async 'one replica sees another Redis than the rest'() {
    wires[0]?.leadTo((await redisForOneTest()).port)
    await expect.poll(apart).toEqual([true])
    await answers(300)
    wires[0]?.leadTo(redis.port())
    await expect.poll(apart).toEqual([true, true, true])
  },
  async 'all three are replaced, one after the other'() {
    for (let at = 0; at < 3; at += 1) {
      const next = await startReplica(at)
      const old = replicas[at]
      replicas[at] = next
      old?.signal('SIGTERM')
      await old?.ended
    }
  },
}

test.each(Object.entries(events))('while %s, no result is wrong and no call fails', async (_, event) => {
  const { wrong, count } = await during(event)
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(100)
})
