import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createStreams } from '#lib/routes/streams.ts'
import type { Snapshot } from '#rpc-proxy'

beforeEach(() => {
  vi.useFakeTimers()
})

let taken = 0
const snapshot = () => ({ atMs: ++taken }) as unknown as Snapshot
const always = () => true
const opened = (msMax: number | null, isAllowed = always) => {
  const streams = createStreams(snapshot, msMax)
  const open = () => (streams.open(isAllowed).body as ReadableStream<Uint8Array>).getReader()
  return { ...streams, reader: open(), open }
}
const next = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
  const { value, done } = await reader.read()
  return done ? 'end' : new TextDecoder().decode(value)
}

describe('a stream of events', () => {
  test('buffers nothing for a slow reader', async () => {
    taken = 0
    const { reader } = opened(null)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(taken).toBe(1)
    expect(await next(reader)).toBe('retry: 1000\nevent: snapshot\ndata: {"atMs":1}\n\n')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await next(reader)).toBe('event: snapshot\ndata: {"atMs":2}\n\n')
  })

  test('ends after its maximum time, and leaves no timer', async () => {
    const { reader } = opened(60_000)
    await next(reader)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(await next(reader)).toContain('snapshot')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await next(reader)).toBe('end')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends within a second of the log-out, and leaves no timer', async () => {
    let isIn = true
    const { reader } = opened(null, () => isIn)
    await next(reader)
    isIn = false
    await vi.advanceTimersByTimeAsync(1000)
    expect(await next(reader)).toBe('end')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends with its reader, and leaves no timer', async () => {
    const { reader } = opened(null)
    await reader.cancel()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is limited to 32', () => {
    const streams = createStreams(snapshot, null)
    const statuses = Array.from({ length: 33 }, () => streams.open(always).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(32)
    expect(statuses.at(-1)).toBe(503)
  })
})
