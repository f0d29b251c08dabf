import { expect, test, vi } from 'vitest'
import { startEngine } from '#lib/engine/engine.ts'
import { createHealth } from '#lib/engine/health-report.ts'
import { createTraced } from '#lib/observe/traced.ts'
import { processWide } from '#lib/process-wide.ts'
import { type Gateway, parseConfig } from '#rpc-proxy'

/** A gateway with one chain, just after a head look. */
function gatewayWith(chain: { status: string; headAgeMs: number | null }): Gateway {
  const snapshot = { chains: [{ chainId: 1, head: { number: 7 }, ...chain }] }
  return { refresh: async () => {}, snapshot: () => snapshot } as unknown as Gateway
}

test.each([
  ['as the gateway says while its head is at most ten seconds old', 'ok', 10_000, 'ok', 200],
  ['down once its head is older after a look', 'ok', 10_001, 'down', 503],
  ['down then too, when some of its nodes are failing', 'degraded', 60_000, 'down', 503],
  ['down while a refresh finds no head', 'unknown', null, 'down', 503],
])('a chain is %s', async (_, said, headAgeMs, status, code) => {
  const answer = await createHealth(gatewayWith({ status: said, headAgeMs }), () => 0)()
  expect(answer.status).toBe(code)
  expect(JSON.parse(String(answer.body))).toMatchObject({ status, chains: [{ chainId: 1, status }] })
})

test('a chain stays healthy while the nodes of another are waited for', async () => {
  let nowMs = 0
  /** The second one's nodes hang. */
  const agesMs = [9000, 12_000]
  const snapshot = () => ({
    chains: agesMs.map((ageMs, chainId) => ({ chainId, status: 'ok', headAgeMs: ageMs + nowMs })),
  })
  const refresh = async () => {
    nowMs += 3000
  }
  const health = createHealth({ refresh, snapshot } as unknown as Gateway, () => nowMs)
  const { chains } = JSON.parse(String((await health()).body))
  expect(chains).toMatchObject([{ status: 'ok' }, { status: 'down' }])
})

test('requests within a quarter of a second share one look', async () => {
  const gateway = gatewayWith({ status: 'ok', headAgeMs: 0 })
  const refresh = vi.spyOn(gateway, 'refresh')
  let nowMs = 0
  const health = createHealth(gateway, () => nowMs)
  await Promise.all([health(), health(), health()])
  nowMs = 249
  await health()
  expect(refresh).toHaveBeenCalledTimes(1)
  nowMs = 250
  await health()
  expect(refresh).toHaveBeenCalledTimes(2)
})

test('health is refreshed again after the system clock is set back', async () => {
  const config = parseConfig({ chains: [{ id: 1, nodes: [{ name: 'a', url: 'http://a.test/' }] }] }, {})
  const time = { ms: 1e12 }
  const clock = { now: () => time.ms, after: () => () => {} }
  const send = () => Promise.reject(new Error('no network'))
  const system = vi.spyOn(Date, 'now').mockReturnValue(time.ms)
  const ports = { clock, send, random: () => 0.5 }
  const { gateway, health } = startEngine(config, ports, { traced: createTraced() })
  const refresh = vi.spyOn(gateway, 'refresh').mockResolvedValue()
  await health()
  system.mockReturnValue(time.ms - 3_600_000)
  time.ms += 1000
  await health()
  system.mockRestore()
  processWide<unknown>('engine', null).value = null
  expect(refresh).toHaveBeenCalledTimes(2)
})
