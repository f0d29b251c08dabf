import { describe, expect, test } from 'vitest'
import type { Peers } from '#lib/engine/peers.ts'
import { createHostCounts, type HostCounts } from '#lib/observe/host-counts.ts'
import { createMessages } from '#lib/redis/messages.ts'
import { createSeal } from '#lib/redis/sealed-values.ts'
import type { Host, HostKind } from '../support/host.ts'
import {
  asOperator,
  hostForOneTest,
  madeUpNodesForOneFile,
  operatorCookie,
  operatorToken,
} from '../support/hosts.ts'
import { chainOf, configOf } from '../support/made-up-nodes.ts'
import { openForOneTest, peersJoined, redisForOneFile, redisSecret } from '../support/redis.ts'

/** What replicas say to each other through a real Redis, and what somebody else says there. */
const channel = 'quorate:peers'
const redis = redisForOneFile()
const nodes = madeUpNodesForOneFile()

type Counted = Peers & { readonly counts: HostCounts }
const figureOf = ({ counts }: Counted, name: string, label = '') =>
  counts
    .series()
    .find((each) => each.name === `quorate_${name}` && Object.values(each.labels).join() === label)?.value
const isJoined = (peers: Counted) => figureOf(peers, 'peers_joined') === 1

describe('peers', () => {
  async function open(count: number): Promise<readonly Counted[]> {
    const made = Array.from({ length: count }, () => {
      const counts = createHostCounts()
      return { counts, ...openForOneTest(redis.url(), { counts }).peers }
    })
    await expect.poll(() => made.every(isJoined)).toBe(true)
    return made
  }
  const listen = (peers: Peers) => {
    const heard: unknown[] = []
    peers.on('words', (value) => heard.push(value))
    return heard
  }

  // What else is dropped, and why: tests/lib/redis/messages.test.ts.
  test('hear no message that is forged, repeated or old, and count each', async () => {
    const [one] = (await open(1)) as [Counted]
    const heard = listen(one)
    const stranger = await redis.client()
    const write = (key = redisSecret, ms = 0) =>
      createMessages(crypto.randomUUID(), {
        channel,
        seal: createSeal(key),
        now: () => Date.now() - ms,
      }).write({ kind: 'words', value: 'believe me' })
    const genuine = write()
    for (const text of [genuine, write(`${redisSecret}!`), genuine, write(redisSecret, 20_000)])
      await stranger.publish(channel, text)
    const dropped = () =>
      ['forged', 'replayed', 'aged', 'malformed'].map((why) =>
        figureOf(one, 'peer_messages_dropped_total', why),
      )
    await expect.poll(dropped).toEqual([1, 1, 1, 0])
    expect(heard).toEqual(['believe me'])
  })

  test('find each other again after a restart of Redis, and say so', async () => {
    const [one, two] = (await open(2)) as [Counted, Counted]
    let joins = 0
    one.onJoin(() => {
      joins += 1
    })
    const heard = listen(two)
    await redis.end()
    await expect.poll(() => [one, two].map(isJoined)).toEqual([false, false])
    one.send('words', 'into the void')
    await expect.poll(() => figureOf(one, 'peer_messages_total', 'lost')).toBeGreaterThan(0)
    await redis.start()
    await expect.poll(() => [one, two].every(isJoined)).toBe(true)
    await expect
      .poll(() => {
        one.send('words', 'back')
        return heard
      })
      .toContain('back')
    expect(heard).not.toContain('into the void')
    expect(joins).toBeGreaterThan(0)
  })
})

describe('replicas', () => {
  const startAs = (kind: HostKind, REPLICA: string, config: object) => {
    const env = {
      OPERATOR_TOKEN: operatorToken,
      SESSION_SECRET: redisSecret,
      REDIS_URL: redis.url(),
      REPLICA,
    }
    return hostForOneTest(kind, { config, env })
  }
  async function start(count: number, config: object = configOf(nodes())): Promise<readonly Host[]> {
    const started = await Promise.all(
      Array.from({ length: count }, (_, at) => startAs('alone', `replica-${at}`, config)),
    )
    await expect.poll(() => Promise.all(started.map(peersJoined))).toEqual(started.map(() => '1'))
    return started
  }

  test('a caller who has spent its budget at one replica is refused by the others', async () => {
    const [one, ...others] = await start(3, configOf(nodes(), { rate: { costPerMinute: 1 } }))
    // It costs ten, the budget of ten minutes: the caller owes it. What a replica grants by itself is owed for less than two.
    const logs = { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x2' }] }
    expect((await one?.call(logs))?.status).toBe(200)
    for (const other of others)
      await expect
        .poll(async () => Number((await other.call()).headers.get('retry-after')))
        .toBeGreaterThan(300)
  })

  test('three replicas together send a node what it allows per day, head polls included', async () => {
    const hosts = await start(3, configOf(nodes(), { chains: [chainOf(nodes(), { perDay: 60 })] }))
    for (const name of ['a', 'b']) nodes().node(name).clearRequests()
    // Until nobody is answered any more: a quorum needs both.
    await expect
      .poll(async () => {
        const answered = Array.from({ length: 30 }, async (_, at) => {
          const account = `0x${`${Math.random()}`.slice(2).padEnd(40, '0').slice(0, 40)}`
          return (await hosts[at % 3]?.call({ params: [account, 'latest'] }))?.json()
        })
        return (await Promise.all(answered)).some((answer) => 'result' in answer)
      })
      .toBe(false)
    for (const name of ['a', 'b']) expect(nodes().node(name).callCount()).toBeLessThanOrEqual(90)
  })

  test('any replica explains an answer of another, and every metric and log line names its replica', async () => {
    const [one, two] = (await start(2)) as [Host, Host]
    const id = (await one.call()).headers.get('x-quorate-answer')
    const read = (path: string) => two.get(`/api/rpc/${path}`, asOperator)
    const found = await read(`answers/${id}`)
    expect([found.status, await found.json()]).toMatchObject([200, { id, method: 'eth_getBalance' }])
    expect((await read('answers/nobody-1')).status).toBe(404)
    const lines = (await (await read('metrics')).text()).split('\n')
    const samples = lines.filter((line) => line !== '' && !line.startsWith('#'))
    expect(samples.filter((line) => !line.includes('replica="replica-1"'))).toEqual([])
    expect(two.output()).toContain('"replica":"replica-1"')
  })

  test('a log-out at one replica ends the session at all, also at one that starts later', async () => {
    const [one, two] = (await start(2)) as [Host, Host]
    const cookie = await operatorCookie(one)
    const statusAt = async (host: Host) => (await host.get('/api/rpc/snapshot', { cookie })).status
    expect(await statusAt(two)).toBe(200)
    await fetch(`${one.url}/api/operator/session`, { method: 'DELETE', headers: { cookie } })
    await expect.poll(() => statusAt(two)).toBe(401)
    const [third] = (await start(1)) as [Host]
    await expect.poll(() => statusAt(third)).toBe(401)
  })

  test('/status of any replica names it and the others, and sums over all', async () => {
    const [page, gateway] = await Promise.all([
      startAs('node', 'page-0', configOf(nodes())),
      startAs('alone', 'gateway-1', configOf(nodes())),
    ])
    for (let turn = 0; turn < 3; turn += 1) await gateway.call()
    await page.call()
    const cookie = await operatorCookie(page)
    const status = async () => (await page.get('/status', { cookie })).text()
    const both =
      'This is page-0, one of 2 replicas; the others: gateway-1. Together 4 calls since they started'
    await expect.poll(status).toContain(both)
    await redis.end()
    const page0 = 'This is page-0. It hears no other replica, because it cannot reach Redis'
    await expect.poll(status).toContain(page0)
    await redis.start()
    await expect.poll(status).toContain('one of 2 replicas')
  })

  test('tokens that are guessed at all replicas in turn are counted by all', async () => {
    const hosts = await start(3)
    const guess = async (host: Host) =>
      (await host.post('/api/operator/session', { token: 'a-wrong-token-of-16' })).status
    // Each replica alone would answer the fourth guess with 401.
    await expect
      .poll(async () => {
        const statuses: number[] = []
        for (let turn = 0; turn < 4; turn += 1) for (const host of hosts) statuses.push(await guess(host))
        return statuses.filter((status) => status === 401).length
      })
      .toBe(0)
  })
})
