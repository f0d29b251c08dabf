import { expect, test } from 'vitest'
import { SingleFlight } from '../../../../rpc-proxy/cache/single-flight.ts'

const spareMs = 750

test.each([
  [8000, true],
  [8000 + spareMs, true],
  [8000 + spareMs + 1, false],
  [7999, false],
])('a call until %i joins one that ends at 8000: %s', async (endMs, isJoined) => {
  const singleFlight = new SingleFlight<string>(spareMs)
  const { signal } = new AbortController()
  let runs = 0
  const run = async () => `${++runs}`
  const ask = (end: number) =>
    singleFlight.joinOrRun('a', { signal: () => signal, endMs: end, caller: 'one' }, { epoch: 0, run }).value
  expect(await Promise.all([ask(8000), ask(endMs)])).toEqual(['1', isJoined ? '1' : '2'])
})
