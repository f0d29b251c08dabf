import { describe, expect, test } from 'vitest'
import { createWindowCount } from '#lib/limits/window-count.ts'

/** Limits as those of the look-ups of names. */
function limit() {
  const clock = { nowMs: 0 }
  const limits = { windowMs: 60_000, perCallerMax: 60, perSiteMax: 600 }
  const { count } = createWindowCount(limits, () => clock.nowMs)
  return {
    clock,
    isOver: (caller: string | null) => count(caller).isOver,
    /** How many of these are within the limits. */
    passed: (times: number, callerOf: (turn: number) => string | null) =>
      Array.from({ length: times }, (_, turn) => count(callerOf(turn)).isOver).filter((over) => !over).length,
  }
}

/** A caller in a /48, which has 65,536 of them. */
const inNetwork = (turn: number) => `2001:db8:1:${turn.toString(16)}::1`

describe('in one window', () => {
  test('a caller may do as much as its limit, however many others there are, and again in the next', () => {
    const { passed, clock } = limit()
    expect(passed(5000, (turn) => `10.0.${turn >> 8}.${turn & 255}`)).toBe(5000)
    expect(passed(100, () => '203.0.113.1')).toBe(60)
    clock.nowMs = 60_000
    expect(passed(100, () => '203.0.113.1')).toBe(60)
  })

  test('those who cannot be told apart may do as much as the site’s limit', () => {
    expect(limit().passed(1000, () => null)).toBe(600)
  })

  test('an IPv6 /48 may do as much as eight callers', () => {
    expect(limit().passed(1000, inNetwork)).toBe(480)
  })

  test('all callers of an IPv6 /48 take no place from new callers of other networks', () => {
    const { passed, isOver } = limit()
    expect(passed(20_000, inNetwork)).toBe(480)
    expect(isOver('198.51.100.7')).toBe(false)
    expect(isOver('2001:db8:2::1')).toBe(false)
  })

  test('those beyond ten thousand callers share the site’s limit', () => {
    const { isOver, passed } = limit()
    expect(passed(10_000, (turn) => `10.0.${turn >> 8}.${turn & 255}`)).toBe(10_000)
    expect(isOver('198.51.100.7')).toBe(true)
    expect(isOver('10.0.0.1')).toBe(false)
  })
})
