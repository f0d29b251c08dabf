import { expect, test } from 'vitest'
import { meanAfter } from '../../../../rpc-proxy/upstreams/health.ts'

test('a node that was asked before the machine slept is not measured by the sleep', () => {
  expect(meanAfter(null, 10_000)).toBe(10_000)
  expect(meanAfter(10_000, 3_600_000)).toBe(10_000)
  expect(meanAfter(10_000, 0)).toBe(9000)
})
