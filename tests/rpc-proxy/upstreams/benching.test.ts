import { describe, expect, test } from 'vitest'
import { createBench } from '../../../rpc-proxy/upstreams/benching.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Minutes for which three simultaneous dissents bench the node. */
function fresh() {
  let nowMs = hourMs
  const bench = createBench(() => nowMs)
  return {
    bench,
    dissentsAt(atMs: number) {
      nowMs = atMs
      for (let count = 0; count < 3; count++) bench.dissented()
      return ((bench.untilMs() ?? nowMs) - nowMs) / minuteMs
    },
    untilMs: () => bench.untilMs() ?? nowMs,
  }
}

describe('benching', () => {
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

  test('needs three dissents within a minute', () => {
    let nowMs = hourMs
    const bench = createBench(() => nowMs)
    const turns = [0, 30_000, 60_000, 60_001].map((ms) => {
      nowMs = hourMs + ms
      return bench.dissented()
    })
    expect(turns).toEqual([false, false, false, true])
  })
})
