import { expect, test } from 'vitest'
import { metricsText } from '#lib/observe/metrics.ts'
import { createTraced } from '#lib/observe/traced.ts'
import { call, evidence, requestRecord } from '../../support/evidence.ts'
import { histogramOf, snapshotOf } from './records.ts'

const recordOf = (only: ReturnType<typeof call>) => requestRecord({ calls: [only] })
const labels = { chain: '137', method: 'eth_getBalance', code: '0' }

test('a series keeps its last eight exemplars', () => {
  const traced = createTraced()
  for (let turn = 0; turn < 10; turn++) traced.note(recordOf(call({ endMs: 1000 + turn })), `t${turn}`)
  const kept = traced.exemplars(labels)
  expect(kept.map(({ traceId }) => traceId)).toEqual(['t2', 't3', 't4', 't5', 't6', 't7', 't8', 't9'])
  expect(kept.at(-1)).toEqual({ traceId: 't9', value: 0.009, atMs: 1009 })
  expect(traced.exemplars({ ...labels, code: '3' })).toEqual([])
})

test('an answer names the trace that computed it, not those that hit the cache', () => {
  const traced = createTraced()
  traced.note(recordOf(call()), 'first')
  traced.note(recordOf(call({ cache: 'hit' })), 'second')
  traced.note(recordOf(call({ evidence: null })), 'third')
  expect(traced.traceOf('answer-1')).toBe('first')
  expect(traced.traceOf('answer-2')).toBeNull()
})

test('at most a thousand answers and a thousand series are kept', () => {
  const traced = createTraced()
  for (let turn = 0; turn < 1001; turn++)
    traced.note(recordOf(call({ code: turn, evidence: evidence({ id: `a${turn}` }) })), 't')
  expect([traced.traceOf('a0'), traced.traceOf('a1'), traced.traceOf('a1000')]).toEqual([null, 't', 't'])
  expect(traced.exemplars({ ...labels, code: '999' })).toHaveLength(1)
  expect(traced.exemplars({ ...labels, code: '1000' })).toHaveLength(0)
})

const snapshot = snapshotOf({
  counters: [{ name: 'quorate_verdicts_total', labels: { chain: '137' }, value: 5 }],
  histograms: [histogramOf(labels)],
})
const exemplars = () =>
  [
    { traceId: 'aa', value: 0.005, atMs: 1500 },
    { traceId: 'bb', value: 0.0051, atMs: 1600 },
    { traceId: 'cc', value: 0.01, atMs: 1700 },
    { traceId: 'dd', value: 9, atMs: 1800 },
  ] as const

test('OpenMetrics: the newest exemplar of each bucket, families without _total, # EOF', () => {
  const text = metricsText(snapshot, { exemplars })
  const lines = text.split('\n')
  const series = 'rpc_server_call_duration_seconds_bucket{chain="137",method="eth_getBalance",code="0"'
  expect(lines.filter((line) => line.includes('_bucket'))).toEqual([
    `${series},le="0.005"} 1 # {trace_id="aa"} 0.005 1.500`,
    `${series},le="0.01"} 3 # {trace_id="cc"} 0.01 1.700`,
    `${series},le="+Inf"} 4 # {trace_id="dd"} 9 1.800`,
  ])
  expect(lines).toContain('# TYPE quorate_verdicts counter')
  expect(lines).toContain('quorate_verdicts_total{chain="137"} 5')
  expect(text.endsWith('\n# EOF\n')).toBe(true)
})

test('the text format has no exemplars and no # EOF', () => {
  const lines = metricsText(snapshot).split('\n')
  expect(lines.some((line) => line.includes('_bucket'))).toBe(true)
  expect(lines.filter((line) => line.replace(/^# (HELP|TYPE) /, '').includes('#'))).toEqual([])
})
