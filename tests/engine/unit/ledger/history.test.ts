import { describe, expect, test } from 'vitest'
import { createBlockLog } from '../../../../rpc-proxy/ledger/blocks.ts'
import { HistoryLog, historyStepMs, historyStepsMax } from '../../../../rpc-proxy/ledger/history.ts'
import { Ledger } from '../../../../rpc-proxy/ledger/ledger.ts'
import { call, request } from '../../../support/evidence.ts'

const minuteMs = 60_000
const dayMs = historyStepMs * historyStepsMax

function historyAt(ms: number) {
  const time = { ms }
  return { time, history: new HistoryLog(() => time.ms) }
}

describe('history', () => {
  test('sums the values of one step, without its neighbours', () => {
    const { time, history } = historyAt(20_000)
    history.addToChain(137, { calls: 1 })
    time.ms = 29_999
    history.addToChain(137, { calls: 2 })
    time.ms = 30_000
    history.addToChain(137, { calls: 4 })
    expect(history.read({ fromMs: 10_000, toMs: 40_000, stepsMax: 10 })).toMatchObject({
      fromMs: 10_000,
      stepMs: 10_000,
      steps: 3,
      chains: [{ chainId: 137, calls: [0, 3, 4] }],
    })
  })

  test('a long range has longer steps with stable bounds', () => {
    const { time, history } = historyAt(0)
    for (let minute = 0; minute < 60; minute++) {
      time.ms = minute * minuteMs
      history.addToNode(1, 'a', { replies: 1 })
    }
    const read = (fromMs: number) => history.read({ fromMs, toMs: fromMs + 60 * minuteMs, stepsMax: 60 })
    expect(read(0)).toMatchObject({ fromMs: 0, stepMs: minuteMs, steps: 60 })
    expect(read(0).chains[0]?.nodes[0]?.replies).toEqual(Array(60).fill(1))
    const shifted = read(25_000)
    expect(shifted.fromMs % shifted.stepMs).toBe(0)
    expect(shifted.steps).toBeLessThanOrEqual(61)
  })

  test('returns at most one step more than requested', () => {
    const { history } = historyAt(dayMs)
    for (const stepsMax of [1, 7, 120, 360])
      expect(history.read({ fromMs: 5, toMs: dayMs, stepsMax }).steps).toBeLessThanOrEqual(stepsMax + 1)
  })

  test('a day later each slot of the ring holds only the new step', () => {
    const { time, history } = historyAt(50_000)
    history.addToChain(1, { calls: 5 })
    history.addToNode(1, 'a', { faults: 7 })
    time.ms += dayMs
    history.addToChain(1, { calls: 1 })
    const { chains } = history.read({ fromMs: time.ms, toMs: time.ms + 1, stepsMax: 1 })
    expect(chains).toMatchObject([{ calls: [1], nodes: [{ node: 'a', faults: [0] }] }])
    expect(history.read({ fromMs: 50_000, toMs: 50_001, stepsMax: 1 }).chains[0]?.calls).toEqual([0])
  })

  test('reports since when it has data: its start, or a day ago', () => {
    const { time, history } = historyAt(1000)
    const since = () => history.read({ fromMs: 0, toMs: time.ms, stepsMax: 1 }).sinceMs
    expect(since()).toBe(1000)
    time.ms = dayMs + 5000
    expect(since()).toBe(5000)
  })
})

describe('stored outside of the process', () => {
  const busy = () => {
    const { time, history } = historyAt(20_000)
    history.addToChain(137, { calls: 3 })
    history.addToNode(137, 'a', { replyMs: 1.5 })
    history.addToChain(1, { calls: 0 })
    return { time, history }
  }

  test('a step has its sums, and an idle step is not stored', () => {
    const { history } = busy()
    expect(history.readStep(2)).toEqual({
      step: 2,
      chains: [{ chainId: 137, sums: { calls: 3 }, nodes: [{ node: 'a', sums: { replyMs: 1.5 } }] }],
    })
    expect([history.readStep(1), history.readStep(3), history.readStep(-1)]).toEqual([null, null, null])
  })

  test('another process reads what one stored, and sums steps stored by both', () => {
    const step = busy().history.readStep(2)
    if (step === null) throw new Error('nothing kept')
    const { history } = historyAt(100_000)
    history.restore([step, step])
    const read = history.read({ fromMs: 20_000, toMs: 30_000, stepsMax: 1 })
    expect(read.chains).toMatchObject([{ chainId: 137, calls: [6], nodes: [{ node: 'a', replyMs: [3] }] }])
    expect(read.sinceMs).toBe(20_000)
  })

  test('the current step, future steps, old steps and unknown names are ignored', () => {
    const nowMs = 2 * dayMs
    const { history } = historyAt(nowMs)
    const [now, age] = [nowMs / historyStepMs, historyStepsMax]
    const at = (step: number, sums: Record<string, number> = { calls: 1 }) => ({
      step,
      chains: [{ chainId: 1, sums, nodes: [] }],
    })
    history.restore([at(now), at(now + 1), at(now - age), at(1.5), at(-1)])
    history.restore([at(now - 1, { __proto__: 1, toString: 2, failures: Number.NaN, calls: 5 } as never)])
    history.restore([at(now - age + 1)])
    const whole = history.read({ fromMs: nowMs - dayMs, toMs: nowMs + 10 * historyStepMs, stepsMax: 720 })
    const calls = whole.chains[0]?.calls ?? []
    expect(calls.reduce((all, value) => all + value, 0)).toBe(6)
    expect(whole.chains[0]?.failures.every((value) => value === 0)).toBe(true)
  })
})

describe('the ledger records', () => {
  const clock = { now: () => 100_000 }
  const range = { fromMs: 100_000, toMs: 100_001, stepsMax: 1 }

  test('calls, cache hits, failures, asks and durations', () => {
    const ledger = new Ledger(clock)
    const failures = [-32010, -32603, 3].map((code) => call({ code }))
    const refused = call({ code: -32602, evidence: null, cache: null })
    ledger.note(request([call(), call({ cache: 'hit' }), ...failures, refused]))
    expect(ledger.history.read(range).chains).toEqual([
      { chainId: 137, calls: [6], failures: [2], known: [1], requests: [8], callMs: [60], nodes: [] },
    ])
  })

  test('replies, faults, rate limits and dissents of a node, but no cancelled asks and no faults of our own', () => {
    const ledger = new Ledger(clock)
    const ask = { type: 'upstream-request', purpose: 'read', chainId: 137, method: 'eth_call' } as const
    for (const [outcome, fault] of [
      ['result', null],
      ['reverted', null],
      ['fault', 'timeout'],
      ['fault', 'rate-limited'],
      ['cancelled', 'cancelled'],
      ['fault', 'too-many-files'],
    ] as const)
      ledger.note({ ...ask, node: 'a', durationMs: 10, outcome, fault })
    ledger.note({ type: 'dissent', chainId: 137, node: 'a', method: 'eth_call', answer: 'x' })
    expect(ledger.history.read(range).chains[0]?.nodes).toEqual([
      { node: 'a', replies: [2], replyMs: [20], faults: [1], limited: [1], dissents: [1] },
    ])
  })

  test('which node showed a block first, and when a quorum agreed on it', () => {
    const time = { ms: 1000 }
    const ledger = new Ledger({ now: () => time.ms })
    const shows = (node: string) => ledger.note({ type: 'node-head', chainId: 137, node, number: 7 })
    shows('a')
    time.ms = 1030
    shows('b')
    shows('a')
    ledger.note({ type: 'head', chainId: 137, block: { number: 7, hash: '0x07' } })
    expect(ledger.blocks(137)).toEqual([{ number: 7, agreedMs: 1030, hash: '0x07', seen: { a: 0, b: 30 } }])
    expect(ledger.blocks(1)).toEqual([])
  })
})

describe('blocks', () => {
  test('are the most recent ones by number; a made-up height expires', () => {
    const log = createBlockLog(() => 0)
    log.record(1, 'liar', 9_000)
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
    for (const number of numbers.toReversed()) log.record(1, 'a', number)
    expect(log.read(1).map(({ number }) => number)).toEqual(numbers)
  })

  test('another hash at the same number is a new block', () => {
    const time = { ms: 5 }
    const log = createBlockLog(() => time.ms)
    log.agreed(1, 7, '0xa')
    time.ms = 9
    log.agreed(1, 7, '0xa')
    expect(log.read(1)).toMatchObject([{ agreedMs: 5, hash: '0xa' }])
    log.agreed(1, 7, '0xb')
    expect(log.read(1)).toMatchObject([{ agreedMs: 9, hash: '0xb' }])
  })
})
