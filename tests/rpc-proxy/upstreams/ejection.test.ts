import { describe, expect, test } from 'vitest'
import { createBench } from '../../../rpc-proxy/upstreams/ejection.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const three = ['x', 'y', 'z']

/** Minutes for which three simultaneous dissents bench the node. */
function fresh() {
  let nowMs = hourMs
  const bench = createBench(() => nowMs)
  return {
    bench,
    dissentsAt(atMs: number) {
      nowMs = atMs
      for (let count = 0; count < 3; count++) bench.dissented(three)
      return ((bench.untilMs() ?? nowMs) - nowMs) / minuteMs
    },
    untilMs: () => bench.untilMs() ?? nowMs,
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

  test('needs three dissents within a minute', () => {
    let nowMs = hourMs
    const bench = createBench(() => nowMs)
    const turns = [0, 30_000, 60_000, 60_001].map((ms) => {
      nowMs = hourMs + ms
      return bench.dissented(three)
    })
    expect(turns).toEqual([false, false, false, true])
  })

  test('needs three operators, at once or one after another', () => {
    const turns = (...dissents: readonly (readonly string[])[]) => {
      const bench = createBench(() => hourMs)
      return dissents.map((by) => bench.dissented(by))
    }
    expect(turns(...Array.from({ length: 20 }, () => ['x', 'y']))).not.toContain(true)
    expect(turns(['x', 'y'], ['x', 'y'], ['x', 'z'])).toEqual([false, false, true])
  })

  test('ends when what one of them said is withdrawn, unless enough others said so', () => {
    const bench = createBench(() => hourMs)
    for (const by of [three, ['w', 'x', 'y'], ['w', 'y', 'v']]) bench.dissented(by)
    expect([bench.withdraw('z'), bench.untilMs() === null]).toEqual([false, false])
    expect([bench.withdraw('x'), bench.untilMs() === null]).toEqual([false, false])
    expect([bench.withdraw('y'), bench.untilMs() === null]).toEqual([true, true])
  })

  test('is no contradiction any more when those who contradicted it are not believed', () => {
    const bench = createBench(() => hourMs)
    bench.dissented(three)
    expect(bench.isContradicted()).toBe(true)
    bench.withdraw('y')
    expect(bench.isContradicted()).toBe(false)
  })
})
