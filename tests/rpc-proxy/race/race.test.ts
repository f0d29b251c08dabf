import { expect, test } from 'vitest'
import type { Signal } from '../../../rpc-proxy/abort.ts'
import { type AskRecord, pendingAsk } from '../../../rpc-proxy/events.ts'
import type { MemberIndex } from '../../../rpc-proxy/indexes.ts'
import { type Ask, Race } from '../../../rpc-proxy/race/race.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const stallMs = 750

/** A race whose asks are sent and answered by the test. */
function raceByHand() {
  const clock = virtualClock(0)
  const events: string[] = []
  const asks: {
    readonly signal: Signal
    readonly sent: () => void
    readonly reply: (text: string) => Promise<void>
  }[] = []
  const race = new Race<string, AskRecord>(clock, {
    send: (_, signal, sent) =>
      new Promise((resolve) => {
        const reply = (text: string) => {
          resolve(text)
          return clock.advance(0)
        }
        asks.push({ signal, sent, reply })
      }),
    onReply: ({ member }, reply) => events.push(`${member} says ${reply} at ${clock.now()}`),
    onStall: ({ member }) => events.push(`${member} stalls at ${clock.now()}`),
    onHeld: ({ member }) => events.push(`${member} waits at ${clock.now()}`),
  })
  const start = (member: number): Ask<AskRecord> =>
    race.start(
      member as MemberIndex,
      pendingAsk({ node: `n${member}`, operator: 'o', weight: 1 }, clock.now()),
      stallMs,
    )
  return { clock, events, asks, race, start }
}

test('the stall timer of an ask starts when it leaves our queue', async () => {
  const { clock, events, asks, start } = raceByHand()
  const { record } = start(0)
  await clock.advance(500)
  asks[0]?.sent()
  await clock.advance(stallMs - 1)
  expect(events).toEqual([])
  await clock.advance(1)
  expect(events).toEqual(['0 stalls at 1250'])
  expect(record).toMatchObject({ startMs: 500, stalledMs: 1250, endMs: null })
})

test('an ask that waits in our queue for a stall is reported, but is not a stall of the node', async () => {
  const { clock, events, start } = raceByHand()
  const { record } = start(0)
  await clock.advance(2 * stallMs)
  expect(events).toEqual(['0 waits at 750', '0 waits at 1500'])
  expect(record.stalledMs).toBeNull()
})

test('a reply after the stall counts once, and a reply after the ask was closed does not count', async () => {
  const { clock, events, asks, race, start } = raceByHand()
  const asked = start(0)
  asks[0]?.sent()
  await clock.advance(stallMs)
  await asks[0]?.reply('late')
  race.close(asked)
  race.send(asked)
  await asks[1]?.reply('again')
  expect(events).toEqual(['0 stalls at 750', '0 says late at 750'])
  expect(asked.record.endMs).toBe(750)
})

test('an ask that is sent again keeps the stall of its first sending', async () => {
  const { clock, events, asks, race, start } = raceByHand()
  const asked = start(0)
  asks[0]?.sent()
  await asks[0]?.reply('not yet')
  race.after(100, () => race.send(asked))
  await clock.advance(100)
  asks[1]?.sent()
  await clock.advance(stallMs)
  expect(events).toEqual(['0 says not yet at 0', '0 stalls at 750'])
  expect(asked.sends).toBe(2)
})

test('the end aborts and returns the asks in flight, and leaves no timer and no event', async () => {
  const { clock, events, asks, race, start } = raceByHand()
  const [first, second, third] = [start(0), start(1), start(2)]
  for (const { sent } of asks.slice(0, 2)) sent()
  race.after(5000, () => events.push('too late'))
  await asks[0]?.reply('yes')
  race.close(first)
  expect(race.end()).toEqual([second, third])
  expect([clock.pending(), asks[1]?.signal.aborted]).toEqual([0, true])
  await asks[1]?.reply('after the end')
  expect(events).toEqual(['0 says yes at 0'])
})

test('a race with all replies aborts nothing', async () => {
  const { asks, race, start } = raceByHand()
  race.close(start(0))
  expect([race.end(), asks[0]?.signal.aborted]).toEqual([[], false])
})

test('one timer serves all stalls and what is to run later, each at its own time', async () => {
  const { clock, events, asks, race, start } = raceByHand()
  race.after(2000, () => events.push(`the deadline at ${clock.now()}`))
  for (const member of [0, 1]) {
    start(member)
    asks[member]?.sent()
    await clock.advance(100)
  }
  expect(clock.pending()).toBe(1)
  await clock.advance(2000)
  expect(events).toEqual(['0 stalls at 750', '1 stalls at 850', 'the deadline at 2000'])
  expect(clock.pending()).toBe(0)
})
