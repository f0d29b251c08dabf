import { describe, expect, test } from 'vitest'
import { createEjection } from '../../../../rpc-proxy/upstreams/health.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const three = ['x', 'y', 'z']

/** Minutes for which three simultaneous dissents eject the node. */
function fresh() {
  let nowMs = hourMs
  const ejection = createEjection(() => nowMs)
  return {
    ejection,
    dissentsAt(atMs: number) {
      nowMs = atMs
      for (let count = 0; count < 3; count++) ejection.recordDissent(three)
      return ((ejection.untilMs() ?? nowMs) - nowMs) / minuteMs
    },
    untilMs: () => ejection.untilMs() ?? nowMs,
  }
}

describe('ejection', () => {
  test('doubles each time, up to an hour', () => {
    const { dissentsAt, untilMs } = fresh()
    expect(Array.from({ length: 8 }, () => dissentsAt(untilMs()))).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('is halved for each full hour since the last one ended', () => {
    for (const [quietMs, minutes] of [
      [hourMs - 1, 8],
      [hourMs, 4],
      [2 * hourMs, 2],
      [30 * hourMs, 1],
    ] as const) {
      const { dissentsAt, untilMs } = fresh()
      for (let count = 0; count < 3; count++) dissentsAt(untilMs())
      expect(dissentsAt(untilMs() + quietMs)).toBe(minutes)
    }
  })

  test('of an hour is back to a minute after six quiet hours', () => {
    const { dissentsAt, untilMs } = fresh()
    for (let count = 0; count < 50; count++) dissentsAt(untilMs())
    expect(dissentsAt(untilMs() + 6 * hourMs)).toBe(1)
  })
})
