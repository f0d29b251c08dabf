import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { openLoop } from '../../../scripts/load/open-loop.ts'
import { judgeOverload, percentiles, type Run, runOf } from '../../../scripts/load/report.ts'
import { listen } from '../../support/listen.ts'

const calm = runOf('calm', resultOf([2, 3, 4]), 100, 1.5)

test('requests that were due while the server was paused include their waiting time', async () => {
  let untilMs: number | undefined
  const server = createServer((_, response) => {
    // With the first request the whole process is paused, like in a long garbage collection.
    untilMs ??= performance.now() + 300
    while (performance.now() < untilMs);
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  })
  const urls = [`http://127.0.0.1:${await listen(server)}/`]
  const result = await openLoop({ urls, scenario: () => '{}', perSecond: 200, total: 100 })
  server.closeAllConnections()
  server.close()
  // A closed loop would show one slow request in a hundred.
  expect(result.latenciesMs.filter((ms) => ms > 100).length).toBeGreaterThan(20)
})

test('percentiles are measured values', () => {
  const thousand = Array.from({ length: 1000 }, (_, at) => at + 1)
  expect(percentiles(thousand)).toEqual({ p50: 500, p90: 900, p99: 990, p999: 999, max: 1000 })
  expect(percentiles([]).p99).toBeNull()
})

test('refusals are timed separately from answers and other errors', () => {
  const failed = [
    { ms: 1, error: 'HTTP 503, JSON-RPC -32005' },
    { ms: 9, error: 'HTTP 200, JSON-RPC -32010' },
  ]
  const run = runOf('mixed', resultOf([5], failed), 10, null)
  expect(run).toMatchObject({ latencyMs: { max: 5 }, refusedMs: { max: 1 }, unsentMs: { max: 2 } })
})

test.each([
  ['less than nine tenths of the peak is answered', { perSecond: 0.89 * calm.perSecond }],
  ['answers take more than half as long again', { latencyMs: { ...calm.latencyMs, p99: 1.51 * 4 } }],
  ['callers wait more than 50 ms to be refused', { refusedMs: percentiles([51]) }],
])('the overload test fails when %s', (_, change) => {
  const held = (run: Run) => judgeOverload(calm, run).every(({ holds }) => holds)
  expect(held({ ...calm, refusedMs: percentiles([50]) })).toBe(true)
  expect(held({ ...calm, ...change })).toBe(false)
})

function resultOf(latenciesMs: readonly number[], failed: readonly { ms: number; error: string }[] = []) {
  const all = [...latenciesMs.map((ms) => ({ ms, error: null })), ...failed]
  const samples = all.map((one, at) => ({ ...one, dueMs: at * 10, unsentMs: at }))
  const errors = Object.fromEntries(failed.map(({ error }) => [error, 1]))
  return { sent: samples.length, seconds: 1, samples, latenciesMs, errors, caches: {} }
}
