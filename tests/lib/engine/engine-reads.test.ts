import { afterEach, expect, test, vi } from 'vitest'
import { post } from '#lib/engine/engine-reads.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['is charged to its visitor', '198.51.100.7', '198.51.100.7'],
  ['has no caller when callers are unknown', null, null],
])('a page that reads from a remote gateway %s', async (_, caller, reported) => {
  const fetched = vi.fn<typeof fetch>(async () => new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  await post(137, '[]', { caller, signal: new AbortController().signal })
  expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).get('x-forwarded-for')).toBe(reported)
})
