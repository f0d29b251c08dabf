import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createRedisClient } from '#lib/redis/redis-client.ts'
import { createPeers } from '#lib/redis/redis-peers.ts'
import { createRedisResults, type RedisResults } from '#lib/redis/redis-results.ts'
import { createSeal } from '#lib/redis/sealed-text.ts'
import { freePort } from '../../demo/ports.ts'
import { endRedis, startRedis } from '../support/redis.ts'

/** Reads that one of several processes leads while the others wait for its result. */
const secret = 'the-same-secret-for-all-of-these-processes'
let port: number
let redis: ChildProcess
const url = () => `redis://127.0.0.1:${port}`
const opened: { readonly close: () => void }[] = []

beforeAll(async () => {
  port = await freePort()
  redis = await startRedis(port)
})
afterAll(() => endRedis(redis))
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

const nextPlace = () => ({ chain: 'abcd', key: `eth_getLogs|[]|${crypto.randomUUID()}` })

/** A process; `close` ends it without a word. */
async function open(findMsMax = 2_000): Promise<RedisResults> {
  const ports = { seal: createSeal(secret), now: Date.now }
  const peers = createPeers(url(), ports)
  const results = createRedisResults(url(), { ...ports, peers, findMsMax })
  const close = () => {
    peers.close()
    results.close()
  }
  opened.push({ close })
  await expect.poll(() => peers.isJoined()).toBe(true)
  await expect.poll(async () => (await results.find(nextPlace())) ?? countOf(results, 'absent')).not.toBe(0)
  return { ...results, close }
}
/** Calls this for each message of a kind. */
async function listen(kind: string, take: () => void) {
  const peers = createPeers(url(), { seal: createSeal(secret), now: Date.now })
  peers.on(kind, take)
  await expect.poll(() => peers.isJoined()).toBe(true)
  return peers
}
const countOf = (results: RedisResults, outcome: string) =>
  results.series().find(({ labels }) => labels.outcome === outcome)?.value ?? 0
const inMs = (ms: number) => Date.now() + ms

test('of ten that look for the same at once one reads, and the others have its result when it is there', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => open()))
  const place = nextPlace()
  let reads = 0
  let waiting = 0
  opened.push(await listen('reading-awaited', () => (waiting += 1)))
  const texts = await Promise.all(
    all.map(async (results) => {
      const { text, onEnd } = await results.findOrLead(place, inMs(10_000))
      if (text !== null) return text
      reads += 1
      // A read takes longer than it takes the others to say that they wait for it.
      await expect.poll(() => waiting).toBe(9)
      onEnd(() => 'the result')
      return 'the result'
    }),
  )
  expect([reads, new Set(texts)]).toEqual([1, new Set(['the result'])])
  expect(all.reduce((sum, each) => sum + countOf(each, 'awaited'), 0)).toBe(9)
})

test('a read that nobody waits for costs the others no message', async () => {
  const [one, two] = [await open(), await open()]
  let said = 0
  const listening = await listen('reading', () => (said += 1))
  opened.push(listening)
  const place = nextPlace()
  const { onEnd } = await one.findOrLead(place, inMs(10_000))
  onEnd(() => 'for nobody')
  one.keep(place, 'for nobody', 10_000)
  await expect.poll(() => two.find(place)).toBe('for nobody')
  let heard = false
  listening.on('words', () => (heard = true))
  const speaker = createPeers(url(), { seal: createSeal(secret), now: Date.now })
  opened.push(speaker)
  await expect
    .poll(() => {
      speaker.send('words', null)
      return heard
    })
    .toBe(true)
  expect(said).toBe(0)
})

test('one that reads the same in two ways at once does not wait for itself', async () => {
  const one = await open()
  const place = nextPlace()
  const { onEnd } = await one.findOrLead(place, inMs(10_000))
  const startMs = performance.now()
  expect((await one.findOrLead(place, inMs(10_000))).text).toBe(null)
  expect(performance.now() - startMs).toBeLessThan(500)
  onEnd(() => null)
})

test('one that fails lets the others read at once', async () => {
  const [one, two] = [await open(), await open()]
  const place = nextPlace()
  const { onEnd } = await one.findOrLead(place, inMs(10_000))
  const startMs = performance.now()
  const waiting = two.findOrLead(place, inMs(10_000))
  onEnd(() => null)
  expect((await waiting).text).toBe(null)
  expect(performance.now() - startMs).toBeLessThan(500)
})

test('one that reads for long is waited for, as long as the caller has time', async () => {
  const [one, two, three] = [await open(), await open(), await open()]
  const place = nextPlace()
  let waiting = 0
  opened.push(await listen('reading-awaited', () => (waiting += 1)))
  const { onEnd } = await one.findOrLead(place, inMs(10_000))
  const startMs = performance.now()
  const short = await two.findOrLead(place, inMs(1_000))
  expect(short.text).toBe(null)
  expect(performance.now() - startMs).toBeGreaterThan(990)
  const patient = three.findOrLead(place, inMs(10_000))
  await expect.poll(() => waiting).toBeGreaterThan(1)
  onEnd(() => 'at last')
  expect((await patient).text).toBe('at last')
})

test('one that dies costs the others 0.6 s', async () => {
  const [one, two, three] = [await open(), await open(), await open()]
  const place = nextPlace()
  await one.findOrLead(place, inMs(10_000))
  one.close()
  for (const other of [two, three]) {
    const startMs = performance.now()
    expect((await other.findOrLead(place, inMs(10_000))).text).toBe(null)
    expect(performance.now() - startMs).toBeLessThan(1_500)
  }
})

/** A read that one of two processes has begun, and what stands in Redis for it. */
async function readUnderWay() {
  const [one, two] = [await open(), await open()]
  const client = createRedisClient(url())
  await client.connect()
  opened.push({ close: () => client.destroy() })
  await client.flushAll()
  const place = nextPlace()
  const { onEnd } = await one.findOrLead(place, inMs(10_000))
  await expect.poll(() => client.keys('quorate:result:*')).toHaveLength(1)
  const [key = ''] = await client.keys('quorate:result:*')
  return { one, two, client, place, onEnd, key, marker: await client.get(key) }
}

test('what somebody writes or puts back where a read would stand makes nobody wait', async () => {
  const { one, two, client, place, onEnd, key, marker } = await readUnderWay()
  onEnd(() => null)
  await expect.poll(() => client.get(key)).toBe(null)
  const foreign = createSeal('the secret of somebody else').close(['reading ', key], String(Date.now()))
  const late: string[] = []
  const look = async (text: string) => {
    await client.set(key, text)
    const startMs = performance.now()
    expect((await two.findOrLead(place, inMs(10_000))).text).toBe(null)
    // A busy machine is late by tens of milliseconds; 600 is what it was.
    if (performance.now() - startMs > 200) late.push(text)
  }
  await look(marker ?? '')
  // Nobody is left who would say that it is over.
  one.close()
  for (const text of ['reading', 'reading ', `reading ${Date.now()}`, `reading ${foreign}`, '1'])
    await look(text)
  expect(late).toEqual([])
})

test('a read of more than 0.6 s is still sent once: a process that wants it later waits for it', async () => {
  const { two, client, place, onEnd, key, marker } = await readUnderWay()
  const startMs = performance.now()
  await expect.poll(() => performance.now() - startMs, { timeout: 5_000 }).toBeGreaterThan(1_300)
  expect(await client.get(key)).not.toBe(marker)
  let waiting = 0
  opened.push(await listen('reading-awaited', () => (waiting += 1)))
  const late = two.findOrLead(place, inMs(10_000))
  await expect.poll(() => waiting).toBe(1)
  onEnd(() => 'the result')
  expect((await late).text).toBe('the result')
})

test('without Redis nobody waits for anybody', async () => {
  const [one, two] = [await open(), await open(4)]
  const place = nextPlace()
  await one.findOrLead(place, inMs(10_000))
  redis.kill('SIGSTOP')
  const startMs = performance.now()
  expect((await two.findOrLead(place, inMs(10_000))).text).toBe(null)
  expect(performance.now() - startMs).toBeLessThan(300)
  redis.kill('SIGCONT')
})
