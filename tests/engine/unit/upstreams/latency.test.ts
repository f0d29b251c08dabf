import { expect, test } from 'vitest'
import { createLatencyMean } from '../../../../rpc-proxy/upstreams/latency-mean.ts'

test('a node that was asked before the machine slept is not measured by the sleep', () => {
  const latency = createLatencyMean()
  latency.record(10_000)
  expect(latency.meanMs()).toBe(10_000)
  latency.record(3_600_000)
  expect(latency.meanMs()).toBe(10_000)
  latency.record(0)
  expect(latency.meanMs()).toBe(9000)
})
