import { afterEach, expect, test, vi } from 'vitest'
import { surelySignOut } from '#lib/wallet/session.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A server with these answers; the last one repeats. */
function server(...statuses: number[]) {
  const fetch = vi.fn(async () => new Response(null, { status: statuses.shift() ?? 503 }))
  vi.stubGlobal('fetch', fetch)
  return fetch
}
const waits: number[] = []
const wait = async (ms: number) => void waits.push(ms)

test('a background sign-out is retried', async () => {
  const fetch = server(503, 204)
  await surelySignOut(wait)
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(fetch).toHaveBeenCalledWith('/api/auth/session', expect.objectContaining({ method: 'DELETE' }))
})

test('it is given up after three attempts', async () => {
  const fetch = server()
  waits.length = 0
  await expect(surelySignOut(wait)).rejects.toThrow('503')
  expect(fetch).toHaveBeenCalledTimes(3)
  expect(waits).toEqual([1_000, 4_000])
})
