import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadlines } from '#lib/limits/deadlines.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a deadline that is not cancelled fires once, within a quarter of a second', () => {
  const deadline = createDeadlines()
  const late: string[] = []
  deadline(5000, () => late.push('a'))
  const callOff = deadline(5000, () => late.push('b'))
  deadline(1000, () => late.push('c'))
  callOff()
  vi.advanceTimersByTime(999)
  expect(late).toEqual([])
  vi.advanceTimersByTime(251)
  expect(late).toEqual(['c'])
  vi.advanceTimersByTime(10_000)
  expect(late).toEqual(['c', 'a'])
})

test('leaves no timer without open deadlines, and works again afterwards', () => {
  const deadline = createDeadlines()
  deadline(1000, () => {})()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(250)
  expect(vi.getTimerCount()).toBe(0)
  const late = vi.fn()
  deadline(1000, late)
  vi.advanceTimersByTime(1250)
  expect(late).toHaveBeenCalledOnce()
})
