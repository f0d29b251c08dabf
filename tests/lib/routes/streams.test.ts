import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createStreams } from '#lib/routes/streams.ts'
import type { Snapshot } from '#rpc-proxy'

beforeEach(() => void vi.useFakeTimers())

function opened(msMax: number | null = null) {
  const snapshot = vi.fn(() => ({ atMs: snapshot.mock.calls.length }) as Snapshot)
  const isIn = vi.fn(() => true)
  const { open } = createStreams(snapshot, msMax)
  const reader = (open(isIn).body as ReadableStream<Uint8Array>).getReader()
  const next = async () => {
    const { value, done } = await reader.read()
    return done ? 'end' : new TextDecoder().decode(value)
  }
  return { snapshot, isIn, open, reader, next }
}

describe('a stream of events', () => {
  test('buffers nothing for a slow reader', async () => {
    const { snapshot, next } = opened()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(snapshot).toHaveBeenCalledTimes(1)
    expect(await next()).toBe('retry: 1000\nevent: snapshot\ndata: {"atMs":1}\n\n')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await next()).toBe('event: snapshot\ndata: {"atMs":2}\n\n')
  })

  test('ends after its maximum time, and leaves no timer', async () => {
    const { next } = opened(60_000)
    await next()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(await next()).toContain('snapshot')
    await vi.advanceTimersByTimeAsync(1000)
    expect([await next(), vi.getTimerCount()]).toEqual(['end', 0])
  })

  test('ends within a second of the log-out, and leaves no timer', async () => {
    const { isIn, next } = opened()
    await next()
    isIn.mockReturnValue(false)
    await vi.advanceTimersByTimeAsync(1000)
    expect([await next(), vi.getTimerCount()]).toEqual(['end', 0])
  })

  test('ends with its reader, and leaves no timer', async () => {
    await opened().reader.cancel()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is limited to 32', () => {
    const { open, isIn } = opened()
    const statuses = Array.from({ length: 32 }, () => open(isIn).status)
    expect(statuses).toEqual([...Array(31).fill(200), 503])
  })
})
