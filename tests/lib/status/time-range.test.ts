import { describe, expect, test } from 'vitest'
import { ago, clockTime, dayTime } from '#lib/page/format.ts'
import {
  budgetOf,
  firstsOf,
  grouped,
  latencyStep,
  marksOf,
  outvoted,
  reachOf,
  shareOf,
  winnerOf,
} from '#lib/status/history-figures.ts'
import { boundsOf, shift, timeRangeFrom, timeRangeQuery, zoom } from '#lib/status/time-range.ts'

const now = 1_000_000_000
const range = (fromMs: number, toMs: number) => ({ fromMs, toMs })

describe('a time range', () => {
  test.each([
    [{}, { last: '15m' }],
    [{ last: '6h' }, { last: '6h' }],
    [{ last: 'toString' }, { last: '15m' }],
    [{ from: '1000', to: '61000' }, range(1000, 61_000)],
    [{ from: '1000', to: '60999' }, { last: '15m' }],
    [{ from: '0', to: '86400000' }, range(0, 86_400_000)],
    [{ from: '0', to: '86400001' }, { last: '15m' }],
    [{ from: '-5', to: '99999' }, { last: '15m' }],
    [{ from: ['0', '1'], to: '99999' }, { last: '15m' }],
  ])('%j is %j', (asked, timeRange) => {
    expect(timeRangeFrom(asked)).toEqual(timeRange)
  })

  test.each([{ last: '24h' }, range(5, 999_999)] as const)('%j in a url is read back unchanged', (given) => {
    const query = new URLSearchParams(timeRangeQuery(given))
    expect(timeRangeFrom(Object.fromEntries(query))).toEqual(given)
  })

  test('earlier is the same length before it, fixed; later ends now', () => {
    const earlier = range(now - 1_800_000, now - 900_000)
    expect(shift({ last: '15m' }, -1, now)).toEqual(earlier)
    expect(shift(earlier, 1, now)).toEqual(range(now - 900_000, now))
    expect(shift({ last: '1h' }, 1, now)).toBeNull()
    expect(boundsOf({ last: '1h' }, now)).toEqual(range(now - 3_600_000, now))
  })

  test('a day begins with the figures restored from Redis, and at least three minutes ago', () => {
    expect(boundsOf({ last: '24h' }, now, now - 80_000_000.5).fromMs).toBe(now - 80_000_001)
    expect(boundsOf({ last: '15m' }, now, now - 80_000_000).fromMs).toBe(now - 900_000)
    expect(boundsOf({ last: '15m' }, now, now - 1000).fromMs).toBe(now - 180_000)
    expect(boundsOf(range(5, 70_000), now, now)).toEqual(range(5, 70_000))
  })

  test('its ends are whole milliseconds at any clock', () => {
    expect(boundsOf({ last: '1h' }, now + 0.7)).toEqual(range(now - 3_600_000, now))
    expect(shift({ last: '1h' }, 1, now + 0.7)).toBeNull()
    expect(shift(range(now - 90_000, now - 30_000), 1, now + 0.7)).toEqual(range(now - 60_000, now))
  })

  test.each([
    ['to the right', 0.25, 0.75, range(250_000, 750_000)],
    ['to the left', 0.75, 0.25, range(250_000, 750_000)],
    ['beyond its ends', -1, 2, range(0, 1_000_000)],
    ['of less than a minute', 0.5, 0.501, range(470_500, 530_500)],
  ])('a drag %s selects the part between its ends, at least a minute', (_, from, to, part) => {
    expect(zoom(range(0, 1_000_000), from, to)).toEqual(part)
  })
})

describe('figures of the board', () => {
  test('an error budget is a thousandth of the calls, with at least a hundred calls', () => {
    const half = expect.closeTo(0.5)
    const budget = { answered: 0.9995, spent: half, burn: half }
    expect(budgetOf({ calls: [9000, 1000], failures: [0, 5] })).toEqual(budget)
    expect(budgetOf({ calls: [0, 900, 100], failures: [0, 0, 2] }).burn).toBeCloseTo(2)
    expect(budgetOf({ calls: [99], failures: [99] })).toEqual({ answered: null, spent: null, burn: null })
    expect(budgetOf({ calls: [100], failures: [100] }).answered).toBe(0)
  })

  test('latency is put into steps on both sides of each bound', () => {
    expect(latencyStep(0, 0)).toBe(0)
    const steps = [24.9, 25, 49.9, 50, 249, 250, 749.9, 750].map((ms) => latencyStep(2, 2 * ms))
    expect(steps).toEqual([1, 2, 2, 3, 4, 5, 5, 6])
  })

  test('marks are the steps with a failure', () => {
    const failures = { dissents: [0, 2, 0], faults: [1, 0, 0], limited: [0, 0, 3] }
    const marks = marksOf({ node: 'a', replies: [1, 1, 1], replyMs: [1, 1, 1], ...failures })
    expect(marks).toEqual({ dissents: [1], faults: [0, 2] })
  })

  test('neighbouring steps are summed until few enough are left', () => {
    expect(grouped([1, 2, 3, 4, 5], 2)).toEqual([6, 9])
    expect(grouped([1, 2, 3], 12)).toEqual([1, 2, 3])
    expect(grouped([], 12)).toEqual([])
  })

  test('shares, also of zero', () => {
    expect([shareOf(1, 4), shareOf(0, 0)]).toEqual([0.25, null])
  })

  const agreed = { outcome: 'agreed', supporters: 'a' } as const
  const accepted = { ...agreed, ruleId: 'acceptance-disputed', resultSha256: 'taken' } as const
  const between = { ...agreed, supporters: 'ab', ruleId: 'between-quorums', resultSha256: '1.5' } as const
  const failed = { ...agreed, outcome: 'failed', ruleId: 'no-group-can-win', resultSha256: null } as const

  test.each([
    ['a broadcast is that of the accepting node', accepted, { a: 'taken', bc: 'rejected' }, 0, ['b', 'c']],
    ['an estimate between the reported ones is of no node', between, { a: '1', b: '2', c: '3' }, null, []],
    ['a failure is none, and all nodes disagree', failed, { a: '1', b: '2' }, null, ['a', 'b']],
  ])('the result of %s', (_, { supporters, ...certificate }, votes, winner, disagreeing) => {
    const groups = Object.entries(votes).map(([nodes, sha256]) => ({
      ...{ weight: nodes.length, operators: [...nodes], nodes: [...nodes], text: '', sha256 },
    }))
    const electorate = [...'abc'].map((name) => ({
      ...{ name, weight: 1, required: false, supports: supporters.includes(name) },
    }))
    expect(winnerOf({ groups, ...certificate })).toBe(winner)
    expect(outvoted({ groups, electorate, ...certificate })).toEqual(disagreeing)
  })

  test('blocks: how many nodes have one, and which was first', () => {
    const block = (seen: Record<string, number>) => ({ number: 1, agreedMs: null, hash: null, seen })
    expect(reachOf(block({ a: 0, b: 5 }), ['a', 'b', 'c', 'd'])).toBe(0.5)
    expect(reachOf(block({}), [])).toBe(0)
    expect(reachOf(block({}), ['toString', 'constructor'])).toBe(0)
    const blocks = [{ a: 3, b: 0 }, { b: 0, a: 1 }, { a: 0, b: 9 }, { a: 0 }].map(block)
    expect(Object.fromEntries(firstsOf(blocks))).toEqual({ b: 2, a: 1 })
    expect(firstsOf(blocks)[0]).toEqual(['b', 2])
  })

  test('times are in UTC, and durations in their largest unit', () => {
    const times = [clockTime(0), clockTime(86_399_000), dayTime(0)]
    expect(times).toEqual(['00:00:00', '23:59:59', '1970-01-01 00:00'])
    const durations = [0, 59_000, 60_000, 3_599_000, 3_600_000, 172_799_000, 172_800_000].map(ago)
    expect(durations.join(', ')).toBe('0 s, 59 s, 1 min, 59 min, 1 h, 47 h, 2 d')
  })
})
