import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { toWeb } from '#lib/host/edge/host-web.ts'
import { encodingFor } from '#lib/host/node/compress.ts'
import type { HostResponse } from '#lib/http.ts'
import { serverForOneFile } from './loopback-server.ts'

let answer: HostResponse = { status: 200, headers: {}, body: '' }
const { ask } = serverForOneFile({ answer: async () => answer })

const plain = { 'content-type': 'application/json' }
const long = 'a'.repeat(1001)

function fetched(body: HostResponse['body'], accept?: string, method = 'POST', headers = {}) {
  answer = { status: 200, headers: { ...plain, ...headers }, body }
  return ask('/api/rpc/137', { method, headers: accept === undefined ? {} : { 'accept-encoding': accept } })
}

describe('an answer over 1,000 bytes', () => {
  test.each([
    ['gzip', 'gzip, deflate', long, gunzipSync],
    // Cheaper, where a client accepts both.
    ['br', 'gzip, deflate, br, zstd', `"${'é€'.repeat(40_000)}"`, brotliDecompressSync],
  ])('is compressed with %s for a client that accepts %s', async (encoding, accept, text, unpack) => {
    const { headers, bytes } = await fetched(text, accept)
    const length = String(bytes.length)
    const sent = { 'content-encoding': encoding, 'content-length': length, vary: 'accept-encoding' }
    expect(headers).toMatchObject(sent)
    expect(unpack(bytes).toString()).toBe(text)
  })

  test.each([undefined, 'identity', 'gzip;q=0', 'deflate'])(
    'is sent uncompressed to %s, with Vary',
    async (accept) => {
      const { headers, body } = await fetched(long, accept)
      expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-length': '1001' })
      expect([headers['content-encoding'], body]).toEqual([undefined, long])
    },
  )

  test('keeps an existing Vary on the origin', async () => {
    const { headers } = await fetched(long, 'gzip', 'POST', { vary: 'Origin' })
    expect(headers.vary).toBe('Origin, accept-encoding')
  })
})

describe('is never compressed', () => {
  test.each([
    ['an answer of 1,000 bytes', long.slice(1), long.slice(1)],
    ['a stream', () => new Blob([long]).stream() as HostResponse['body'], long],
  ])('%s', async (_, body, text) => {
    const { headers, ...read } = await fetched(typeof body === 'string' ? body : body(), 'gzip')
    expect([headers['content-encoding'], headers.vary, read.body]).toEqual([undefined, undefined, text])
  })

  test.each([
    ['a short body', 'short', 'gzip', '5'],
    ['a long body for a client that takes no compression', long, 'identity', '1001'],
    ['a long body for a client that does: known only once it is compressed', long, 'gzip', undefined],
    ['a stream', '', 'gzip', undefined],
  ])('HEAD has the length that GET would have, of %s', async (_, body, accept, length) => {
    const { headers, bytes } = await fetched(body, accept, 'HEAD')
    expect([headers['content-encoding'], headers['content-length'], bytes.length]).toEqual([
      undefined,
      length,
      0,
    ])
    if (length !== undefined)
      expect((await fetched(body, accept, 'GET')).headers['content-length']).toBe(length)
  })
})

test.each([
  ['a'.repeat(1000), 'no-store, no-transform'],
  ['a'.repeat(1001), null],
  ['é'.repeat(501), null],
])('the edge host lets Next compress only long answers', async (body, control) => {
  const response = toWeb({ status: 200, headers: plain, body })
  expect(response.headers.get('cache-control')).toBe(control)
  expect(await response.text()).toBe(body)
})

test.each([
  [null, null],
  ['', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['gzip; q=0.000', null],
  ['gzip;q=x', null],
  ['gzip;q=2', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['identity', null],
  ['identity, gzip', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip;q=0.8', 'gzip'],
  ['zstd, deflate', null],
])('accept-encoding %j allows %j', (accept, encoding) => {
  expect(encodingFor(accept ?? undefined)).toBe(encoding)
})
