import { expect, test } from 'vitest'
import {
  type AcceptResult,
  type Decision,
  type GivenUp,
  Round,
  RoundRequest,
} from '../../../../rpc-proxy/round/round.ts'
import { Abort } from '../../../../rpc-proxy/runtime/abort.ts'
import type { MemberIndex } from '../../../../rpc-proxy/runtime/indexes.ts'
import type { Reply } from '../../../../rpc-proxy/wire/types.ts'
import { requestBy } from '../../../support/evidence.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const deadlineMs = 5000
const members = [0, 1] as readonly number[] as readonly MemberIndex[]

/** A request that is answered by the test. */
class RequestByHand extends RoundRequest {
  readonly send: () => void
  readonly stall = () => {}
  readonly end = () => {}
  /** What it was told when it was given up, each time. */
  readonly givenUp: GivenUp[] = []

  constructor(member: MemberIndex, send: () => void) {
    super(member, 750, { ...requestBy('a'), startMs: 0, endMs: null })
    this.send = send
  }

  giveUp(how: GivenUp): void {
    this.givenUp.push(how)
  }
}

/** A round of two members, which ends when both have replied. */
function roundByHand({
  accept = (_reply: Reply): AcceptResult => 'done',
  send = () => {},
  leftMs = deadlineMs,
}) {
  const clock = virtualClock(0)
  const signal = new Abort()
  const replies: string[] = []
  class RoundByHand extends Round<string, RequestByHand> {
    #isStarted = false

    protected start(member: MemberIndex): RequestByHand {
      return new RequestByHand(member, send)
    }

    protected accept({ member }: RequestByHand, reply: Reply): AcceptResult {
      const accepted = accept(reply)
      if (accepted === 'done') replies.push(`${member}: ${reply.kind}`)
      return accepted
    }

    protected decide(): Decision<string> {
      if (!this.#isStarted) {
        this.#isStarted = true
        return { kind: 'start', members }
      }
      const isOver = this.isLate || this.requests.every(({ state }) => state === 'ended')
      return isOver ? { kind: 'verdict', verdict: 'done', listenTo: 'nothing' } : { kind: 'wait' }
    }

    protected countsAsFault(): boolean {
      return true
    }
  }
  const round = new RoundByHand({ deadlineMs: leftMs, clock, signal }).begin()
  const [first, second] = round.requests as [RequestByHand, RequestByHand]
  const verdict = round.verdict.catch((reason: Error) => reason.message)
  return { clock, signal, replies, first, second, verdict }
}

test('a reply that never comes, because sending throws, is a fault', async () => {
  const send = () => {
    throw new Error('a bug')
  }
  const { clock, replies } = roundByHand({ send })
  await clock.advance(0)
  expect(replies).toEqual(['0: fault', '1: fault'])
})

test.each([
  ['at once', () => undefined],
  ['after a while', () => Promise.reject(new Error('a bug'))],
])('a reply that cannot be read is a fault of its node, and the others decide: known %s', async (_, read) => {
  const accept = (reply: Reply): AcceptResult => {
    if (reply.kind !== 'known') return 'done'
    const when = read()
    if (when === undefined) throw new TypeError('Cannot convert object to primitive value')
    return { when }
  }
  const { clock, replies, first, second } = roundByHand({ accept })
  first.left()
  second.left()
  first.replied({ kind: 'known' })
  await clock.advance(0)
  second.replied({ kind: 'result', raw: '1' })
  expect(replies).toEqual(['0: fault', '1: result'])
})

test.each([0, -1])(
  'a round that begins %i ms before its deadline sends nothing, and ends at once',
  async (leftMs) => {
    const { clock, first, verdict } = roundByHand({ leftMs })
    await clock.advance(0)
    expect([first, await verdict, clock.pending()]).toEqual([undefined, 'done', 0])
  },
)

test('one timer serves all stalls and the deadline, each at its own time', async () => {
  const { clock, first, second } = roundByHand({})
  first.left()
  await clock.advance(100)
  second.left()
  expect(clock.pending()).toBe(1)
  await clock.advance(749)
  expect([first.record.stalledMs, second.record.stalledMs]).toEqual([750, null])
  await clock.advance(1)
  expect([second.record.stalledMs, clock.pending()]).toEqual([850, 1])
  await clock.advance(deadlineMs - 851)
  expect([first.state, second.state, clock.pending()]).toEqual(['stalled', 'stalled', 1])
  await clock.advance(1)
  const late = [{ isBlamed: true, isLate: true }]
  expect([first.state, second.state, clock.pending()]).toEqual(['ended', 'ended', 0])
  expect([first.givenUp, second.givenUp]).toEqual([late, late])
  expect(first.record.endMs).toBe(deadlineMs)
})

test('where every caller has left there is no verdict: the round rejects, and its requests are given up, not blamed', async () => {
  const { clock, signal, verdict, first } = roundByHand({})
  signal.abort()
  expect(await verdict).toBe('the caller has left')
  expect([first.state, clock.pending()]).toEqual(['ended', 0])
  expect(first.givenUp).toEqual([{ isBlamed: false, isLate: false }])
})
