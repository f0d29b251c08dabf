import { describe, expect, test } from 'vitest'
import { createEjection } from '../../../../rpc-proxy/upstreams/ejection.ts'

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

  test('needs three dissents within a minute', () => {
    let nowMs = hourMs
    const ejection = createEjection(() => nowMs)
    const turns = [0, 30_000, 60_000, 60_001].map((ms) => {
      nowMs = hourMs + ms
      return ejection.recordDissent(three)
    })
    expect(turns).toEqual([false, false, false, true])
  })

  test('needs three operators, at once or one after another', () => {
    const turns = (...dissents: readonly (readonly string[])[]) => {
      const ejection = createEjection(() => hourMs)
      return dissents.map((by) => ejection.recordDissent(by))
    }
    expect(turns(...Array.from({ length: 20 }, () => ['x', 'y']))).not.toContain(true)
    expect(turns(['x', 'y'], ['x', 'y'], ['x', 'z'])).toEqual([false, false, true])
  })

  test('ends when what one of them said is withdrawn, unless enough others said so', () => {
    const ejection = createEjection(() => hourMs)
    for (const by of [three, ['w', 'x', 'y'], ['w', 'y', 'v']]) ejection.recordDissent(by)
    expect([ejection.withdraw('z'), ejection.untilMs() === null]).toEqual([false, false])
    expect([ejection.withdraw('x'), ejection.untilMs() === null]).toEqual([false, false])
    expect([ejection.withdraw('y'), ejection.untilMs() === null]).toEqual([true, true])
  })

  test('is no contradiction any more when those who contradicted it are not believed', () => {
    const ejection = createEjection(() => hourMs)
    ejection.recordDissent(three)
    expect(ejection.wasOutvoted()).toBe(true)
    ejection.withdraw('y')
    expect(ejection.wasOutvoted()).toBe(false)
  })
})
