import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { headStartMs, soon } from '#lib/page/soon.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const after = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'figure'))

test('what comes within the head start is there for the first byte', async () => {
  const figure = soon(after(headStartMs - 1))
  await vi.advanceTimersByTimeAsync(headStartMs - 1)
  expect(await figure).toEqual({ now: 'figure' })
})

test('what comes later does not hold the page back, and is still to be had', async () => {
  const figure = soon(after(headStartMs + 1))
  await vi.advanceTimersByTimeAsync(headStartMs)
  const streamed = await figure
  if (!('later' in streamed)) throw new Error('it was waited for')
  await vi.advanceTimersByTimeAsync(1)
  expect(await streamed.later).toBe('figure')
})
