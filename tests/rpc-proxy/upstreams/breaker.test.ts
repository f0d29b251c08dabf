import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, type Breaker, closed, failed, shown, succeeded } from '../../../rpc-proxy/upstreams/breaker.ts'

const options = { faultsMax: 3, restMs: 1000, restMsMax: 60_000 }
const fail = (breaker: Breaker, nowMs = 0) => failed(at(breaker, nowMs), nowMs, options)
const times = (count: number, breaker: Breaker = closed) =>
  Array.from({ length: count }).reduce<Breaker>((each) => fail(each), breaker)

describe('a breaker', () => {
  test('opens at the third fault in a row, on both sides of the line', () => {
    expect(times(2)).toMatchObject({ state: 'closed' })
    expect(times(3)).toEqual({ state: 'open', untilMs: 1000, attempt: 1 })
  })

  test('forgets faults when an answer comes', () => {
    expect(succeeded(times(2), 0)).toEqual(closed)
    expect(times(2, succeeded(times(2), 0))).toMatchObject({ state: 'closed' })
  })

  test('tries when its rest is over, and not before', () => {
    expect(at(times(3), 999)).toMatchObject({ state: 'open' })
    expect(at(times(3), 1000)).toEqual({ state: 'half-open', attempt: 1 })
  })

  test('rests twice as long each time that a try fails, a minute at most', () => {
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

  test('learns nothing from a fault that comes late, from an ask before its rest', () => {
    expect(fail(times(3), 500)).toEqual(times(3))
  })

  test('lets a node back on probation: the next fault opens it again, for twice as long', () => {
    const back = shown(at(times(3), 1000), 1000)
    expect(back).toMatchObject({ state: 'closed' })
    expect(fail(back, 2000)).toEqual({ state: 'open', untilMs: 4000, attempt: 2 })
    expect(succeeded(succeeded(back, 2000), 2000)).toEqual(closed)
    expect(times(2, succeeded(back, 2000))).toMatchObject({ state: 'closed' })
  })

  test('forgets no fault of a call over a good look at the head, and cuts no rest short', () => {
    expect(shown(times(3), 0)).toEqual(times(3))
    expect(fail(shown(times(2), 0))).toMatchObject({ state: 'open' })
  })

  test('forgets faults, and how often it has been open, after ten minutes without a fault', () => {
    expect(fail(times(2), 599_999)).toMatchObject({ state: 'open' })
    expect(fail(times(2), 600_000)).toMatchObject({ state: 'closed', faults: 1 })
    const back = shown(at(times(3), 1000), 1000)
    expect(fail(back, 600_999)).toMatchObject({ state: 'open', attempt: 2 })
    expect(fail(back, 601_000)).toMatchObject({ state: 'closed', faults: 1, attempt: 0 })
  })

  test('in any weather rests a minute at most, and is never open with fewer faults than it takes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(5000))), (events) => {
        let breaker = closed
        let nowMs = 0
        let inARow = 0
        for (const [isFault, ms] of events) {
          nowMs += ms
          breaker = isFault ? fail(breaker, nowMs) : succeeded(at(breaker, nowMs), nowMs)
          inARow = isFault ? inARow + 1 : 0
          if (breaker.state === 'open' && (breaker.untilMs > nowMs + 60_000 || inARow < 1)) return false
          if (breaker.state === 'closed' && inARow >= 3) return false
        }
        return true
      }),
    )
  })
})
