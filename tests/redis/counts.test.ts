import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startUsage } from '#lib/redis/count-store.ts'
import { startHistory } from '#lib/redis/history-store.ts'
import { type HistoryStep, hashOf, historyStepMs } from '#rpc-proxy'
import { dayMs, PeriodCounts } from '#rpc-proxy/testing.ts'
import type { Host } from '../support/host.ts'
import { hostForOneTest, madeUpNodesForOneFile } from '../support/hosts.ts'
import { chainOf, configOf } from '../support/made-up-nodes.ts'
import { balanceCall } from '../support/post-json.ts'
import { openForOneTest, redisForOneFile, redisSecret, sentBytes } from '../support/redis.ts'

/** What is counted, in a real Redis: it survives a restart, also a kill, and counts all processes. No call fails while Redis is down. */
const key = 'a-key-of-twenty-four-chars'
const redis = redisForOneFile()
const nodes = madeUpNodesForOneFile()

beforeEach(async () => {
  await redis.end()
  await redis.start()
})

function startGateway(): Promise<Host> {
  const callers = [{ name: 'web', keyHash: hashOf(key), perMonth: 20 }]
  return hostForOneTest('alone', {
    config: configOf(nodes(), { callers, chains: [chainOf(nodes(), { perMonth: 100_000 })] }),
    env: { OPERATOR_OPEN: '1', REDIS_URL: redis.url(), SESSION_SECRET: redisSecret },
  })
}

const ask = (host: Host, account: number) =>
  host.post(`/api/rpc/137/key/${key}`, {
    ...balanceCall,
    params: [`0x${account.toString(16).padStart(40, '0')}`, 'latest'],
  })
/** Asks for the balances of these accounts, one after the other. */
async function askFor(host: Host, first: number, last: number): Promise<void> {
  for (let account = first; account <= last; account++) expect((await ask(host, account)).status).toBe(200)
}

const readAt = async (host: Host, view: string) => (await host.get(`/api/rpc/${view}`)).json()
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
const callsAt = async (host: Host) =>
  sum((await readAt(host, 'usage')).usage.map(({ calls }: { calls: number }) => calls))

test('usage of all processes survives their end, and is not counted twice', async () => {
  const [first, second] = await Promise.all([startGateway(), startGateway()])
  await askFor(first, 1, 4)
  await askFor(second, 5, 7)
  await expect.poll(() => callsAt(first)).toBe(7)
  await expect.poll(() => callsAt(second)).toBe(7)
  // What is as old as this is stored already.
  first.signal('SIGKILL')
  second.signal('SIGTERM')
  await second.ended
  const third = await startGateway()
  await expect.poll(() => callsAt(third)).toBe(7)

  await askFor(third, 11, 23)
  const refused = await ask(third, 30)
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { error: { code: -32005, message: 'the units of this key are spent until the next month' } },
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await (await third.get('/api/rpc/usage?by=month&format=csv')).text()).toMatch(
    /^day,caller,method,calls,units,cacheHits,errors\r\n\d{4}-\d\d,web,eth_getBalance,/,
  )
})

test('after Redis has started empty, every process knows again what the others have counted, on earlier days too', async () => {
  let nowMs = Date.now() - 5 * dayMs
  const now = () => nowMs
  function open(isReady = async () => {}) {
    const usage = new PeriodCounts({ now, names: new Set(['calls']), periodMs: dayMs, periodsMax: 62 })
    const opened = openForOneTest(redis.url())
    const onReady = (listener: () => void) => opened.redis.onReady(() => void isReady().then(listener))
    const store = startUsage({ usage }, { ...opened, redis: { ...opened.redis, onReady } })
    onTestFinished(() => store.close())
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
})

test('what nodes did and cost counts all processes, and survives their end', async () => {
  /** The units and the requests of all nodes. */
  const figuresAt = async (host: Host): Promise<readonly [number, number]> => {
    const { chains } = await readAt(host, 'snapshot')
    const { nodes: rows } = await readAt(host, 'scorecard?last=30d')
    return [
      sum(chains[0].nodes.map(({ plan }: { plan: { units: number } }) => plan.units)),
      sum(rows.map(({ requests }: { requests: number }) => requests)),
    ]
  }
  const expectAtLeast = (host: Host, [units, requests]: readonly [number, number]) =>
    expect
      .poll(async () => {
        const now = await figuresAt(host)
        return now[0] >= units && now[1] >= requests
      })
      .toBe(true)
  const [first, second] = await Promise.all([startGateway(), startGateway()])
  await askFor(first, 39, 39)
  await expectAtLeast(first, [1, 0])
  const [units, requests] = await figuresAt(first)
  await askFor(second, 40, 40)
  await expectAtLeast(first, [units + 1, requests + 1])
  const all = await figuresAt(first)
  first.signal('SIGKILL')
  second.signal('SIGKILL')
  await expectAtLeast(await startGateway(), all)
})

const callsSeen = async (host: Host) =>
  sum((await readAt(host, 'history')).chains.flatMap(({ calls }: { calls: number[] }) => calls))

test('history survives a restart', async () => {
  const first = await startGateway()
  await askFor(first, 50, 56)
  expect(await callsSeen(first)).toBe(7)
  const step = Math.floor(Date.now() / historyStepMs)
  first.signal('SIGTERM')
  await expect.poll(() => first.output()).toContain('stopped')

  // Only finished steps are loaded.
  await expect.poll(() => Math.floor(Date.now() / historyStepMs)).toBeGreaterThan(step)
  const second = await startGateway()
  await expect.poll(() => callsSeen(second)).toBe(7)
  await askFor(second, 57, 57)
  expect(await callsSeen(second)).toBe(8)
})

test('while Redis is down, calls are answered and history is kept in memory', async () => {
  await redis.end()
  const host = await startGateway()
  await askFor(host, 58, 58)
  expect(await callsSeen(host)).toBe(1)
  host.signal('SIGTERM')
  await expect.poll(() => host.output()).toContain('stopped')
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
    const opened = openForOneTest(redis.url(), { now: () => nowMs })
    const history = startHistory(gateway, opened)
    return { close: () => history.close().then(opened.close), restored, reads: () => reads }
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
  const before = await sentBytes(client)
  const { close, restored, reads } = open(now + historyStepMs, false)
  // A day, eight steps at a time.
  await expect.poll(reads).toBe(8640 / 8)
  await close()
  // Two processes have written it.
  expect(restored).toEqual([expect.objectContaining({ step: last }), expect.objectContaining({ step: last })])
  expect((await sentBytes(client)) - before).toBeLessThan(42 * 2 ** 20 + 2 ** 20)
})
