import { expect, test } from 'vitest'
import { cacheTurns, defer } from '#lib/page/defer.ts'

async function after(turns: number): Promise<string> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  return 'figure'
}

test('a figure of the cache is in the first HTML', async () => {
  expect(await defer(after(cacheTurns - 1))).toEqual({ now: 'figure' })
})

test('a page that may wait has what comes in that time in its first HTML', async () => {
  expect(await defer(after(cacheTurns + 1), 60_000)).toEqual({ now: 'figure' })
})

test('a figure that a node must be asked for does not delay the page, and is still available', async () => {
  const streamed = await defer(after(cacheTurns + 1))
  if (!('later' in streamed)) throw new Error('the page waited for it')
  expect(await streamed.later).toBe('figure')
})
