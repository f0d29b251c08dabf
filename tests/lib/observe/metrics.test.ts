import { expect, test } from 'vitest'
import { metricsText } from '#lib/observe/metrics.ts'
import { worldOf } from '../../support/world.ts'
import { histogramOf, snapshotOf } from './records.ts'

const [chain] = worldOf([{}]).gateway.snapshot().chains
if (chain?.nodes[0] === undefined) throw new Error('no node')
const node = { ...chain.nodes[0], name: 'a', operator: 'a', state: 'rate-limited', head: null } as const
const verdicts = (outcome: string, value: number) => ({
  name: 'quorate_verdicts_total',
  labels: { chain: '137', method: 'eth_call', outcome },
  value,
})
const inReach = { everyday: true, tightened: false, protected: null }
const snapshot = snapshotOf({
  chains: [
    {
      ...chain,
      chainId: 137,
      head: { number: 1000, hash: '0x01' },
      protectedHead: { number: 998, hash: '0x02' },
      signed: { block: { number: 900, hash: '0x03' }, timeMs: 1_700_000_000_000, faults: [] },
      clockBehindMs: 16_000,
      headAgeMs: 1500,
      blockAgeMs: 4000,
      quorum: { ...chain.quorum, usable: 2, inReach },
      operatorsToLie: { everyday: 2, protected: null },
      nodes: [node],
    },
  ],
  counters: [
    verdicts('agreed', 5),
    verdicts('silent', 1),
    { name: 'quorate_later_total', labels: { chain: 'a"b\\c\nd' }, value: 1 },
  ],
  histograms: [histogramOf({ chain: '137' })],
})
const lines = metricsText(snapshot).split('\n')
const types = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ').slice(2))

test('each metric has one HELP and one TYPE before its samples, which are contiguous', () => {
  const names = types.map(([name = '']) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    const own = lines.flatMap((line, at) =>
      new RegExp(`^${name}(_bucket|_sum|_count)?[ {]`).test(line) ? [at] : [],
    )
    expect(lines[(own[0] ?? 0) - 1]).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`))
    expect(lines[(own[0] ?? 0) - 2]).toMatch(new RegExp(`^# HELP ${name} .`))
    expect((own.at(-1) ?? 0) - (own[0] ?? 0)).toBe(own.length - 1)
  }
})

test('counters are printed as in the ledger, including undescribed ones', () => {
  expect(lines).toContain('# TYPE quorate_verdicts_total counter')
  expect(lines).toContain('quorate_verdicts_total{chain="137",method="eth_call",outcome="silent"} 1')
  expect(lines).toContain('# TYPE quorate_later_total counter')
})

test('label values are escaped', () => {
  expect(lines).toContain('quorate_later_total{chain="a\\"b\\\\c\\nd"} 1')
})

test('a histogram is cumulative and ends with +Inf', () => {
  const own = lines.filter((line) => line.startsWith('rpc_server_call'))
  expect(own).toEqual([
    'rpc_server_call_duration_seconds_bucket{chain="137",le="0.005"} 1',
    'rpc_server_call_duration_seconds_bucket{chain="137",le="0.01"} 3',
    'rpc_server_call_duration_seconds_bucket{chain="137",le="+Inf"} 4',
    'rpc_server_call_duration_seconds_sum{chain="137"} 0.5',
    'rpc_server_call_duration_seconds_count{chain="137"} 4',
  ])
})

test('gauges come from the snapshot; unknown values are omitted', () => {
  const startingWith = (name: string) => lines.filter((line) => line.startsWith(name))
  for (const line of [
    'quorate_head_block{chain="137"} 1000',
    'quorate_protected_head_block{chain="137"} 998',
    'quorate_signed_block_time_seconds{chain="137"} 1700000000',
    'quorate_clock_behind_seconds{chain="137"} 16',
    'quorate_head_age_seconds{chain="137"} 1.5',
    'quorate_head_block_age_seconds{chain="137"} 4',
    'quorate_head_lag_max_seconds{chain="137"} 600',
    'quorate_quorum_usable{chain="137"} 2',
    'quorate_operators_to_lie{chain="137",policy="everyday"} 2',
    'quorate_node_info{chain="137",node="a",operator="a",role="voter"} 1',
    'quorate_in_flight{kind="upstream-requests"} 3',
    'quorate_node_state{chain="137",node="a",state="rate-limited"} 1',
    'quorate_node_state{chain="137",node="a",state="usable"} 0',
  ])
    expect(lines).toContain(line)
  expect(startingWith('quorate_quorum_in_reach')).toEqual([
    'quorate_quorum_in_reach{chain="137",policy="everyday"} 1',
    'quorate_quorum_in_reach{chain="137",policy="tightened"} 0',
  ])
  expect(startingWith('quorate_node_head_block')).toEqual([])
})

test('names pass promtool check metrics: only counters end in _total, and units are not abbreviated', () => {
  expect(types.length).toBeGreaterThan(10)
  for (const [name = '', kind] of types) {
    expect(name.endsWith('_total'), name).toBe(kind === 'counter')
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(name).not.toMatch(/_(count|sum|bucket|ms|milliseconds|kilobytes)$/)
  }
})

test('every sample names its replica, where there are several: each says which of them it is about', () => {
  const samples = metricsText(snapshot, { labels: { replica: 'quorate-7' } })
    .split('\n')
    .filter((line) => /^[a-z]/.test(line))
  expect(samples.length).toBeGreaterThan(20)
  expect(samples.filter((line) => !line.includes('replica="quorate-7"'))).toEqual([])
})
