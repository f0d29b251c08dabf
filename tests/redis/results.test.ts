import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createRedisClient } from '#lib/redis/redis-client.ts'
import { createRedisResults, type RedisResults } from '#lib/redis/redis-results.ts'
import { createSeal } from '#lib/redis/sealed-text.ts'
import { callNode } from '../../demo/json-rpc.ts'
import type { Nodes } from '../../demo/nodes/start.ts'
import { freePort } from '../../demo/ports.ts'
import { type Host, startHost } from '../support/host.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'
import { endRedis, startRedis } from '../support/redis.ts'

/** Results that replicas keep for each other in a real Redis, and what else may be there. */
const secret = 'the-same-secret-for-all-of-these-processes'
let port: number
let redis: ChildProcess
const url = () => `redis://127.0.0.1:${port}`

beforeAll(async () => {
  port = await freePort()
  redis = await startRedis(port)
})
afterAll(() => endRedis(redis))

const place = { chain: 'abcd', key: 'eth_getBalance|["0x0"]|0x1' }

describe('results in Redis', () => {
  const opened: { readonly close: () => void }[] = []
  afterEach(() => {
    for (const each of opened.splice(0)) each.close()
  })
  async function open(key = secret): Promise<RedisResults> {
    const ports = { seal: createSeal(key), now: Date.now }
    const made = createRedisResults(url(), ports)
    opened.push(made)
    await expect.poll(() => isReady(made)).toBe(true)
    return made
  }
  const counts = (results: RedisResults): Record<string, number> =>
    Object.fromEntries(results.series().map(({ labels, value }) => [labels.outcome ?? '', value]))
  const isReady = async (results: RedisResults) => {
    const before = counts(results).absent ?? 0
    await results.find({ chain: '-', key: '-' })
    return (counts(results).absent ?? 0) > before
  }
  /** Until it is there: keeping does not wait. */
  const kept = async (results: RedisResults, text: string, where = place) => {
    results.keep(where, text, 60_000)
    await expect.poll(() => results.find(where)).toBe(text)
  }

  test('are found by the others, for their chain and key alone', async () => {
    const [one, two] = [await open(), await open()]
    await kept(one, 'the result')
    expect(await two.find(place)).toBe('the result')
    expect(await two.find({ ...place, chain: 'abce' })).toBe(null)
    expect(await two.find({ ...place, key: `${place.key}2` })).toBe(null)
  })

  test('of 240 that somebody wrote, changed, cut, moved, or sealed for another place or by another secret, none is found', async () => {
    const one = await open()
    await kept(one, 'genuine')
    const stranger = await open(`${secret}!`)
    const client = createRedisClient(url())
    await client.connect()
    const keyOf = async () => (await client.keys('quorate:result:*')).filter((key) => !seen.has(key))[0] ?? ''
    const seen = new Set<string>()
    const key = await keyOf()
    const genuine = (await client.get(key)) ?? ''
    seen.add(key)
    const other = { ...place, key: 'another' }
    await kept(one, 'another', other)
    const otherKey = await keyOf()
    let found = 0
    for (let turn = 0; turn < 40; turn += 1)
      for (const [where, text] of [
        [key, '{"raw":"0x1"}'],
        [key, `${genuine.slice(0, turn)}!${genuine.slice(turn + 1)}`],
        [key, genuine.slice(0, genuine.length - 1 - (turn % 20))],
        [otherKey, genuine],
        [otherKey, `${genuine}${turn}`],
        [key, null],
      ] as const) {
        if (text === null) stranger.keep(place, `wrong ${turn}`, 60_000)
        else await client.set(where, text)
        // A connection keeps its order: the stranger's word is there when its own look is answered.
        if (text === null) await expect.poll(() => stranger.find(place)).toBe(`wrong ${turn}`)
        found += Number((await one.find(where === key ? place : other)) !== null)
      }
    expect(found).toBe(0)
    expect(counts(one).forged).toBeGreaterThanOrEqual(200)
    client.destroy()
  })

  test('of 64 MB that somebody wrote, no replica fetches', async () => {
    const one = await open()
    await kept(one, 'genuine')
    const client = createRedisClient(url())
    await client.connect()
    for (const key of await client.keys('quorate:result:*')) await client.set(key, 'x'.repeat(64 * 2 ** 20))
    const sentBytes = async () => Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1])
    const before = await sentBytes()
    expect(await one.find(place)).toBe(null)
    await expect.poll(() => isReady(one)).toBe(true)
    expect((await sentBytes()) - before).toBeLessThan(2 ** 20)
    client.destroy()
  })

  test('end when they should', async () => {
    const one = await open()
    one.keep({ ...place, key: 'short' }, 'short', 300)
    await expect.poll(() => one.find({ ...place, key: 'short' })).toBe('short')
    await expect.poll(() => one.find({ ...place, key: 'short' })).toBe(null)
  })

  test('a Redis that stands still holds a call for 4 ms, five calls in a row, and then none', async () => {
    const one = await open()
    redis.kill('SIGSTOP')
    const took: number[] = []
    for (let turn = 0; turn < 12; turn += 1) {
      const startMs = performance.now()
      expect(await one.find(place)).toBe(null)
      took.push(performance.now() - startMs)
    }
    redis.kill('SIGCONT')
    expect(counts(one)).toMatchObject({ late: 5, away: expect.any(Number) })
    // Of a machine that does something else as well, the median is what a call would wait.
    expect(took.toSorted((a, b) => a - b)[6]).toBeLessThan(5)
    await expect.poll(() => isReady(one)).toBe(true)
  })

  test('a Redis that is full, or gone, gives what it has, or nothing, and takes no call with it', async () => {
    const one = await open()
    await kept(one, 'before')
    const client = createRedisClient(url())
    await client.connect()
    await client.configSet('maxmemory', '1')
    one.keep({ ...place, key: 'full' }, 'does not fit', 60_000)
    expect(await one.find(place)).toBe('before')
    expect(await one.find({ ...place, key: 'full' })).toBe(null)
    await client.configSet('maxmemory', '0')
    client.destroy()
    await endRedis(redis)
    expect(await one.find(place)).toBe(null)
    one.keep(place, 'into the void', 60_000)
    redis = await startRedis(port)
    await expect.poll(() => isReady(one)).toBe(true)
    expect(await one.find(place)).toBe(null)
  })
})

describe('replicas', () => {
  const running: Host[] = []
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await startMadeUpNodes({})
    await startTen(configOf(nodes))
  }, 120_000)
  async function startTen(config: object): Promise<void> {
    const env = { REDIS_URL: url(), SESSION_SECRET: secret }
    const started = await Promise.all(Array.from({ length: 10 }, () => startHost('alone', { config, env })))
    running.push(...started.map(({ host }) => host))
  }
  const sentToNodes = (wanted: string) =>
    ['a', 'b', 'liar']
      .flatMap((node) => nodes.node(node).requests())
      .flatMap(({ calls }) => calls)
      .filter(({ method }) => method === wanted)
  afterAll(async () => {
    for (const host of running) host.signal('SIGKILL')
    await nodes.stop()
  })

  test('ten of them send nodes hardly more reads than one, and each returns a result with its evidence', async () => {
    const ask = async (host: Host, account: number) => {
      const params = [`0x${account.toString(16).padStart(40, '0')}`, 'latest']
      const response = await fetch(`${host.url}/api/rpc/137`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params }),
      })
      const { result } = (await response.json()) as { result?: string }
      return { result, agreement: response.headers.get('x-quorate-agreement') }
    }
    const readsOf = async (accounts: readonly number[], hosts: readonly Host[]) => {
      for (const node of ['a', 'b', 'liar']) nodes.node(node).clearRequests()
      for (const account of accounts)
        for (const host of hosts)
          expect(await ask(host, account)).toMatchObject({ result: '0x10', agreement: '2/1.5/3' })
      return sentToNodes('eth_getBalance').length
    }
    const accounts = (from: number) => Array.from({ length: 60 }, (_, at) => from + at)
    // What has never run takes longer than a call waits for Redis.
    await readsOf(accounts(1_000), running)
    const ofOne = await readsOf(accounts(2_000), running.slice(0, 1))
    const ofTen = await readsOf(accounts(3_000), running)
    console.log(`${ofTen} reads sent for ten replicas, ${ofOne} for one`)
    // Alone each would send as many: ten times. On a busy machine Redis is late now and then, and nodes are asked.
    expect(ofTen / ofOne).toBeLessThan(2)
  })

  test('ten of them ask nodes for the head hardly more often than one', async () => {
    for (const host of running.splice(0)) host.signal('SIGKILL')
    const config = configOf(nodes)
    const chains = config.chains as object[]
    Object.assign(chains[0] ?? {}, { headMaxAgeMs: 500 })
    await startTen(config)
    const head = async ({ url }: Host) => {
      expect(await callNode(`${url}/api/rpc/137`, 'eth_blockNumber')).toBe('0x3e8')
    }
    /** Requests for the latest block while these are asked all the time, for as long as twelve heads live. */
    const pollsOf = async (hosts: readonly Host[]) => {
      for (const host of hosts) await head(host)
      for (const node of ['a', 'b', 'liar']) nodes.node(node).clearRequests()
      const endMs = performance.now() + 12 * 500
      await Promise.all(
        hosts.map(async (host) => {
          while (performance.now() < endMs) await head(host)
        }),
      )
      return sentToNodes('eth_getBlockByNumber').filter(({ params }) => params[0] === 'latest').length
    }
    await pollsOf(running)
    const ofOne = await pollsOf(running.slice(0, 1))
    const ofTen = await pollsOf(running)
    console.log(`${ofTen} requests for heads by ten replicas, ${ofOne} by one`)
    // Alone each would ask as often: ten times. On a busy machine messages are late now and then.
    expect(ofTen / ofOne).toBeLessThan(4)
  }, 120_000)
})
