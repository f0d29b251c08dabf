import { describe, expect, test } from 'vitest'
import { createRateLimited } from '../../../../rpc-proxy/upstreams/health.ts'

const dayMs = 86_400_000

function restAt(startMs = 1_000_000) {
  const world = { nowMs: startMs }
  return { world, startMs, rest: createRateLimited(() => world.nowMs) }
}

describe('a node that rate-limits us', () => {
  test('rests for a second by default', () => {
    const { world, startMs, rest } = restAt()
    expect(rest.untilMs()).toBeNull()
    rest.limited()
    expect(rest.untilMs()).toBe(startMs + 1000)
    world.nowMs += 1000
    expect(rest.untilMs()).toBeNull()
  })

  test('rests as long as it asks for, up to a day', () => {
    const { world, startMs, rest } = restAt()
    rest.limited(dayMs + 1)
    world.nowMs += dayMs - 1
    expect(rest.untilMs()).toBe(startMs + dayMs)
    world.nowMs++
    expect(rest.untilMs()).toBeNull()
  })

  test('rests until the latest time that it has named', () => {
    const { startMs, rest } = restAt()
    rest.limited(30_000)
    rest.limited(10_000)
    expect(rest.untilMs()).toBe(startMs + 30_000)
  })

  test.each([
    ['a minute: a rate limit, during which a head poll may still be answered', 60_000, false],
    ['more: a quota, which ends when a head poll is answered', 60_001, true],
  ])('for %s', (_, backoffMs, isEnded) => {
    const { startMs, rest } = restAt()
    rest.limited(backoffMs)
    expect(rest.seen()).toBe(isEnded)
    expect(rest.untilMs()).toBe(isEnded ? null : startMs + backoffMs)
    expect(rest.seen()).toBe(false)
  })

  test('for a rate limit does not include an ended quota', () => {
    const { world, startMs, rest } = restAt()
    rest.limited(61_000)
    world.nowMs += 61_000
    rest.limited(5000)
    expect(rest.seen()).toBe(false)
    expect(rest.untilMs()).toBe(startMs + 66_000)
  })
})
