import { describe, expect, test, vi } from 'vitest'
import { Usage } from '../../../../rpc-proxy/admission/usage.ts'

const start = Date.UTC(2026, 10, 29, 23, 59)
const dayMs = 86_400_000

function counting() {
  const time = { ms: start }
  const usage = new Usage({ now: () => time.ms })
  const call = (caller: string, method: string, units: number, isHit = false, isError = false) => {
    usage.spend(caller, units)
    usage.count(caller, { method, units, isHit, isError })
  }
  return { time, usage, call }
}

describe('usage', () => {
  test('is summed by day, caller and method, and what no call has cost is by itself', () => {
    const { usage, call, time } = counting()
    call('web', 'eth_call', 2)
    call('web', 'eth_call', 0.1, true)
    call('app', 'eth_call', 2, false, true)
    usage.spend('web', 3)
    time.ms += dayMs
    call('web', 'eth_chainId', 0.1)
    const row = (day: string, caller: string, method: string, calls: number, units: number, rest = {}) => ({
      ...{ day: `2026-11-${day}`, caller, method, calls, units, cacheHits: 0, errors: 0 },
      ...rest,
    })
    expect(usage.rows()).toEqual([
      row('30', 'web', 'eth_chainId', 1, 0.1),
      row('29', 'web', '_OTHER', 0, 3),
      row('29', 'web', 'eth_call', 2, 2.1, { cacheHits: 1 }),
      row('29', 'app', 'eth_call', 1, 2, { errors: 1 }),
    ])
  })

  test('of a month is that of all processes, and is zero when the next one begins', () => {
    const { usage, call, time } = counting()
    const sums = { calls: 1, units: 5, cacheHits: 0, errors: 0 }
    call('web', 'eth_call', 2)
    for (const day of ['2026-11-29', '2026-11-01', '2026-10-31'])
      usage.learn(day, [{ web: { eth_call: sums } }])
    expect(usage.monthUnits('web')).toBe(12)
    // What is learnt later is in place of what was.
    usage.learn('2026-11-29', [{ web: { eth_call: { ...sums, units: 6 } } }])
    call('web', 'eth_call', 1)
    expect(usage.monthUnits('web')).toBe(14)
    time.ms = Date.UTC(2026, 11, 1)
    expect(usage.monthUnits('web')).toBe(0)
    call('web', 'eth_call', 1)
    expect(usage.monthUnits('web')).toBe(1)
  })

  test('of other processes is added up once, however often a month is read', () => {
    const { usage } = counting()
    const units = vi.fn(() => 5)
    const sums = Object.defineProperty({ calls: 1, cacheHits: 0, errors: 0, units: 0 }, 'units', {
      get: units,
    })
    usage.learn('2026-11-28', [{ web: { eth_call: sums } }, { web: { eth_call: sums } }])
    for (let turn = 0; turn < 3; turn += 1) {
      usage.learn('2026-11-29', [])
      expect(usage.monthUnits('web')).toBe(10)
    }
    expect(units).toHaveBeenCalledTimes(2)
  })

  test('is not added up again while the counts of other processes stay the same', () => {
    const { usage } = counting()
    const sums = { calls: 1, units: 5, cacheHits: 0, errors: 0 }
    usage.learn('2026-11-29', [{ web: { eth_call: sums } }])
    const version = usage.version()
    usage.learn('2026-11-29', [{ web: { eth_call: sums } }])
    usage.learn('2026-11-28', [])
    expect(usage.version()).toBe(version)
    usage.learn('2026-11-29', [{ web: { eth_call: { ...sums, units: 6 } } }])
    expect(usage.version()).not.toBe(version)
  })

  test('in total never decreases, even if units are refunded between two scrapes', () => {
    const { usage } = counting()
    const units = () => usage.totals().get('web')?.units
    usage.spend('web', 20)
    expect(units()).toBe(20)
    usage.spend('web', -19.9)
    expect(units()).toBe(20)
    usage.spend('web', 30)
    expect(units()).toBe(30.1)
  })

  test('of 62 days is kept, and no more', () => {
    const { usage, call, time } = counting()
    for (let day = 0; day < 63; day += 1) {
      time.ms += dayMs
      call('web', 'eth_call', 1)
    }
    expect([usage.rows().length, usage.rows().at(-1)?.day]).toEqual([62, '2026-12-01'])
  })
})
