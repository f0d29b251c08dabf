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

describe('a time range', () => {
  test.each([
    [{}, { last: '15m' }],
    [{ last: '6h' }, { last: '6h' }],
    [{ last: 'toString' }, { last: '15m' }],
    [
      { from: '1000', to: '61000' },
      { fromMs: 1000, toMs: 61_000 },
    ],
    [{ from: '1000', to: '60999' }, { last: '15m' }],
    [
      { from: '0', to: '86400000' },
      { fromMs: 0, toMs: 86_400_000 },
    ],
    [{ from: '0', to: '86400001' }, { last: '15m' }],
    [{ from: '-5', to: '99999' }, { last: '15m' }],
    [{ from: ['0', '1'], to: '99999' }, { last: '15m' }],
  ])('%j is %j', (asked, timeRange) => {
    expect(timeRangeFrom(asked)).toEqual(timeRange)
  })

  test('a range in a url is read back unchanged', () => {
    for (const timeRange of [{ last: '24h' }, { fromMs: 5, toMs: 999_999 }] as const)
      expect(timeRangeFrom(Object.fromEntries(new URLSearchParams(timeRangeQuery(timeRange))))).toEqual(
        timeRange,
      )
  })

  test('earlier is the same length before it, fixed; later ends now', () => {
    const earlier = shift({ last: '15m' }, -1, now)
    expect(earlier).toEqual({ fromMs: now - 1_800_000, toMs: now - 900_000 })
    expect(earlier && shift(earlier, 1, now)).toEqual({ fromMs: now - 900_000, toMs: now })
    expect(shift({ last: '1h' }, 1, now)).toBeNull()
    expect(boundsOf({ last: '1h' }, now)).toEqual({ fromMs: now - 3_600_000, toMs: now })
  })

  test('a day begins with the figures restored from Redis, and at least three minutes ago', () => {
    expect(boundsOf({ last: '24h' }, now, now - 80_000_000.5).fromMs).toBe(now - 80_000_001)
    expect(boundsOf({ last: '15m' }, now, now - 80_000_000).fromMs).toBe(now - 900_000)
    expect(boundsOf({ last: '15m' }, now, now - 1000).fromMs).toBe(now - 180_000)
    expect(boundsOf({ fromMs: 5, toMs: 70_000 }, now, now)).toEqual({ fromMs: 5, toMs: 70_000 })
  })

  test('its ends are whole milliseconds at any clock', () => {
    expect(boundsOf({ last: '1h' }, now + 0.7)).toEqual({ fromMs: now - 3_600_000, toMs: now })
    expect(shift({ last: '1h' }, 1, now + 0.7)).toBeNull()
    expect(shift({ fromMs: now - 90_000, toMs: now - 30_000 }, 1, now + 0.7)).toEqual({
      fromMs: now - 60_000,
      toMs: now,
    })
  })

  test('a drag in either direction selects the part between its ends, at least a minute', () => {
    const whole = { fromMs: 0, toMs: 1_000_000 }
    expect(zoom(whole, 0.25, 0.75)).toEqual({ fromMs: 250_000, toMs: 750_000 })
    expect(zoom(whole, 0.75, 0.25)).toEqual({ fromMs: 250_000, toMs: 750_000 })
    expect(zoom(whole, -1, 2)).toEqual(whole)
    expect(zoom(whole, 0.5, 0.501)).toEqual({ fromMs: 470_500, toMs: 530_500 })
  })
})

describe('figures of the board', () => {
  test('an error budget is a thousandth of the calls, with at least a hundred calls', () => {
    expect(budgetOf({ calls: [9000, 1000], failures: [0, 5] })).toEqual({
      answered: 0.9995,
      spent: expect.closeTo(0.5),
      burn: expect.closeTo(0.5),
    })
    expect(budgetOf({ calls: [0, 900, 100], failures: [0, 0, 2] }).burn).toBeCloseTo(2)
    expect(budgetOf({ calls: [99], failures: [99] })).toEqual({ answered: null, spent: null, burn: null })
    expect(budgetOf({ calls: [100], failures: [100] }).answered).toBe(0)
  })

  test('latency is put into steps on both sides of each bound', () => {
    expect(latencyStep(0, 0)).toBe(0)
    expect([24.9, 25, 49.9, 50, 249, 250, 749.9, 750].map((ms) => latencyStep(2, 2 * ms))).toEqual([
      1, 2, 2, 3, 4, 5, 5, 6,
    ])
  })

  test('marks are the steps with a failure', () => {
    const node = { node: 'a', replies: [1, 1, 1], replyMs: [1, 1, 1] }
    expect(marksOf({ ...node, dissents: [0, 2, 0], faults: [1, 0, 0], limited: [0, 0, 3] })).toEqual({
      dissents: [1],
      faults: [0, 2],
    })
  })

  test('neighbouring steps are summed until few enough are left', () => {
    expect(grouped([1, 2, 3, 4, 5], 2)).toEqual([6, 9])
    expect(grouped([1, 2, 3], 12)).toEqual([1, 2, 3])
    expect(grouped([], 12)).toEqual([])
  })

  test('shares, also of zero', () => {
    expect(shareOf(1, 4)).toBe(0.25)
    expect(shareOf(0, 0)).toBeNull()
  })

  const group = (nodes: string, sha256: string) => ({
    ...{ weight: nodes.length, operators: [...nodes], nodes: [...nodes], text: '', sha256 },
  })
  const electorateOf = (supporters: string) =>
    [...'abc'].map((name) => ({ name, weight: 1, required: false, supports: supporters.includes(name) }))

  test('a broadcast has the result of the accepting node, and the other nodes disagree', () => {
    const groups = [group('a', 'taken'), group('bc', 'rejected')]
    const certificate = { groups, electorate: electorateOf('a') }
    expect(winnerOf({ ...certificate, resultSha256: 'taken' })).toBe(0)
    expect(outvoted({ ...certificate, outcome: 'agreed', ruleId: 'acceptance-disputed' })).toEqual(['b', 'c'])
  })

  test('an estimate between the reported values is the result of no node, and no node disagrees', () => {
    const groups = [group('a', '1'), group('b', '2'), group('c', '3')]
    const certificate = { groups, electorate: electorateOf('ab') }
    expect(winnerOf({ ...certificate, resultSha256: '1.5' })).toBeNull()
    expect(outvoted({ ...certificate, outcome: 'agreed', ruleId: 'between-quorums' })).toEqual([])
  })

  test('a failure has no result, and all nodes disagree', () => {
    const groups = [group('a', '1'), group('b', '2')]
    expect(winnerOf({ groups, resultSha256: null })).toBeNull()
    const certificate = { groups, electorate: electorateOf('a') }
    expect(outvoted({ ...certificate, outcome: 'failed', ruleId: 'no-group-can-win' })).toEqual(['a', 'b'])
  })

  test('blocks: how many nodes have one, and which was first', () => {
    const block = (seen: Record<string, number>) => ({ number: 1, agreedMs: null, hash: null, seen })
    expect(reachOf(block({ a: 0, b: 5 }), ['a', 'b', 'c', 'd'])).toBe(0.5)
    expect(reachOf(block({}), [])).toBe(0)
    expect(reachOf(block({}), ['toString', 'constructor'])).toBe(0)
    expect(
      firstsOf([block({ a: 3, b: 0 }), block({ b: 0, a: 1 }), block({ a: 0, b: 9 }), block({ a: 0 })]),
    ).toEqual([
      ['b', 2],
      ['a', 1],
    ])
  })

  test('times are in UTC, and durations in their largest unit', () => {
    expect([clockTime(0), clockTime(86_399_000), dayTime(0)]).toEqual([
      '00:00:00',
      '23:59:59',
      '1970-01-01 00:00',
    ])
    expect([0, 59_000, 60_000, 3_599_000, 3_600_000, 172_799_000, 172_800_000].map(ago)).toEqual([
      '0 s',
      '59 s',
      '1 min',
      '59 min',
      '1 h',
      '47 h',
      '2 d',
    ])
  })
})
