import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { startUsage } from '#lib/redis/count-store.ts'
import { startHistory } from '#lib/redis/history-store.ts'
import { openRedis } from '#lib/redis/open-redis.ts'
import { type HistoryStep, hashOf, historyStepMs } from '#rpc-proxy'
import { dayMs, PeriodCounts } from '#rpc-proxy/testing.ts'
import { type Host, startHost } from '../support/host.ts'
import { madeUpNodesForOneFile } from '../support/hosts.ts'
import { configOf } from '../support/made-up-nodes.ts'
import { balanceCall, postJson } from '../support/post-json.ts'
import { redisForOneFile } from '../support/redis.ts'

/** What is counted, in a real Redis: it survives a restart, also a kill, and counts all processes. No call fails while Redis is down. */
const secret = 'a-secret-of-at-least-thirty-two-characters'
const token = 'a-token-of-the-operator'
const key = 'a-key-of-twenty-four-chars'
const running: Host[] = []
const redis = redisForOneFile()
const { url } = redis
const nodes = madeUpNodesForOneFile()

afterEach(async () => {
  for (const host of running.splice(0)) host.signal('SIGKILL')
  await redis.end()
  await redis.start()
})

async function startGateway(): Promise<Host> {
  const { chains, ...config } = configOf(nodes(), {
    callers: [{ name: 'web', keyHash: hashOf(key), perMonth: 20 }],
  }) as { chains: { nodes: object[] }[] }
  for (const chain of chains) chain.nodes = chain.nodes.map((node) => ({ ...node, perMonth: 100_000 }))
  const { host } = await startHost('alone', {
    config: { ...config, chains },
    env: { OPERATOR_TOKEN: token, REDIS_URL: url(), SESSION_SECRET: secret },
  })
  running.push(host)
  return host
}

const ask = (host: Host, account: number) =>
  postJson(`${host.url}/api/rpc/137/key/${key}`, {
    ...balanceCall,
    params: [`0x${account.toString(16).padStart(40, '0')}`, 'latest'],
  })

async function viewAt(host: Host, view: string): Promise<string> {
  const response = await fetch(`${host.url}/api/rpc/${view}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return response.text()
}
const readAt = async (host: Host, view: string) => JSON.parse(await viewAt(host, view))
const callsAt = async (host: Host): Promise<number> =>
  (await readAt(host, 'usage')).usage.reduce((all: number, { calls }: { calls: number }) => all + calls, 0)

test('usage of all processes survives their end, and is not counted twice', async () => {
  const [first, second] = await Promise.all([startGateway(), startGateway()])
  for (let turn = 1; turn <= 4; turn++) expect((await ask(first, turn)).status).toBe(200)
  for (let turn = 5; turn <= 7; turn++) expect((await ask(second, turn)).status).toBe(200)
  await expect.poll(() => callsAt(first)).toBe(7)
  await expect.poll(() => callsAt(second)).toBe(7)
  // What is as old as this is stored already.
  first.signal('SIGKILL')
  second.signal('SIGTERM')
  await second.ended
  const third = await startGateway()
  await expect.poll(() => callsAt(third)).toBe(7)

  for (let turn = 11; turn <= 23; turn++) await ask(third, turn)
  const refused = await ask(third, 30)
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { error: { code: -32005, message: 'the units of this key are spent until the next month' } },
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await viewAt(third, 'usage?by=month&format=csv')).toMatch(
    /^day,caller,method,calls,units,cacheHits,errors\r\n\d{4}-\d\d,web,eth_getBalance,/,
  )
})

test('after Redis has started empty, every process knows again what the others have counted, on earlier days too', async () => {
  let nowMs = Date.now() - 5 * dayMs
  const now = () => nowMs
  function open(isReady = async () => {}) {
    const usage = new PeriodCounts({ now, names: new Set(['calls']), periodMs: dayMs, periodsMax: 62 })
    const opened = openRedis(url(), secret, { log: { write: () => {} }, counts: createHostCounts() })
    const onReady = (listener: () => void) => opened.redis.onReady(() => void isReady().then(listener))
    const store = startUsage({ usage }, { ...opened, redis: { ...opened.redis, onReady } })
    onTestFinished(() => store.close().then(opened.close))
    const callsOf = (day: string) => usage.all(day)['web']?.['eth_call']?.['calls'] ?? 0
    return {
      call: (calls: number) => usage.add('web', 'eth_call', 'calls', calls),
      seen: () => usage.allPeriods().reduce((all, day) => all + callsOf(day), 0),
    }
  }
  let ready = Promise.resolve()
  const first = open()
  const second = open(() => ready)
  const expectBoth = async (calls: number) => {
    await expect.poll(first.seen).toBe(calls)
    await expect.poll(second.seen).toBe(calls)
  }
  first.call(50)
  second.call(50)
  nowMs += 5 * dayMs
  await expectBoth(100)

  await redis.end()
  // The first has read all of the empty Redis before the second writes there.
  ready = expect.poll(first.seen).toBe(50)
  await redis.start()
  await ready
  await expectBoth(100)

  // A connection that is lost alone names nobody a second time.
  const client = await redis.client()
  await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal'])
  first.call(4)
  second.call(5)
  await expectBoth(109)
  for (const index of await client.keys('quorate:usage:??????????'))
    expect((await client.get(index))?.trim().split('\n')).toHaveLength(2)
  client.destroy()
})

test('what nodes did and cost counts all processes, and survives their end', async () => {
  const unitsAt = async (host: Host): Promise<number> => {
    const { chains } = await readAt(host, 'snapshot')
    return chains[0].nodes.reduce((sum: number, { plan }: { plan: { units: number } }) => sum + plan.units, 0)
  }
  const requestsAt = async (host: Host): Promise<number> => {
    const { nodes: rows } = await readAt(host, 'scorecard?last=30d')
    return rows.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0)
  }
  const [first, second] = await Promise.all([startGateway(), startGateway()])
  expect((await ask(first, 39)).status).toBe(200)
  await expect.poll(() => unitsAt(first)).toBeGreaterThan(0)
  const before = [await unitsAt(first), await requestsAt(first)]
  expect((await ask(second, 40)).status).toBe(200)
  await expect.poll(() => unitsAt(first)).toBeGreaterThan(before[0] ?? 0)
  await expect.poll(() => requestsAt(first)).toBeGreaterThan(before[1] ?? 0)
  const all = [await unitsAt(first), await requestsAt(first)]
  first.signal('SIGKILL')
  second.signal('SIGKILL')
  const third = await startGateway()
  await expect.poll(() => unitsAt(third)).toBeGreaterThanOrEqual(all[0] ?? 0)
  await expect.poll(() => requestsAt(third)).toBeGreaterThanOrEqual(all[1] ?? 0)
})

async function callsSeen(host: Host): Promise<number> {
  const { chains } = (await readAt(host, 'history')) as { chains: { calls: number[] }[] }
  return chains.flatMap(({ calls }) => calls).reduce((all, value) => all + value, 0)
}

test('history survives a restart', async () => {
  const first = await startGateway()
  for (let turn = 0; turn < 7; turn++) expect((await ask(first, 50 + turn)).status).toBe(200)
  expect(await callsSeen(first)).toBe(7)
  const step = Math.floor(Date.now() / historyStepMs)
  first.signal('SIGTERM')
  await expect.poll(() => first.output()).toContain('stopped')

  // Only finished steps are loaded.
  await expect.poll(() => Math.floor(Date.now() / historyStepMs)).toBeGreaterThan(step)
  const second = await startGateway()
  await expect.poll(() => callsSeen(second)).toBe(7)
  await ask(second, 57)
  expect(await callsSeen(second)).toBe(8)
})

test('while Redis is down, calls are answered and history is kept in memory', async () => {
  await redis.end()
  const host = await startGateway()
  expect((await ask(host, 58)).status).toBe(200)
  expect(await callsSeen(host)).toBe(1)
  host.signal('SIGTERM')
  await expect.poll(() => host.output()).toContain('stopped')
  await redis.start()
})

test('whatever somebody writes as history, a step is restored once, and a bounded part of the rest is fetched', async () => {
  const client = await redis.client()
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
    const ports = { log: { write: () => {} }, counts: createHostCounts(), now: () => nowMs }
    const redis = openRedis(url(), secret, ports)
    const history = startHistory(gateway, redis)
    const close = () => history.close().then(redis.close)
    return { close, restored, reads: () => reads }
  }
  for (let turn = 0; turn < 2; turn += 1) {
    const { close, reads } = open(now, true)
    await expect.poll(reads).toBeGreaterThan(0)
    await close()
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
  const { close, restored, reads } = open(now + historyStepMs, false)
  // A day, eight steps at a time.
  await expect.poll(reads).toBe(8640 / 8)
  await close()
  // Two processes have written it.
  expect(restored).toEqual([expect.objectContaining({ step: last }), expect.objectContaining({ step: last })])
  expect((await sentBytes()) - before).toBeLessThan(42 * 2 ** 20 + 2 ** 20)
  client.destroy()
})
