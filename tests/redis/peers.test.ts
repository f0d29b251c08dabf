import { afterEach, describe, expect, test } from 'vitest'
import type { Peers } from '#lib/engine/peers.ts'
import { createHostCounts, type HostCounts } from '#lib/observe/host-counts.ts'
import { createMessages } from '#lib/redis/messages.ts'
import { openRedis, type Redis } from '#lib/redis/open-redis.ts'
import { createSeal } from '#lib/redis/sealed-values.ts'
import { type Host, startHost } from '../support/host.ts'
import { madeUpNodesForOneFile } from '../support/hosts.ts'
import { configOf } from '../support/made-up-nodes.ts'
import { operatorCookie, postJson } from '../support/post-json.ts'
import { redisForOneFile } from '../support/redis.ts'

/** What replicas say to each other through a real Redis, and what somebody else says there. */
const secret = 'the-same-secret-for-all-of-these-processes'
const token = 'a-token-of-the-operator'
const channel = 'quorate:peers'
const redis = redisForOneFile()
const { url } = redis
const nodes = madeUpNodesForOneFile()

type Counted = Peers & { readonly counts: HostCounts }
const figureOf = ({ counts }: Counted, name: string, label = '') =>
  counts
    .series()
    .find((each) => each.name === `quorate_${name}` && Object.values(each.labels).join() === label)?.value
const isJoined = (peers: Counted) => figureOf(peers, 'peers_joined') === 1

describe('peers', () => {
  const opened: Redis[] = []
  afterEach(() => {
    for (const each of opened.splice(0)) each.close()
  })
  async function open(count: number): Promise<readonly Counted[]> {
    const made = Array.from({ length: count }, () => {
      const counts = createHostCounts()
      const shared = openRedis(url(), secret, { log: { write: () => {} }, counts })
      opened.push(shared)
      return { counts, ...shared.peers }
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
    const write = (key = secret, ms = 0) =>
      createMessages(crypto.randomUUID(), {
        channel,
        seal: createSeal(key),
        now: () => Date.now() - ms,
      }).write({ kind: 'words', value: 'believe me' })
    const genuine = write()
    for (const text of [genuine, write(`${secret}!`), genuine, write(secret, 20_000)])
      await stranger.publish(channel, text)
    const dropped = () =>
      ['forged', 'replayed', 'aged', 'malformed'].map((why) =>
        figureOf(one, 'peer_messages_dropped_total', why),
      )
    await expect.poll(dropped).toEqual([1, 1, 1, 0])
    expect(heard).toEqual(['believe me'])
    stranger.destroy()
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
  const running: Host[] = []
  afterEach(() => {
    for (const host of running.splice(0)) host.signal('SIGKILL')
  })
  const shared = { OPERATOR_TOKEN: token, SESSION_SECRET: secret }
  const envOf = (REPLICA: string) => ({ ...shared, REDIS_URL: url(), REPLICA })
  async function start(count: number, config: object = configOf(nodes(), { rate: null })) {
    const started = await Promise.all(
      Array.from({ length: count }, (_, at) => startHost('alone', { config, env: envOf(`replica-${at}`) })),
    )
    running.push(...started.map(({ host }) => host))
    await expect
      .poll(() => Promise.all(running.map(async (host) => /peers_joined\{.*\} 1/.test(await metrics(host)))))
      .not.toContain(false)
    return running
  }
  const operator = { authorization: `Bearer ${token}` }
  const metrics = async (host: Host) =>
    (await fetch(`${host.url}/api/rpc/metrics`, { headers: operator })).text()
  const call = (
    host: Host,
    method = 'eth_getBalance',
    params: readonly unknown[] = [`0x${'0'.repeat(40)}`, 'latest'],
  ) => postJson(`${host.url}/api/rpc/137`, { jsonrpc: '2.0', id: 1, method, params })

  test('a caller who has spent its budget at one replica is refused by the others', async () => {
    const [one, ...others] = await start(3, configOf(nodes(), { rate: { costPerMinute: 1 } }))
    // It costs ten, the budget of ten minutes: the caller owes it. What a replica grants by itself is owed for less than two.
    const logs = { fromBlock: '0x1', toBlock: '0x2' }
    expect((await call(one as Host, 'eth_getLogs', [logs])).status).toBe(200)
    for (const other of others)
      await expect
        .poll(async () => Number((await call(other)).headers.get('retry-after')))
        .toBeGreaterThan(300)
  })

  test('three replicas together send a node what it allows per day, head polls included', async () => {
    const limited = configOf(nodes())
    const chains = limited.chains as { nodes: object[] }[]
    for (const chain of chains) chain.nodes = chain.nodes.map((node) => ({ ...node, perDay: 60 }))
    const hosts = await start(3, limited)
    for (const name of ['a', 'b']) nodes().node(name).clearRequests()
    // Until nobody is answered any more: a quorum needs both.
    await expect
      .poll(async () => {
        const statuses = await Promise.all(
          Array.from({ length: 30 }, async (_, at) => {
            const account = `0x${`${Math.random()}`.slice(2).padEnd(40, '0').slice(0, 40)}`
            const response = await call(hosts[at % 3] as Host, 'eth_getBalance', [account, 'latest'])
            return 'result' in ((await response.json()) as object)
          }),
        )
        return statuses.some(Boolean)
      })
      .toBe(false)
    const sent = ['a', 'b'].map((name) =>
      nodes()
        .node(name)
        .requests()
        .reduce((sum, { calls }) => sum + calls.length, 0),
    )
    for (const each of sent) expect(each).toBeLessThanOrEqual(90)
  })

  test('any replica explains an answer of another, and every metric and log line names its replica', async () => {
    const [one, two] = (await start(2)) as [Host, Host]
    const id = (await call(one)).headers.get('x-quorate-answer')
    const found = await fetch(`${two.url}/api/rpc/answers/${id}`, { headers: operator })
    expect([found.status, await found.json()]).toMatchObject([200, { id, method: 'eth_getBalance' }])
    expect((await fetch(`${two.url}/api/rpc/answers/nobody-1`, { headers: operator })).status).toBe(404)
    const samples = (await metrics(two)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(samples.filter((line) => !line.includes('replica="replica-1"'))).toEqual([])
    expect(two.output()).toContain('"replica":"replica-1"')
  })

  test('a log-out at one replica ends the session at all, also at one that starts later', async () => {
    const [one, two] = (await start(2)) as [Host, Host]
    const cookie = await operatorCookie(one.url, token)
    const statusAt = async (host: Host) =>
      (await fetch(`${host.url}/api/rpc/snapshot`, { headers: { cookie } })).status
    expect(await statusAt(two)).toBe(200)
    await fetch(`${one.url}/api/operator/session`, { method: 'DELETE', headers: { cookie } })
    await expect.poll(() => statusAt(two)).toBe(401)
    const [, , third] = (await start(1)) as [Host, Host, Host]
    await expect.poll(() => statusAt(third)).toBe(401)
  })

  test('/status of any replica names it and the others, and sums over all', async () => {
    const options = (name: string) => ({ config: configOf(nodes()), env: envOf(name) })
    const started = await Promise.all([
      startHost('node', options('page-0')),
      startHost('alone', options('gateway-1')),
    ])
    running.push(...started.map(({ host }) => host))
    const [page, gateway] = started.map(({ host }) => host) as [Host, Host]
    for (let turn = 0; turn < 3; turn += 1) await call(gateway)
    await call(page)
    const cookie = await operatorCookie(page.url, token)
    const status = async () => (await fetch(`${page.url}/status`, { headers: { cookie } })).text()
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
      (await postJson(`${host.url}/api/operator/session`, { token: 'a-wrong-token-of-16' })).status
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
