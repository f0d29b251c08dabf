import { describe, expect, test } from 'vitest'
import {
  at,
  type Breaker,
  closed,
  createEjection,
  createRateLimited,
  failed,
  headSeen,
  meanAfter,
  succeeded,
} from '../../../../rpc-proxy/upstreams/health.ts'

const fail = (breaker: Breaker, nowMs = 0) => failed(at(breaker, nowMs), nowMs)
const times = (count: number, breaker: Breaker = closed) =>
  Array.from({ length: count }).reduce<Breaker>((each) => fail(each), breaker)

describe('a breaker', () => {
  test('is half-open when its rest is over, and not earlier', () => {
    expect(at(times(3), 999)).toMatchObject({ state: 'open' })
    expect(at(times(3), 1000)).toEqual({ state: 'half-open', attempt: 1 })
  })

  test('doubles its rest after each failed probe, up to a minute', () => {
    let breaker = times(3)
    const rests: number[] = []
    let nowMs = 0
    for (let turn = 0; turn < 9; turn++) {
      if (breaker.state !== 'open') throw new Error(breaker.state)
      rests.push(breaker.untilMs - nowMs)
      nowMs = breaker.untilMs
      breaker = fail(breaker, nowMs)
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000))
  })

  test('ignores a late fault of a request from before its rest', () => {
    expect(fail(times(3), 500)).toEqual(times(3))
  })

  test('after closing, opens again at the next fault, for twice as long', () => {
    const back = headSeen(at(times(3), 1000), 1000, 'call')
    expect(back).toMatchObject({ state: 'closed' })
    expect(fail(back, 2000)).toEqual({ state: 'open', untilMs: 4000, attempt: 2 })
    expect(succeeded(succeeded(back, 2000), 2000)).toEqual(closed)
    expect(times(2, succeeded(back, 2000))).toMatchObject({ state: 'closed' })
  })

  test('an answered head poll neither resets the faults of calls nor shortens a rest', () => {
    expect(headSeen(times(3), 0, 'call')).toEqual(times(3))
    expect(fail(headSeen(times(2), 0, 'call'))).toMatchObject({ state: 'open' })
  })

  test('an answered head poll resets the faults of head polls', () => {
    const back = headSeen(at(times(3), 1000), 1000, 'head-poll')
    const again = headSeen(back, 1000, 'head-poll')
    expect(times(2, again)).toMatchObject({ state: 'closed', faults: 2 })
    expect(headSeen(again, 1000, 'head-poll')).toEqual(closed)
    expect(headSeen(times(3), 0, 'head-poll')).toEqual(times(3))
  })

  test('resets the fault count and the backoff after ten minutes without a fault', () => {
    expect(fail(times(2), 599_999)).toMatchObject({ state: 'open' })
    expect(fail(times(2), 600_000)).toMatchObject({ state: 'closed', faults: 1 })
    const back = headSeen(at(times(3), 1000), 1000, 'call')
    expect(fail(back, 600_999)).toMatchObject({ state: 'open', attempt: 2 })
    expect(fail(back, 601_000)).toMatchObject({ state: 'closed', faults: 1, attempt: 0 })
  })
})

const dayMs = 86_400_000

function restAt() {
  let nowMs = 1_000_000
  const rest = createRateLimited(() => nowMs)
  const pass = (ms: number) => {
    nowMs += ms
  }
  /** How long it is still left alone. */
  const leftMs = () => {
    const untilMs = rest.untilMs()
    return untilMs === null ? null : untilMs - nowMs
  }
  return { ...rest, pass, leftMs }
}

describe('a node that rate-limits us', () => {
  test('rests for a second by default', () => {
    const { limited, pass, leftMs } = restAt()
    expect(leftMs()).toBeNull()
    limited()
    expect(leftMs()).toBe(1000)
    pass(1000)
    expect(leftMs()).toBeNull()
  })

  test('rests as long as it asks for, up to a day', () => {
    const { limited, pass, leftMs } = restAt()
    limited(dayMs + 1)
    pass(dayMs - 1)
    expect(leftMs()).toBe(1)
    pass(1)
    expect(leftMs()).toBeNull()
  })

  test('rests until the latest time that it has named', () => {
    const { limited, leftMs } = restAt()
    limited(30_000)
    limited(10_000)
    expect(leftMs()).toBe(30_000)
  })

  test.each([
    ['a minute: a rate limit, during which a head poll may still be answered', 60_000, false],
    ['more: a quota, which ends when a head poll is answered', 60_001, true],
  ])('for %s', (_, backoffMs, isEnded) => {
    const { limited, seen, leftMs } = restAt()
    limited(backoffMs)
    expect(seen()).toBe(isEnded)
    expect(leftMs()).toBe(isEnded ? null : backoffMs)
    expect(seen()).toBe(false)
  })

  test('for a rate limit does not include an ended quota', () => {
    const { limited, seen, pass, leftMs } = restAt()
    limited(61_000)
    pass(61_000)
    limited(5000)
    expect(seen()).toBe(false)
    expect(leftMs()).toBe(5000)
  })
})

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
      for (let count = 0; count < 3; count++) ejection.recordDissent(three, null)
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

test('a node that was asked before the machine slept is not measured by the sleep', () => {
  expect(meanAfter(null, 10_000)).toBe(10_000)
  expect(meanAfter(10_000, 3_600_000)).toBe(10_000)
  expect(meanAfter(10_000, 0)).toBe(9000)
})
