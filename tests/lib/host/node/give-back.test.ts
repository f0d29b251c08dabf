import { expect, test } from 'vitest'
import { giveBackMemory } from '#lib/host/node/give-back.ts'

test('memory that nothing refers to any more is the system’s again, not kept for later', () => {
  const heapBytes = () => process.memoryUsage().heapTotal
  giveBackMemory()
  const beforeBytes = heapBytes()
  let held: unknown[] | null = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
  expect(heapBytes() - beforeBytes).toBeGreaterThan(20_000_000)
  expect(held).toHaveLength(1_000_000)
  held = null
  giveBackMemory()
  expect(heapBytes() - beforeBytes).toBeLessThan(10_000_000)
})
