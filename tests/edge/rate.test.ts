import { beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsBeforeMadeUpNodes } from '../support/hosts.ts'

const { start, nodesOf } = hostsBeforeMadeUpNodes()

const started = (kind: (typeof bothHosts)[number], trustedHops: number) =>
  start(kind, {
    // One read or page, and no second one within half a minute, on any machine: it leaves a debt.
    more: { rate: { costPerMinute: 1, trustedHops } },
  })

let reads = 0

const balanceAsks = () => nodesOf().nodes.reduce((sum, node) => sum + node.callCount('eth_getBalance'), 0)

/** Opens the page of a new address. */
async function openPage(host: Host, forwardedFor: string, count: number): Promise<void> {
  const address = `0x${count.toString(16).padStart(40, '0')}`
  await (await host.get(`/?address=${address}`, { 'x-forwarded-for': forwardedFor })).text()
}

/** Sends reads until one is refused; returns the number of answers and the refusal. Cached reads cost almost nothing. */
async function spend(host: Host, forwardedFor: (count: number) => string) {
  for (let good = 0; good < 50; good += 1) {
    const params = [`0x${(++reads).toString(16).padStart(40, 'ab')}`, 'latest']
    const response = await host.call({ params }, { 'x-forwarded-for': forwardedFor(good) })
    const { error } = await response.json()
    const { status, headers } = response
    if (status !== 200) return { good, status, code: error.code, retryAfter: headers.get('retry-after') }
  }
  return { good: 50 }
}

// Who is one caller: tests/lib/limits/caller-address.test.ts; one path: tests/lib/host/node/node-server.test.ts.
describe.each(bothHosts)('%s behind one proxy', (kind) => {
  let host: Host
  beforeAll(async () => {
    host = await started(kind, 1)
  })

  test('a caller with a spent budget gets 429 and Retry-After, another caller does not', async () => {
    const first = await spend(host, () => '198.51.100.1')
    expect(first).toMatchObject({ good: 1, status: 429, code: -32005 })
    expect(Number(first.retryAfter)).toBeGreaterThan(0)
    expect(await spend(host, () => '198.51.100.2')).toMatchObject({ good: 1 })
  })

  test('forwarded-for entries from the caller are ignored', async () => {
    await spend(host, () => '198.51.100.3')
    expect(await spend(host, (count) => `203.0.113.${count}, 198.51.100.3`)).toMatchObject({
      good: 0,
      status: 429,
    })
  })

  test('a page is charged to its visitor only', async () => {
    await spend(host, () => '198.51.100.5')
    const before = balanceAsks()
    for (let count = 1; count <= 10; count += 1) await openPage(host, '203.0.113.1, 198.51.100.5', count)
    expect(balanceAsks() - before).toBe(0)
    await openPage(host, '198.51.100.6', 99)
    expect(await spend(host, () => '198.51.100.6')).toMatchObject({ good: 0 })
    expect(await spend(host, () => '198.51.100.7')).toMatchObject({ good: 1 })
  })
})

test('the Node host without a proxy uses the socket address, for pages too, and warns about the setting', async () => {
  const host = await started('node', 0)
  expect(await spend(host, (count) => `203.0.113.${count}`)).toMatchObject({ good: 1, status: 429 })
  const before = balanceAsks()
  for (let count = 1; count <= 10; count += 1) await openPage(host, `203.0.113.${count}`, count)
  expect(balanceAsks() - before).toBeLessThanOrEqual(2)
  expect(host.output()).toContain('x-forwarded-for met with trustedHops 0')
})

describe('the edge host without a proxy', () => {
  let host: Host
  beforeAll(async () => {
    host = await started('edge', 0)
  })

  test('has unknown callers and no rate per caller, and logs that', async () => {
    expect(await spend(host, () => '203.0.113.1')).toEqual({ good: 50 })
    expect(host.output()).toContain('callers cannot be told apart')
  })

  test('answers 200 calls a second of all callers together', async () => {
    const chainId = { jsonrpc: '2.0', method: 'eth_chainId', params: [] }
    const calls = Array.from({ length: 400 }, (_, id) => ({ ...chainId, id }))
    const goodOf400 = async () => {
      const response = await host.post('/api/rpc/137', calls)
      const answers = (await response.json()) as { error?: { code: number } }[]
      const codes = answers.map(({ error }) => error?.code)
      const good = codes.filter((code) => code === undefined).length
      expect(codes.filter((code) => code === -32005)).toHaveLength(400 - good)
      return good
    }
    // Both bounds of one batch: the next one finds less. Calls before it are forgotten within a second.
    await expect.poll(goodOf400, { interval: 1500 }).toSatisfy((good: number) => good >= 200 && good < 400)
  })
})
