import { describe, expect, test } from 'vitest'
import type { Peers } from '#lib/engine/peers.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createAttempts } from '#lib/operator/attempts.ts'
import { peersCircle } from '../../support/peers-circle.ts'
import { recordedLog } from '../../support/recorded-log.ts'

function attempts(peers?: Peers) {
  const { log, lines } = recordedLog()
  const clock = { nowMs: 0 }
  const options = { now: () => clock.nowMs, counts: createHostCounts(), ...(peers && { peers }) }
  const made = createAttempts(log, options)
  /** How many of these wrong tokens get 429. */
  const refused = (count: number, callerOf: (turn: number) => string | null) =>
    Array.from({ length: count }, (_, turn) => made.fail('login', callerOf(turn))).filter(Boolean).length
  return { ...made, lines, clock, refused }
}

describe('wrong tokens', () => {
  test('of all callers are refused from the fifty-first, with or without known addresses', () => {
    expect(attempts().refused(60, (turn) => `198.51.100.${turn}`)).toBe(10)
    expect(attempts().refused(60, () => null)).toBe(10)
  })

  test('leave the keys of callers alone, and are left alone by wrong ones', () => {
    const { fail, refused } = attempts()
    for (let turn = 0; turn < 60; turn += 1) fail('key', '203.0.113.1')
    expect(refused(5, () => '203.0.113.1')).toBe(0)
    expect(fail('key', '203.0.113.1')).toBe(true)
  })

  test('of a caller are sent to other replicas only until the caller is refused', () => {
    const [peers, other] = peersCircle(2)
    const told: unknown[] = []
    other?.on('wrong-token', (value) => told.push(value))
    const { refused } = attempts(peers)
    refused(100, () => '203.0.113.1')
    expect(told).toHaveLength(5)
    refused(100, (turn) => `198.51.100.${turn}`)
    expect(told).toHaveLength(5)
  })

  test('are logged once a second per kind, with a name instead of the address of the caller', () => {
    const { fail, lines, clock } = attempts()
    for (let turn = 0; turn < 100; turn += 1) fail('login', '203.0.113.1')
    fail('bearer', '203.0.113.1')
    clock.nowMs = 1000
    fail('login', '203.0.113.2')
    const [one, , other] = lines.map(({ fields }) => fields.caller)
    const line = { level: 'warn', event: 'operator-refused' }
    expect(lines).toMatchObject([
      { ...line, fields: { way: 'login', caller: expect.stringMatching(/^[0-9a-f]{12}$/) } },
      { ...line, fields: { way: 'bearer', caller: one } },
      { ...line, fields: { way: 'login', suppressed: 99 } },
    ])
    expect(lines.map(({ fields }) => fields.suppressed ?? 0)).toEqual([0, 0, 99])
    expect(other).not.toBe(one)
    expect(JSON.stringify(lines)).not.toContain('203.0.113')
  })
})
