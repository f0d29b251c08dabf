import { describe, expect, test } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import type { Level } from '#lib/observe/line.ts'
import { createPlainLog } from '#lib/observe/log-plain.ts'
import { createObserver } from '#lib/observe/observer.ts'
import { createRedactor } from '#lib/observe/redact.ts'
import { type EngineEvent, parseConfig } from '#rpc-proxy'
import { call, evidence, requestRecord } from '../../support/evidence.ts'
import { recordedLog } from '../../support/recorded-log.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { dispute } from './records.ts'

function observing(least: 'debug' | 'info' = 'debug') {
  const { lines, log } = recordedLog()
  const clock = virtualClock()
  const isOn = (level: Level) => level !== 'debug' || least === 'debug'
  const emit = createObserver({ log: { ...log, isOn }, trace: null, traced: { note: () => {} }, clock })
  return { emit, clock, lines, events: () => lines.map(({ level, event }) => `${level} ${event}`) }
}

const fault: EngineEvent = {
  type: 'upstream-request',
  purpose: 'read',
  chainId: 137,
  method: 'eth_call',
  node: 'a',
  outcome: 'fault',
  fault: 'timeout',
  durationMs: 12.3456,
}

describe('lines', () => {
  test('one for each request, at debug, without params or caller', () => {
    const { emit, lines } = observing()
    emit({ type: 'request', request: requestRecord({ endMs: 1006.754 }) })
    const [method, cache, answer] = ['eth_getBalance', 'miss', 'answer-1']
    const fields = { chain: 137, status: 200, ms: 6.75, calls: 1, method, cache, answer }
    expect(lines).toEqual([{ level: 'debug', event: 'request', message: method, fields }])
  })

  test('none for a request below the debug level', () => {
    const { emit, lines } = observing('info')
    emit({ type: 'request', request: requestRecord({ calls: [call({ code: -32010 })] }) })
    expect(lines).toEqual([])
  })

  test('disputes, failures, dissents, states and breaches are logged; agreement is not', () => {
    const { emit, events } = observing('info')
    emit({ type: 'verdict', evidence: evidence() })
    emit({ type: 'verdict', evidence: dispute })
    emit({ type: 'verdict', evidence: evidence({ outcome: 'failed', reason: 'silent' }) })
    emit({ type: 'dissent', chainId: 137, node: 'c', method: 'eth_call', answer: 'x-2' })
    const state = { type: 'node-state', chainId: 137, node: 'c', why: 'any' } as const
    emit({ ...state, from: 'usable', to: 'ejected' })
    emit({ ...state, from: 'ejected', to: 'usable' })
    emit({ type: 'breach', chainId: 137, invariant: 'S1', detail: 'd' })
    const states = ['warn node-state', 'info node-state']
    expect(events()).toEqual(['info dispute', 'warn no-quorum', 'warn dissent', ...states, 'error breach'])
  })

  test('many faults are one line a second, with the number of suppressed ones', async () => {
    const { emit, lines, clock } = observing('info')
    for (let count = 0; count < 10; count += 1) emit(fault)
    emit({ ...fault, node: 'b' })
    emit({ ...fault, fault: 'http' })
    expect(lines.map(({ fields }) => [fields.node, fields.fault, fields.suppressed])).toEqual([
      ['a', 'timeout', undefined],
      ['b', 'timeout', undefined],
      ['a', 'http', undefined],
    ])
    await clock.advance(1000)
    emit(fault)
    expect(lines.at(-1)?.fields).toMatchObject({ node: 'a', suppressed: 9, ms: 12.35 })
  })

  test('a node that always lies does not flood the log either', () => {
    const { emit, events } = observing('info')
    for (let count = 0; count < 10; count += 1) {
      emit({ type: 'verdict', evidence: dispute })
      emit({ type: 'dissent', chainId: 137, node: 'c', method: 'eth_call', answer: `x-${count}` })
    }
    emit({ type: 'verdict', evidence: { ...dispute, method: 'eth_call' } })
    expect(events()).toEqual(['info dispute', 'warn dissent', 'info dispute'])
  })

  test('a cancelled request is no fault', () => {
    const { emit, lines } = observing()
    emit({ ...fault, outcome: 'cancelled', fault: null })
    emit({ ...fault, outcome: 'cancelled', fault: 'cancelled' })
    expect(lines).toEqual([])
  })

  test('too many open files are an error of this process, once a second', () => {
    const { emit, lines } = observing()
    for (let count = 0; count < 5; count += 1) emit({ ...fault, node: `n${count}`, fault: 'too-many-files' })
    expect(lines.map(({ level, event, fields }) => [level, event, fields.node])).toEqual([
      ['error', 'too-many-files', undefined],
    ])
  })

  describe('a head that does not move', () => {
    const block = { number: 1, hash: '0x1' }
    /** A call every ten seconds, for this long. */
    async function traffic({ emit, clock }: ReturnType<typeof observing>, forMs: number) {
      for (let passedMs = 0; passedMs < forMs; passedMs += 10_000) {
        await clock.advance(10_000)
        emit({ type: 'request', request: requestRecord({ endMs: clock.now() }) })
      }
    }

    test('is logged once under traffic, and again after it has moved', async () => {
      const observed = observing('info')
      for (const before of [[], ['warn head-stuck']]) {
        observed.emit({ type: 'head', chainId: 137, block })
        await traffic(observed, 50_000)
        expect(observed.events()).toEqual(before)
        await traffic(observed, 30_000)
        expect(observed.events()).toEqual([...before, 'warn head-stuck'])
      }
    })

    test('is not logged after an idle time, until there have been calls for a minute', async () => {
      const observed = observing('info')
      observed.emit({ type: 'head', chainId: 137, block })
      await observed.clock.advance(600_000)
      await traffic(observed, 60_000)
      expect(observed.events()).toEqual([])
      await traffic(observed, 10_000)
      expect(observed.events()).toEqual(['warn head-stuck'])
    })
  })
})

describe('secrets', () => {
  const configOf = (url: string, headers = {}) =>
    parseConfig({ chains: [{ id: 137, nodes: [{ name: 'a', url, headers }] }] }, {})
  const url = 'https://user:pass-word@node.example/v2/key-in-the-path-1234?apikey=key-in-query'
  const config = configOf(url, { 'x-api-key': 'key-in-header', 'x-bearer': 'Bearer key-of-bearer' })
  const otlp = 'x-otlp=key-of-otlp'
  const env = parseEnv({ OPERATOR_TOKEN: 'token-of-operator', OTEL_EXPORTER_OTLP_HEADERS: otlp })
  const printing = (level: string) => {
    const printed: string[] = []
    return { printed, log: createPlainLog(level, createRedactor(env, config), (text) => printed.push(text)) }
  }

  test('are removed anywhere in a line', () => {
    const { printed, log } = printing('info')
    const planted =
      'key-in-the-path-1234 key-in-query key-in-header key-of-bearer pass-word token-of-operator key-of-otlp'
    const fields = { detail: planted, chain: 137 }
    log.write({ level: 'error', event: 'breach', message: `at ${planted}`, fields })
    expect(printed).toHaveLength(1)
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ level: 50, event: 'breach', chain: 137 })
    for (const secret of planted.split(' ')) expect(printed[0]).not.toContain(secret)
  })

  test('node names and ordinary path segments stay readable', () => {
    const { text } = createRedactor(env, configOf('https://rpc.example/polygon/public'))
    expect(text('polygon public rpc a')).toBe('polygon public rpc a')
  })

  test('of a reloaded configuration are removed too', () => {
    const redactor = createRedactor(env, configOf('http://a.example'))
    expect(redactor.text('key-in-header')).toBe('key-in-header')
    redactor.learn(config)
    expect(redactor.text('key-in-header')).toBe('[redacted]')
  })

  test('a disabled level prints nothing', () => {
    const { printed, log } = printing('silent')
    log.write({ level: 'error', event: 'breach', message: '', fields: {} })
    expect([printed, log.isOn('error')]).toEqual([[], false])
  })
})
