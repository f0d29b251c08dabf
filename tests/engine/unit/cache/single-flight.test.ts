import { describe, expect, test } from 'vitest'
import { createSingleFlight } from '../../../../rpc-proxy/cache/single-flight.ts'
import { gone, type Signal } from '../../../../rpc-proxy/runtime/abort.ts'
import type { Callers } from '../../../../rpc-proxy/runtime/callers.ts'

const spareMs = 750

/** A single flight whose asks are answered by the test. */
function byHand() {
  const singleFlight = createSingleFlight<string>(spareMs)
  const requests: {
    readonly signal: Signal
    readonly callers: Callers
    readonly answer: (text: string) => void
    readonly fail: (error: Error) => void
  }[] = []
  const share = (key: string, signal = new AbortController().signal, endMs = 8000, caller = 'one') => {
    const before = requests.length
    const value = singleFlight.joinOrRun(
      key,
      { signal: () => signal, endMs, caller },
      {
        run: ({ signal: all, callers }) =>
          new Promise((answer, fail) => requests.push({ signal: all, callers, answer, fail })),
        resultOf: (text) => text,
      },
    )
    return { joined: requests.length === before, value }
  }
  return { singleFlight, requests, share }
}

describe('asks with one key', () => {
  test('run once, and all callers get the answer', async () => {
    const { requests, share, singleFlight } = byHand()
    const [first, second] = [share('a'), share('a')]
    expect([first.joined, second.joined, requests.length, singleFlight.inFlight()]).toEqual([
      false,
      true,
      1,
      1,
    ])
    requests[0]?.answer('1')
    expect(await Promise.all([first.value, second.value])).toEqual(['1', '1'])
    expect(singleFlight.inFlight()).toBe(0)
    expect(share('a').joined).toBe(false)
  })

  test('are made on behalf of all sharers', () => {
    const { requests, share } = byHand()
    const joined: string[] = []
    void share('a', undefined, undefined, 'one')
    const unlisten = requests[0]?.callers.onJoin((caller) => joined.push(caller))
    void share('a', undefined, undefined, 'two')
    void share('a', undefined, undefined, 'two')
    unlisten?.()
    void share('a', undefined, undefined, 'three')
    expect([...(requests[0]?.callers.keys() ?? [])]).toEqual(['one', 'two', 'three'])
    expect(joined).toEqual(['two'])
  })

  test('fail together', async () => {
    const { requests, share, singleFlight } = byHand()
    const calls = [share('a'), share('a')]
    requests[0]?.fail(new Error('x'))
    for (const { value } of calls) await expect(value).rejects.toThrow('x')
    expect(singleFlight.inFlight()).toBe(0)
  })

  test('and asks with other keys do not', async () => {
    const { requests, share } = byHand()
    const [one, two] = [share('a'), share('b')]
    requests[1]?.answer('2')
    requests[0]?.answer('1')
    expect([await one.value, await two.value]).toEqual(['1', '2'])
  })
})

describe('a sharer that leaves', () => {
  test('is rejected at once, and the request continues for the others', async () => {
    const { requests, share } = byHand()
    const departure = new AbortController()
    const first = share('a', departure.signal)
    const second = share('a')
    departure.abort()
    await expect(first.value).rejects.toBe(gone)
    expect(requests[0]?.signal.aborted).toBe(false)
    requests[0]?.answer('1')
    expect(await second.value).toBe('1')
  })

  test('as the last one aborts the request; the next caller starts a new one', async () => {
    const { requests, share, singleFlight } = byHand()
    const departures = [new AbortController(), new AbortController()]
    const calls = departures.map(({ signal }) => share('a', signal))
    for (const departure of departures) departure.abort()
    for (const { value } of calls) await expect(value).rejects.toBe(gone)
    expect([requests[0]?.signal.aborted, singleFlight.inFlight()]).toEqual([true, 0])
    const later = share('a')
    expect([later.joined, requests.length]).toEqual([false, 2])
    requests[0]?.fail(new Error('aborted'))
    await Promise.resolve()
    expect(share('a').joined).toBe(true)
    requests[1]?.answer('2')
    expect(await later.value).toBe('2')
  })

  test('before the request starts none', async () => {
    const { requests, share } = byHand()
    await expect(share('a', AbortSignal.abort()).value).rejects.toBe(gone)
    expect(requests).toEqual([])
  })

  test('after the answer, changes nothing', async () => {
    const { requests, share } = byHand()
    const departure = new AbortController()
    const call = share('a', departure.signal)
    requests[0]?.answer('1')
    expect(await call.value).toBe('1')
    departure.abort()
    expect(requests[0]?.signal.aborted).toBe(false)
  })
})

describe('a sharer with another deadline', () => {
  const { signal } = new AbortController()

  test.each([
    [8000, true],
    [8000 + spareMs, true],
    [8000 + spareMs + 1, false],
    [7999, false],
  ])('until %i joins one that ends at 8000: %s', async (endMs, joined) => {
    const { requests, share } = byHand()
    const first = share('a', signal, 8000)
    const second = share('a', signal, endMs)
    expect([second.joined, requests.length]).toEqual([joined, joined ? 1 : 2])
    for (const { answer } of requests) answer('1')
    expect([await first.value, await second.value]).toEqual(['1', '1'])
  })

  test('starts a new ask, which later callers join', async () => {
    const { requests, share, singleFlight } = byHand()
    const calls = [share('a', signal, 1000), share('a', signal, 3000), share('a', signal, 3100)]
    expect(calls.map(({ joined }) => joined)).toEqual([false, false, true])
    requests[0]?.answer('1')
    expect(await calls[0]?.value).toBe('1')
    expect([share('a', signal, 3200).joined, singleFlight.inFlight()]).toEqual([true, 1])
    requests[1]?.answer('2')
    expect(await Promise.all(calls.slice(1).map(({ value }) => value))).toEqual(['2', '2'])
  })
})
