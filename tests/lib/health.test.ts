import { expect, test, vi } from 'vitest'
import { createHealth } from '#lib/health.ts'
import type { Gateway } from '#rpc-proxy'

/** A gateway that knows one chain, whose last look at it has just ended. */
function gatewayWith(chain: { status: string; headAgeMs: number | null }): Gateway {
  const snapshot = { chains: [{ chainId: 1, head: { number: 7 }, ...chain }] }
  return { refresh: async () => {}, snapshot: () => snapshot } as unknown as Gateway
}

test.each([
  [
    'as the gateway says while its head is at most ten seconds old',
    { status: 'ok', headAgeMs: 10_000 },
    'ok',
    200,
  ],
  ['down once its head is older though it was looked at', { status: 'ok', headAgeMs: 10_001 }, 'down', 503],
  [
    'down then, too, when some of its nodes are known to fail',
    { status: 'degraded', headAgeMs: 60_000 },
    'down',
    503,
  ],
  ['unknown while it never had a head', { status: 'unknown', headAgeMs: null }, 'unknown', 200],
] as const)('a chain is %s', async (_, chain, status, code) => {
  const answer = await createHealth(gatewayWith(chain), () => 0)()
  expect(answer.status).toBe(code)
  expect(JSON.parse(String(answer.body))).toMatchObject({ status, chains: [{ chainId: 1, status }] })
})

test('all who ask within a quarter of a second are answered from one look', async () => {
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
