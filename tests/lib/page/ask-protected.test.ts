import { afterEach, expect, test, vi } from 'vitest'
import { askGateway } from '#lib/page/ask.ts'
import { askProtected, protect } from '#lib/page/ask-protected.ts'
import { header } from '#rpc-proxy'

afterEach(() => void vi.unstubAllGlobals())

/** The headers of what is sent. */
function recordHeaders(): Record<string, string>[] {
  const all: Record<string, string>[] = []
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    all.push(headers)
    return Response.json([])
  })
  return all
}

test('reads before a signature are sent as protected, by the header of the engine, and no others', async () => {
  const headers = recordHeaders()
  const question = { method: 'eth_blockNumber', params: [] }
  await askProtected('')(1, [question])
  await askGateway('')(1, [question])
  expect(protect).toBe(header.protect)
  expect(headers.map((each) => each[protect])).toEqual(['1', undefined])
})
