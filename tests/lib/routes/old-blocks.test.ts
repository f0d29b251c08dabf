import { expect, test } from 'vitest'
import { createHealth } from '#lib/engine/health-report.ts'
import { lineOf } from '#lib/observe/lines.ts'
import { metricsText } from '#lib/observe/metrics.ts'
import { worldOf } from '../../support/world.ts'

const day = 86_400_000

/** Nodes that agree on block 1000, two days after its time, as health checks find them. */
async function standing(headLagMaxMs?: null) {
  const world = worldOf([{}, {}, {}], { quorum: 2, ...(headLagMaxMs === null && { headLagMaxMs }) })
  await world.clock.advance(2_000_000 + 2 * day)
  const { body } = await createHealth(world.gateway, () => world.clock.now())()
  return {
    health: JSON.parse(String(body)) as unknown,
    lines: world.events.filter(({ type }) => type === 'head-lag').map(lineOf),
    metrics: metricsText(world.gateway.snapshot()),
  }
}

test('nodes that stand at a block two days old are told of in the health, the log and the metrics', async () => {
  const { health, lines, metrics } = await standing()
  expect(health).toEqual({
    status: 'degraded',
    chains: [
      {
        chainId: 1,
        status: 'degraded',
        head: 1000,
        ageMs: 0,
        blockAgeMs: 2 * day,
        clockBehindMs: 0,
        operatorsToLie: { everyday: 2, protected: 2 },
      },
    ],
  })
  expect(lines).toMatchObject([
    { level: 'error', event: 'head-lag', fields: { chain: 1, block: 1000, block_age_s: 172_800 } },
  ])
  expect(metrics).toContain('quorate_head_age_seconds{chain="1"} 0\n')
  expect(metrics).toContain('quorate_head_block_age_seconds{chain="1"} 172800\n')
  expect(metrics).toContain('quorate_head_lag_max_seconds{chain="1"} 600\n')
})

test('where blocks come at any time the age is shown, and nothing alerts', async () => {
  const { health, lines, metrics } = await standing(null)
  expect(health).toMatchObject({ status: 'ok', chains: [{ ageMs: 0, blockAgeMs: 2 * day }] })
  expect(lines).toEqual([])
  expect(metrics).toContain('quorate_head_block_age_seconds{chain="1"} 172800\n')
  expect(metrics).not.toContain('quorate_head_lag_max_seconds{')
})
