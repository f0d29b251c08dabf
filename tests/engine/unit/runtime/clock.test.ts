import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../rpc-proxy/runtime/clock.ts'

/** The clocks of a machine, as a test sets them. */
function machine(epochMs = 1_700_000_000_000) {
  const times = { epochMs, monotonicMs: 5000 }
  const clock = systemClock({ epoch: () => times.epochMs, monotonic: () => times.monotonicMs })
  return {
    now: () => clock.now(),
    /** Both clocks go on. */
    run(ms: number) {
      times.epochMs += ms
      times.monotonicMs += ms
    },
    /** The system clock alone goes on, or is set. */
    jump(ms: number) {
      times.epochMs += ms
    },
    behindMs: () => times.epochMs - clock.now(),
  }
}

describe('the host’s clock', () => {
  test('tells epoch time, with the fractions of the monotonic clock', () => {
    const { now, run } = machine(1_700_000_000_000)
    expect(now()).toBe(1_700_000_000_000)
    run(0.25)
    expect(now()).toBe(1_700_000_000_000.25)
    run(3_600_000)
    expect(now()).toBe(1_700_003_600_000.25)
  })

  test.each([1001, 60_000, 86_400_000])(
    'after a sleep of %i ms is at the time of the system at once',
    (ms) => {
      const { now, run, jump, behindMs } = machine()
      const before = now()
      run(10)
      jump(ms)
      expect(now() - before).toBe(ms + 10)
      run(5)
      expect(behindMs()).toBe(0)
    },
  )

  test('does not follow the small corrections of a time server', () => {
    const { now, run, jump } = machine()
    const before = now()
    run(10)
    jump(1000)
    expect(now() - before).toBe(10)
  })

  test('never goes back when the system clock is set back, and is right again in ten times as long', () => {
    const { now, run, jump, behindMs } = machine()
    run(20)
    jump(-60_000)
    let last = now()
    for (let step = 0; step < 700_000; step += 7) {
      run(7)
      const next = now()
      expect(next).toBeGreaterThan(last)
      expect(next - last).toBeGreaterThan(6)
      last = next
    }
    expect(Math.abs(behindMs())).toBeLessThanOrEqual(1000)
  })
})
