import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { openRedis, type Redis } from '#lib/redis/open-redis.ts'
import { RedisStore } from '#lib/redis/redis-sessions.ts'
import { createSeal } from '#lib/redis/sealed-values.ts'
import { accountSessionsMax, type Session, StoreUnavailable } from '#lib/sign-in/session-store.ts'
import { stranger, visitor } from '../lib/sign-in/support.ts'
import { type Host, startHost } from '../support/host.ts'
import { pairOf } from '../support/hosts.ts'
import { oneChain, openForOneTest, redisForOneFile, redisSecret, sentBytes } from '../support/redis.ts'
import { signedMessage } from '../support/signed-message.ts'

/** Two processes and a real Redis. */
const site = 'https://app.example'
const redis = redisForOneFile()

describe('two processes', () => {
  let hosts: [Host, Host]
  beforeAll(async () => {
    const env = { APP_ORIGIN: site, REDIS_URL: redis.url(), SESSION_SECRET: redisSecret }
    const config = { ...oneChain, rate: { trustedHops: 1 } }
    hosts = await Promise.all([startHost('node', { config, env }), startHost('node', { config, env })])
  })
  afterAll(() => {
    for (const host of hosts) host.signal('SIGKILL')
  })

  const ask = (host: Host, method: string, path: string, cookie = '', body?: unknown) =>
    fetch(`${host.url}/api/auth/${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  test('take each other’s nonces and sessions: signing out in one ends them in the other', async () => {
    const [one, other] = hosts
    const { cookie, body } = await signedMessage(one)
    const session = pairOf(await ask(other, 'POST', 'verify', cookie, body))
    const seen = () =>
      Promise.all(hosts.map(async (host) => (await ask(host, 'GET', 'session', session)).json()))
    const { address } = visitor
    expect(await seen()).toMatchObject([{ address }, { address }])
    expect((await ask(one, 'DELETE', 'session', session)).status).toBe(204)
    expect(await seen()).toEqual([{ address: null }, { address: null }])
  })

  test('allow no sign-in while Redis is down, answer reads, and recover when it is back', async () => {
    const [one] = hosts
    const ready = await signedMessage(one)
    const session = pairOf(await ask(one, 'POST', 'verify', ready.cookie, ready.body))
    const { cookie, body } = await signedMessage(one)
    await redis.end()
    const refused = await ask(one, 'POST', 'verify', cookie, body)
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([503, []])
    expect((await ask(one, 'GET', 'session', session)).status).toBe(503)
    const read = await one.call({ method: 'eth_chainId', params: [] })
    expect(await read.json()).toMatchObject({ result: '0x89' })
    expect((await one.get('/sign-in')).status).toBe(200)

    await redis.start()
    await expect.poll(async () => (await ask(one, 'GET', 'session', session)).status).toBe(200)
    const again = await signedMessage(one)
    expect((await ask(one, 'POST', 'verify', again.cookie, again.body)).status).toBe(200)
  })
})

describe('the store', () => {
  const counts = createHostCounts()
  const reported: string[] = []
  let shared: Redis
  let store: RedisStore
  const sessionOf = (id: string, more: Partial<Session> = {}): Session => ({
    id,
    address: stranger.address,
    chainId: 1,
    isContract: false,
    signedInMs: Date.now(),
    seenMs: Date.now(),
    ...more,
  })
  beforeAll(() => {
    const log = { write: ({ message }: { message: string }) => void reported.push(message) }
    shared = openRedis(redis.url(), redisSecret, { log, counts })
    store = new RedisStore(shared)
  })
  afterAll(() => shared.close())
  /** The ids of the sessions of the account, as the store lists them. */
  const listed = async () => (await store.of(sessionOf('any'))).map(({ id }) => id)

  test('fails until it is connected, and then has no sessions', async () => {
    await expect.poll(() => store.get('nobody').catch(() => 'away')).toBe(null)
  })

  test('of a hundred attempts to consume a nonce, one succeeds', async () => {
    const asked = Array.from({ length: 100 }, () => store.consume('a nonce', Date.now() + 10_000))
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
  })

  test('using an ended session does not restore it', async () => {
    await store.add(sessionOf('a'))
    expect(await store.get('a')).toMatchObject({ id: 'a' })
    await store.end('a')
    await store.touch(sessionOf('a'))
    expect(await store.get('a')).toBe(null)
  })

  test('a session that somebody writes into Redis is none: unsealed, changed, cut, of another id or with another secret', async () => {
    await store.add(sessionOf('genuine'))
    const client = await redis.client()
    const key = (id: string) => `quorate:session:${id}`
    const genuine = (await client.get(key('genuine'))) ?? ''
    expect(await store.get('genuine')).toMatchObject({ id: 'genuine' })
    const stolen = createSeal('another secret')
    for (let turn = 0; turn < 40; turn += 1) {
      const forged = sessionOf(`forged-${turn}`)
      for (const text of [
        JSON.stringify(forged),
        genuine,
        genuine.replace('genuine', forged.id),
        genuine.slice(0, genuine.length - 1 - turn),
        stolen.close('session', forged.id, forged),
        shared.seal.close('history', forged.id, forged),
      ]) {
        await client.set(key(forged.id), text)
        expect(await store.get(forged.id)).toBe(null)
      }
      await client.set(`quorate:session-ids:${stranger.address}`, `genuine ${forged.id} ${forged.id} genuine`)
      expect(await listed()).toEqual(['genuine'])
    }
    expect(counts.series().find(({ labels }) => labels.kind === 'session')?.value).toBe(280)
    // Another account's session among this one's ids is not listed, and so cannot be ended from here.
    await store.add(sessionOf('foreign', { address: visitor.address }))
    await client.set(`quorate:session-ids:${stranger.address}`, 'foreign genuine')
    expect(await listed()).toEqual(['genuine'])
    await store.end('genuine')
  })

  test('no more is fetched of a session than one of ours has, so that a large value fills no memory', async () => {
    const large = sessionOf('large', { address: `0x${'a'.repeat(20_000)}` })
    await store.add(large)
    expect(await store.get('large')).toBe(null)
    expect(await store.of(large)).toEqual([])
    await store.end('large')
  })

  test('whatever somebody writes as the ids of an account, twenty sessions are read for a call, and sign-in goes on', async () => {
    const client = await redis.client()
    const key = `quorate:session-ids:${stranger.address}`
    const ids = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(64, '0'))
    for (const id of ids.slice(0, 100))
      for (const each of [id, id.replace(/^0+/, '')])
        await client.set(`quorate:session:${each}`, 'x'.repeat(2 ** 20))
    for (const write of [
      () => client.set(key, ids.join(' ')),
      () => client.set(key, ids.map((id) => id.replace(/^0+/, '')).join(' ')),
      () => client.set(key, 'x'.repeat(64 * 2 ** 20)),
      () => client.set(key, ' '.repeat(64 * 2 ** 20)),
      () => client.del(key).then(() => client.sAdd(key, ids)),
    ]) {
      await write()
      const before = await sentBytes(client)
      await store.add(sessionOf('among-many'))
      expect(await listed()).toEqual(['among-many'])
      expect((await sentBytes(client)) - before).toBeLessThan(2 * 20 * 16 * 1024 + 50_000)
      await store.end('among-many')
    }
    await client.set('quorate:session:among-many', 'x')
    await client.del('quorate:session:among-many')
    await client.lPush('quorate:session:among-many', 'x')
    expect(await store.get('among-many')).toBe(null)
    await client.flushAll()
  })

  test('of an account that signs in at two processes at once, no session is left out of the list', async () => {
    const other = new RedisStore(openForOneTest(redis.url()))
    await expect.poll(() => other.get('nobody').catch(() => 'away')).toBe(null)
    const stores = [store, other]
    const ids = Array.from({ length: accountSessionsMax }, (_, at) => `at-once-${at}`)
    await Promise.all(ids.map((id, at) => stores[at % 2]?.add(sessionOf(id))))
    expect((await listed()).toSorted()).toEqual(ids.toSorted())
    for (const id of ids) await store.end(id)
  })

  test('sessions expire', async () => {
    const idle = sessionOf('idle', { seenMs: Date.now() - 30 * 60_000 + 300 })
    await store.add(idle)
    expect(await store.get('idle')).not.toBe(null)
    await expect.poll(() => store.get('idle')).toBe(null)
    expect(await listed()).not.toContain('idle')
  })

  test(`an account has ${accountSessionsMax} sessions; the least recently used one is dropped`, async () => {
    const startMs = Date.now()
    for (let count = 0; count < accountSessionsMax; count += 1)
      await store.add(sessionOf(`s${count}`, { seenMs: startMs - 1000 + count }))
    await store.add(sessionOf('new'))
    const ids = await listed()
    expect(ids).toHaveLength(accountSessionsMax)
    expect(ids).toContain('new')
    expect(ids).not.toContain('s0')
  })

  test('logs once that Redis is down, fails fast, and logs when it is back', async () => {
    await redis.end()
    await expect(store.get('a')).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(store.consume('b', Date.now() + 1000)).rejects.toBeInstanceOf(StoreUnavailable)
    await redis.start()
    await expect.poll(() => store.get('a').catch(() => 'away')).toBe(null)
    expect(reported).toEqual(['Redis is away', 'Redis is back'])
  })
})
