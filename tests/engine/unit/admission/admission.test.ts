import { describe, expect, test } from 'vitest'
import { callerKey } from '../../../../rpc-proxy/admission/caller.ts'
import type { BudgetPeers } from '../../../../rpc-proxy/events/ports.ts'
import { methodSpec } from '../../../../rpc-proxy/methods/table.ts'
import { door } from '../../support/admission.ts'

const balance = methodSpec('eth_getBalance')

test('one caller gets at most a quarter of the places', () => {
  const { admission } = door({ limits: { inFlightMax: 9 } })
  const enter = (caller: string | null) => admission.enter(caller)
  const refusal = expect.objectContaining({ kind: 'too-many-requests' })
  for (let count = 0; count < 3; count++) enter('203.0.113.7')
  expect(() => enter('203.0.113.7')).toThrow(refusal)
  expect(admission.inFlight()).toBe(3)
  for (const other of ['203.0.113.8', null, null, null]) enter(other)
  admission.leave('203.0.113.7')
  enter('203.0.113.7')
  expect(() => enter('203.0.113.7')).toThrow(refusal)
})

describe('the rate of a caller', () => {
  test('a third of the cost of a minute may be spent at once, and not a tenth more', () => {
    const { call, spend } = door()
    expect(spend(59)).toBe(59)
    expect([call('203.0.113.7', 1.1), call('203.0.113.7', 1), call('203.0.113.7', 0.1)]).toEqual([
      ['too-many-requests', 34],
      'in',
      ['too-many-requests', 34],
    ])
  })

  test('tenths add up exactly', () => {
    const { call } = door()
    const verdicts = Array.from({ length: 601 }, () => call('203.0.113.7', 0.1))
    expect(verdicts.filter((verdict) => verdict === 'in')).toHaveLength(600)
  })

  test('the budget refills steadily: a millisecond early is refused, on time is admitted', () => {
    const { call, spend, time } = door()
    spend(60)
    expect(call()).toEqual(['too-many-requests', 334])
    time.ms += 333
    expect(call()).toEqual(['too-many-requests', 1])
    time.ms += 1
    expect([call(), call()]).toEqual(['in', ['too-many-requests', 333]])
    time.ms += 3_600_000
    expect(spend(61)).toBe(60)
  })

  test('a refused call costs nothing', () => {
    const { call, spend, time } = door()
    spend(60)
    spend(100)
    time.ms += 1000
    expect(call()).toBe('in')
  })

  test('a call above a full budget is admitted on a full budget, and leaves a debt', () => {
    const { call, time } = door()
    expect(call('203.0.113.7', 120)).toBe('in')
    time.ms += 20_000
    expect(call('203.0.113.7', 1)).toEqual(['too-many-requests', 334])
    time.ms += 334
    expect([call('203.0.113.7', 1), call('203.0.113.7', 120)]).toEqual(['in', ['too-many-requests', 20_000]])
  })

  test('a refused batch costs a tenth per call and may leave a debt', () => {
    const { admission, call, request, spend, time } = door()
    admission.refused(100, '203.0.113.7')
    expect(spend(60)).toBe(50)
    admission.refused(100, '203.0.113.7')
    expect([call(), request()]).toEqual([
      ['too-many-requests', 3667],
      ['too-many-requests', 3367],
    ])
    time.ms += 3367
    expect(request()).toBe('in')
  })

  test('a refused batch costs at most the budget of a minute', () => {
    const { admission, request, spend, time } = door()
    spend(60)
    admission.refused(1_000_000, '203.0.113.7')
    time.ms += 60_000
    expect(request()).toEqual(['too-many-requests', 34])
    time.ms += 34
    expect(request()).toBe('in')
  })

  test('a /48 has the budget of eight callers, and another /48 has its own', () => {
    const { spend } = door()
    const at = (network: string, count: number) => callerKey(`2001:db8:${network}:${count.toString(16)}::1`)
    expect(Array.from({ length: 9 }, (_, count) => spend(61, at('1', count)))).toEqual([
      60, 60, 60, 60, 60, 60, 60, 60, 0,
    ])
    expect([spend(61, at('2', 0)), spend(61, '203.0.113.7')]).toEqual([60, 60])
  })

  test('an answer costs one per full 50,000 bytes and may leave a debt', () => {
    const { admission, spend, call } = door()
    admission.answered(49_999, '203.0.113.7')
    expect(spend(1)).toBe(1)
    admission.answered(50_000, '203.0.113.7')
    expect(spend(60)).toBe(58)
    admission.answered(99_999, '203.0.113.7')
    expect(call()).toEqual(['too-many-requests', 667])
  })

  test('work that the host does itself is charged to the same budget', () => {
    const { admission, spend } = door()
    expect(admission.spend(20, '203.0.113.7')).toBe(0)
    expect([spend(61), admission.spend(5, '203.0.113.7'), admission.spend(5, null)]).toEqual([40, 1667, 0])
  })

  test('callers without a known address have no budget', () => {
    expect(door().spend(1000, null)).toBe(1000)
  })

  test('rate null admits every caller', () => {
    expect(door({ rate: null }).spend(1000)).toBe(1000)
  })

  test('at least the last 10,000 callers are remembered, and at most twice as many', () => {
    const { spend } = door({ rate: { costPerMinute: 3, siteCallsPerSecond: null } })
    const caller = (index: number) => `10.0.${index >> 8}.${index & 255}`
    for (let index = 0; index < 10_000; index += 1) spend(1, caller(index))
    expect(spend(1, caller(0))).toBe(0)
    // Caller 0 was seen again since, so it is remembered for another 10,000.
    for (let index = 10_000; index < 19_999; index += 1) spend(1, caller(index))
    expect(spend(1, caller(0))).toBe(0)
    spend(1, caller(20_000))
    expect(spend(1, caller(1))).toBe(1)
  })
})

describe('the rate of the site', () => {
  const site = { rate: { costPerMinute: 1800, siteCallsPerSecond: 10 } }

  test('counts the calls of all callers, at any cost', () => {
    const { spend, call, time } = door(site)
    expect([spend(6, '203.0.113.7'), spend(6, null)]).toEqual([6, 4])
    expect(call('203.0.113.9')).toEqual(['too-many-requests', 100])
    time.ms += 100
    expect([call('203.0.113.9', 50), call()]).toEqual(['in', ['too-many-requests', 100]])
  })

  test('a call over the site limit is not charged to its caller', () => {
    const { call, time, spend } = door({ rate: { costPerMinute: 36, siteCallsPerSecond: 10 } })
    expect(spend(20)).toBe(10)
    time.ms += 1
    expect(call()).toEqual(['too-many-requests', 99])
    time.ms += 999
    expect(spend(5)).toBe(2)
  })
})

test('a reload keeps the requests in flight and the spent budgets', () => {
  const { admission, call, request, spend, options } = door()
  request()
  spend(50)
  admission.reload({
    ...options,
    limits: { inFlightMax: 1 },
    rate: { costPerMinute: 60, siteCallsPerSecond: null },
  })
  expect(admission.inFlight()).toBe(1)
  expect(request()).toEqual(['overloaded', 1000])
  expect([spend(20), call()]).toEqual([10, ['too-many-requests', 1000]])
})

test('a list of contracts is for what calls run, for logs and for transactions', () => {
  const [listed, other] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
  const { admission } = door({ methods: { deny: [], contracts: [listed] } })
  const refusal = expect.objectContaining({ kind: 'not-allowed' })
  for (const [method, paramsOf] of [
    ['eth_call', (address: string) => [{ to: address }, 'latest']],
    ['eth_getLogs', (address: string) => [{ address }]],
  ] as const) {
    expect(() => admission.call(methodSpec(method), paramsOf(listed), null)).not.toThrow()
    expect(() => admission.call(methodSpec(method), paramsOf(other), null), method).toThrow(refusal)
  }
  expect(() => admission.call(methodSpec('eth_sendRawTransaction'), ['0xc0'], null)).toThrow(refusal)
})

describe('a call answered without a node', () => {
  const logs = methodSpec('eth_getLogs')
  const rate = { costPerMinute: 30, siteCallsPerSecond: null }

  test('is refunded all but a tenth of its cost', () => {
    const { admission } = door({ rate })
    for (let call = 0; call < 20; call++) admission.refund(admission.call(balance, [], 'a'), 'a')
    // Twenty tenths are spent, so eight of ten are left.
    for (let call = 0; call < 8; call++) admission.call(balance, [], 'a')
    expect(() => admission.call(balance, [], 'a')).toThrow('too many requests')
  })

  test('is never refunded above a full budget', () => {
    const { admission } = door({ rate })
    admission.refund(1000, 'a')
    for (let call = 0; call < 10; call++) admission.call(balance, [], 'a')
    expect(() => admission.call(balance, [], 'a')).toThrow('too many requests')
  })

  test.each([
    [{ fromBlock: '0x10', toBlock: '0x10' }, 2],
    [{ fromBlock: 'latest', toBlock: 'latest' }, 2],
    [{ blockHash: `0x${'1'.repeat(64)}` }, 2],
    [{ fromBlock: '0x10', toBlock: '0x11' }, 10],
  ])('logs of %j cost %d', (filter, cost) => {
    expect(door({ rate }).admission.call(logs, [filter], 'a')).toBe(cost)
  })
})

describe('engines that share the budgets of callers', () => {
  /** As many doors as engines; what one spends the others learn at once. */
  function doors(count: number) {
    const takes: ((key: string, cost: number) => void)[] = []
    const time = { ms: 1_000_000 }
    return Array.from({ length: count }, (_, own) => {
      const peers: BudgetPeers = {
        spent(key, cost) {
          for (const [at, take] of takes.entries()) if (at !== own) take(key, cost)
        },
        listen: (take) => void takes.push(take),
      }
      const { admission } = door({ rate: { costPerMinute: 180, siteCallsPerSecond: 100 } }, { time, peers })
      const spend = (cost: number, caller = '203.0.113.7') => admission.spend(cost, caller) === 0
      return { admission, spend, time }
    })
  }

  test('a caller spends its budget once, however it is spread over them', () => {
    const engines = doors(3)
    const spent = Array.from({ length: 90 }, (_, turn) => engines[turn % 3]?.spend(1)).filter(Boolean)
    expect(spent).toHaveLength(60)
    const [first] = engines
    first!.time.ms += 4000
    expect(Array.from({ length: 30 }, (_, turn) => engines[turn % 3]?.spend(1)).filter(Boolean)).toHaveLength(
      12,
    )
  })

  test('what one gives back, because no node was asked, is there at the others', () => {
    const [one, two] = doors(2)
    expect(one?.spend(60)).toBe(true)
    expect(two?.spend(30)).toBe(false)
    one?.admission.refund(60, '203.0.113.7')
    expect(two?.spend(59)).toBe(true)
  })

  test('so do the callers of an IPv6 /48, and all callers together', () => {
    const [one, two] = doors(2)
    for (let subnet = 0; subnet < 8; subnet += 1)
      expect((subnet % 2 === 0 ? one : two)?.spend(60, callerKey(`2001:db8:1:${subnet}::9`))).toBe(true)
    expect(one?.spend(1, callerKey('2001:db8:1:9::9'))).toBe(false)
    expect(two?.spend(1, callerKey('2001:db8:1:9::9'))).toBe(false)
    const others = Array.from({ length: 120 }, (_, at) =>
      (at % 2 === 0 ? one : two)?.spend(1, `203.0.113.${at + 100}`),
    )
    expect(others.filter(Boolean)).toHaveLength(92)
  })
})
