import { describe, expect, test } from 'vitest'
import type { EngineEvent } from '../../../../rpc-proxy/events/events.ts'
import { Ledger } from '../../../../rpc-proxy/ledger/ledger.ts'
import { NodeHours } from '../../../../rpc-proxy/ledger/node-hours.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const hourMs = 3_600_000
const start = Date.UTC(2026, 10, 27, 14, 30)

function hoursAt(ms = start) {
  const time = { ms }
  return { time, hours: new NodeHours(() => time.ms) }
}

describe('what a node did', () => {
  test('is counted by hour, and summed over those of a time range', () => {
    const { hours, time } = hoursAt()
    hours.count(1, 'a', 'replies')
    time.ms += hourMs
    hours.count(1, 'a', 'replies', 2)
    hours.countFault(1, 'a', 'timeout')
    hours.countFault(1, 'a', 'cancelled')
    const sumSince = (fromMs: number, toMs?: number) => hours.tally([[1, 'a']], fromMs, toMs).sum('replies')
    expect([sumSince(start), sumSince(start + hourMs), sumSince(start, start)]).toEqual([3, 2, 1])
    expect(hours.tally([[1, 'a']], start).faults()).toEqual({ timeout: 1 })
    expect(hours.own('2026-11-27T15')).toEqual({ 1: { a: { replies: 2, 'fault timeout': 1 } } })
    expect(hours.ownPeriods()).toEqual(['2026-11-27T15', '2026-11-27T14'])
  })

  test('is kept for 31 days, and no longer', () => {
    const { hours, time } = hoursAt()
    for (let hour = 0; hour <= 31 * 24; hour++) {
      time.ms += hourMs
      hours.count(1, 'a', 'replies')
    }
    expect(hours.ownPeriods()).toHaveLength(31 * 24)
  })

  test('elsewhere counts once, however often it is told, and made-up names not at all', () => {
    const { hours } = hoursAt()
    hours.count(1, 'a', 'votes')
    for (let turn = 0; turn < 3; turn++)
      hours.learn('2026-11-27T14', [{ 1: { a: { votes: 2, nonsense: 1 } } }, { 1: { a: { votes: 4 } } }])
    hours.learn('not an hour', [{ 1: { a: { votes: 100 } } }])
    expect(hours.tally([[1, 'a']], start).sum('votes')).toBe(7)
    // What is stored is this process's own.
    expect(hours.own('2026-11-27T14')).toEqual({ 1: { a: { votes: 1 } } })
  })

  test('of several nodes is added up', () => {
    const { hours } = hoursAt()
    for (const [chain, ms] of [
      [1, 30],
      [137, 900],
      [137, 9000],
    ] as const)
      hours.observe(chain, 'a', 'read', ms)
    const { bounds, counts, count } = hours
      .tally(
        [
          [1, 'a'],
          [137, 'a'],
        ],
        start,
      )
      .histogram('read')
    expect(counts[bounds.indexOf(50)]).toBe(1)
    expect(counts[bounds.indexOf(1600)]).toBe(2)
    expect(count).toBe(3)
  })
})

test('a node is behind by the agreed blocks that it lacks, since they were first shown, whatever one node makes up', async () => {
  const clock = virtualClock()
  const ledger = new Ledger(clock)
  const shows = (node: string, number: number): EngineEvent => ({
    type: 'node-head',
    chainId: 1,
    node,
    number,
  })
  const agreed = (number: number): EngineEvent => ({
    type: 'head',
    chainId: 1,
    block: { number, hash: '0x' },
  })
  const note = (...events: readonly EngineEvent[]) => {
    for (const event of events) ledger.note(event)
  }
  note(shows('a', 100), shows('liar', 999), agreed(100), shows('late', 100))
  await clock.advance(1000)
  note(shows('a', 101), agreed(101))
  await clock.advance(1000)
  note(shows('a', 102), agreed(102))
  await clock.advance(500)
  note(shows('late', 100), shows('a', 102))
  const of = (node: string, name: 'behind' | 'delay') =>
    ledger.hours.tally([[1, node]], clock.now()).histogram(name).sum
  expect([of('late', 'behind'), of('late', 'delay')]).toEqual([2, 1500])
  expect([of('a', 'behind'), of('a', 'delay')]).toEqual([0, 0])
})
