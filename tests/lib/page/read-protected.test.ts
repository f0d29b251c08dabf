import { afterEach, expect, test, vi } from 'vitest'
import { createReadChain } from '#lib/page/read-chain.ts'
import { createReadProtected, protect } from '#lib/page/read-protected.ts'
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
  const call = { method: 'eth_blockNumber', params: [] }
  await createReadProtected('')(1, [call])
  await createReadChain('')(1, [call])
  expect(protect).toBe(header.protect)
  expect(headers.map((each) => each[protect])).toEqual(['1', undefined])
})
