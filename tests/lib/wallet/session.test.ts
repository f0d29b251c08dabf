import { afterEach, expect, test, vi } from 'vitest'
import { surelySignOut } from '#lib/wallet/session.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['at once', [204], 1, 0, 'done'],
  ['at the second attempt', [503, 204], 2, 1000, 'done'],
  ['never, and is given up after the third', [], 3, 5000, 'DELETE session: 503'],
])('a background sign-out succeeds %s', async (_, statuses, requests, ms, outcome) => {
  vi.useFakeTimers({ now: 0 })
  const fetch = vi.fn(async () => new Response(null, { status: statuses.shift() ?? 503 }))
  vi.stubGlobal('fetch', fetch)
  const signedOut = surelySignOut().then(
    () => 'done',
    ({ message }: Error) => message,
  )
  await vi.runAllTimersAsync()
  expect(await signedOut).toBe(outcome)
  expect([fetch.mock.calls.length, Date.now()]).toEqual([requests, ms])
  expect(fetch).toHaveBeenCalledWith('/api/auth/session', expect.objectContaining({ method: 'DELETE' }))
})
