import { expect, test } from 'vitest'
import { BodyLimit } from '#lib/limits/body-limit.ts'

/** How many parts of a length it takes, up to `most`. */
function partsTaken(bytesMax: number, length: number, most: number): number {
  const limit = new BodyLimit(bytesMax)
  const part = new Uint8Array(length)
  let taken = 0
  while (taken < most && limit.takes(part)) taken += 1
  return taken
}

test('a body may have as many bytes as its limit, and no more', () => {
  expect(partsTaken(1000, 100, 20)).toBe(10)
  expect(partsTaken(999, 100, 20)).toBe(9)
})

test('a body of single bytes is refused after a thousand parts, one of packets never', () => {
  expect(partsTaken(Number.POSITIVE_INFINITY, 1, 5000)).toBe(1015)
  expect(partsTaken(Number.POSITIVE_INFINITY, 64, 100_000)).toBe(100_000)
  expect(partsTaken(Number.POSITIVE_INFINITY, 63, 100_000)).toBe(64_000)
})
