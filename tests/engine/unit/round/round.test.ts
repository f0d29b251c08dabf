import { describe, expect, test } from 'vitest'
import {
  type AcceptResult,
  type Decision,
  type GivenUp,
  Round,
  RoundRequest,
} from '../../../../rpc-proxy/round/round.ts'
import { Abort } from '../../../../rpc-proxy/runtime/abort.ts'
import type { MemberIndex } from '../../../../rpc-proxy/runtime/indexes.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const stallMs = 750
const members = (...indexes: readonly number[]) => indexes as readonly MemberIndex[]

/** A request that is answered by the test. */
class RequestByHand extends RoundRequest<string> {
  readonly #events: string[]
  readonly send: () => void

  constructor(
    member: MemberIndex,
    { events, nowMs, send }: { events: string[]; nowMs: number; send: () => void },
  ) {
    super(member, stallMs, { startMs: nowMs, endMs: null, stalledMs: null })
    this.#events = events
    this.send = send
  }

  stall(): void {
    this.#events.push(`${this.member} stalls`)
  }

  giveUp({ isBlamed, isLate }: GivenUp): void {
    this.#events.push(`${this.member} is given up${isBlamed ? ', blamed' : ''}${isLate ? ', late' : ''}`)
  }
}

interface State {
  readonly requests: readonly RequestByHand[]
  readonly isLate: boolean
}

interface Script {
  /** Started at once. */
  readonly first: readonly MemberIndex[]
  /** The verdict, as soon as there is one. */
  readonly decide?: (state: State) => Decision<string>
  readonly accept?: (request: RequestByHand, reply: string) => AcceptResult
  readonly send?: () => void
}

const wait: Decision<string> = { kind: 'wait' }
const deadlineMs = 5000

/** By default the first reply is the verdict. */
function roundByHand({ first, decide, accept, send = () => {} }: Script) {
  const clock = virtualClock(0)
  const events: string[] = []
  const requests: RequestByHand[] = []
  const signal = new Abort()
  let reply: string | null = null
  class RoundByHand extends Round<string, RequestByHand, string> {
    protected readonly fault = 'a fault'

    protected start(member: MemberIndex): RequestByHand {
      const request = new RequestByHand(member, { events, nowMs: clock.now(), send })
      requests[member] = request
      return request
    }

    protected accept(request: RequestByHand, text: string): AcceptResult {
      const accepted = accept?.(request, text) ?? 'done'
      if (accepted === 'done') {
        reply = text
        events.push(`${request.member} replies ${text}`)
      }
      return accepted
    }

    protected decide(): Decision<string> {
      const { requests, isLate } = this
      if (requests.length === 0) return { kind: 'start', members: first }
      if (decide !== undefined) return decide({ requests, isLate })
      if (reply === null && !isLate) return wait
      return { kind: 'verdict', verdict: reply ?? 'nothing', listenTo: 'nothing' }
    }

    protected countsAsFault(): boolean {
      return true
    }
  }
  const round = new RoundByHand({ deadlineMs, clock, signal }).begin()
  const verdict = round.verdict.catch((reason: Error) => reason.message)
  const at = (member: number) => requests[member] as RequestByHand
  const replyWith = async (member: number, text: string) => {
    at(member).replied(text)
    await clock.advance(0)
  }
  return { clock, events, requests, signal, verdict, at, reply: replyWith }
}

describe('a stall', () => {
  test('is counted from the moment in which the request leaves our queue', async () => {
    const { clock, events, at } = roundByHand({ first: members(0) })
    await clock.advance(500)
    at(0).left()
    await clock.advance(stallMs - 1)
    expect(events).toEqual([])
    await clock.advance(1)
    expect(events).toEqual(['0 stalls'])
    expect(at(0).record).toEqual({ startMs: 500, stalledMs: 1250, endMs: null })
  })
})

describe('a reply', () => {
  test('may be asked for once more, which begins no new stall', async () => {
    const { clock, events, at, reply } = roundByHand({
      first: members(0),
      accept: ({ sends }) => (sends === 1 ? { againMs: 100 } : 'done'),
    })
    at(0).left()
    await reply(0, 'not yet')
    await clock.advance(100)
    at(0).left()
    await clock.advance(stallMs - 100)
    expect(events).toEqual(['0 stalls'])
    await reply(0, 'yes')
    expect(events).toEqual(['0 stalls', '0 replies yes'])
    expect(at(0).sends).toBe(2)
  })

  test('that never comes, because sending throws, is a fault', async () => {
    const send = () => {
      throw new Error('a bug')
    }
    const { clock, events } = roundByHand({ first: members(0), send })
    await clock.advance(0)
    expect(events).toEqual(['0 replies a fault'])
  })

  test.each([
    ['at once', () => undefined],
    ['after a while', () => Promise.reject(new Error('a bug'))],
  ])('that cannot be read is a fault of its node, and the others decide: known %s', async (_, read) => {
    const { clock, events, at, reply } = roundByHand({
      first: members(0, 1),
      accept(_request, text) {
        if (text !== 'odd') return 'done'
        const when = read()
        if (when === undefined) throw new TypeError('Cannot convert object to primitive value')
        return { when }
      },
      decide: ({ requests }) =>
        requests.every(({ state }) => state === 'ended')
          ? { kind: 'verdict', verdict: 'yes', listenTo: 'nothing' }
          : wait,
    })
    at(0).left()
    at(1).left()
    await reply(0, 'odd')
    await clock.advance(0)
    await reply(1, 'yes')
    expect(events).toEqual(['0 replies a fault', '1 replies yes'])
  })
})

describe('the verdict', () => {
  test('does not come where every caller has left: the round rejects', async () => {
    const { clock, events, signal, verdict } = roundByHand({ first: members(0) })
    signal.abort()
    expect(await verdict).toBe('the caller has left')
    expect([events, clock.pending()]).toEqual([['0 is given up'], 0])
  })
})

test('one timer serves all stalls and the deadline, each at its own time', async () => {
  const { clock, events, at } = roundByHand({ first: members(0, 1) })
  at(0).left()
  await clock.advance(100)
  at(1).left()
  expect(clock.pending()).toBe(1)
  await clock.advance(deadlineMs)
  expect(events).toEqual([
    '0 stalls',
    '1 stalls',
    '0 is given up, blamed, late',
    '1 is given up, blamed, late',
  ])
  expect(clock.pending()).toBe(0)
})
