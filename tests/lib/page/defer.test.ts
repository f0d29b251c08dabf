import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defer, headStartMs } from '#lib/page/defer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const after = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'figure'))

test('a value within the head start is available for the first byte', async () => {
  const figure = defer(after(headStartMs - 1))
  await vi.advanceTimersByTimeAsync(headStartMs - 1)
  expect(await figure).toEqual({ now: 'figure' })
})

test('a later value does not delay the page, and is still available', async () => {
  const figure = defer(after(headStartMs + 1))
  await vi.advanceTimersByTimeAsync(headStartMs)
  const streamed = await figure
  if (!('later' in streamed)) throw new Error('the page waited for it')
  await vi.advanceTimersByTimeAsync(1)
  expect(await streamed.later).toBe('figure')
})
