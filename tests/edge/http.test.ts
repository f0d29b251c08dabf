import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bothHosts, sharedHosts } from '../support/hosts.ts'
import { balanceCall } from '../support/post-json.ts'

const { hostOf } = sharedHosts()
const balance = JSON.stringify(balanceCall)
/** A call whose id has these bytes. */
const withBytes = (...bytes: number[]) =>
  Buffer.from(JSON.stringify({ ...balanceCall, id: String.fromCharCode(...bytes) }), 'latin1')

describe.each(bothHosts)('%s', (kind) => {
  const host = () => hostOf(kind)
  const send = (body: BodyInit | null, init: RequestInit = {}, path = '/api/rpc/137') =>
    fetch(`${host().url}${path}`, {
      method: 'POST',
      body,
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    })
  /** Status, code and id of a refusal, which must always be JSON-RPC. */
  const refusal = async (pending: Promise<Response>) => {
    const response = await pending
    const { jsonrpc, id, error } = JSON.parse(await response.text())
    expect(jsonrpc).toBe('2.0')
    expect(response.headers.get('content-type')).toContain('application/json')
    return [response.status, error.code, id]
  }

  test('a load balancer may keep its connection for as long as it likes: ours closes it later', async () => {
    const response = await host().get('/api/rpc/ready')
    const seconds = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1]
    expect(Number(seconds)).toBeGreaterThan(600)
  })

  describe('a good call', () => {
    test('is answered by the quorum, with headers that say how', async () => {
      const response = await host().call()
      expect([response.status, await response.json()]).toEqual([
        200,
        { jsonrpc: '2.0', id: 1, result: '0x10' },
      ])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-quorate-agreement': '2/1.5/3',
        'x-quorate-answer': expect.stringMatching(/^[\w-]+$/),
        'x-quorate-block': '1000',
        'server-timing': expect.stringContaining('dur='),
        'cache-control': expect.stringContaining('no-store'),
        'x-content-type-options': 'nosniff',
      })
    })

    test('without an id is not answered', async () => {
      const response = await send('{"jsonrpc":"2.0","method":"eth_chainId","params":[]}')
      expect([response.status, await response.text()]).toEqual([204, ''])
    })
  })

  test('an answer over 1,000 bytes is compressed for a client that accepts it', async () => {
    const forty = Array<unknown>(40).fill(balanceCall)
    const response = await host().post('/api/rpc/137', forty, { 'accept-encoding': 'gzip' })
    expect(await response.json()).toHaveLength(40)
    const { headers } = response
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
  })

  describe('bad input', () => {
    test.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
      ['nothing', '', -32700],
      ['a byte order mark', '\ufeff{}', -32700],
      ['a deep nest', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600],
      ['a byte that is no UTF-8', withBytes(0xff), -32700],
      ['a truncated character', withBytes(0xc3), -32700],
      ['a surrogate in UTF-8', withBytes(0xed, 0xa0, 0x80), -32700],
    ])('%s is refused', async (_what, body, code) => {
      expect(await refusal(send(body))).toEqual([400, code, null])
    })

    test('HEAD has no other content-length than GET', async () => {
      for (const path of ['/api/rpc/ready', '/api/rpc/health', '/api/rpc/137', '/api/rpc/nope']) {
        const headers = { 'accept-encoding': 'identity' }
        const head = await send(null, { method: 'HEAD', headers }, path)
        const get = await host().get(path, headers)
        expect(head.status).toBe(get.status)
        const length = head.headers.get('content-length')
        if (length !== null) expect(length).toBe(String((await get.text()).length))
      }
    })

    test('a compressed body is refused, because it could bypass the limit', async () => {
      const packed = send(gzipSync(balance), { headers: { 'content-encoding': 'gzip' } })
      expect(await refusal(packed)).toEqual([415, -32600, null])
    })
  })

  describe('limits', () => {
    test('a body of 512 KiB is accepted, one byte more is not', async () => {
      const max = 524_288
      expect((await send(balance.padEnd(max))).status).toBe(200)
      expect(await refusal(send(balance.padEnd(max + 1)))).toEqual([413, -32600, null])
    })

    test('a body without a declared length is counted while reading', async () => {
      const threeMegabytes = new Blob([' '.repeat(3 << 20)]).stream()
      const refused = send(threeMegabytes, { duplex: 'half' } as RequestInit)
      expect(await refusal(refused)).toEqual([413, -32600, null])
    })
  })

  // What no page of another site may do: cross-site.test.ts.
  describe('other sites', () => {
    const from = (origin: string, fetchSite = 'cross-site') => ({ origin, 'sec-fetch-site': fetchSite })

    test('this site may call', async () => {
      const { status, headers } = await host().call({}, from(host().url, 'same-origin'))
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null])
    })

    test.each(['https://partner.example', 'tauri://localhost'])(
      '%s is listed: it may call and read our headers',
      async (site) => {
        const { status, headers } = await host().call({}, from(site))
        expect([status, headers.get('access-control-allow-origin')]).toEqual([200, site])
        expect(headers.get('vary')).toContain('Origin')
        for (const name of ['answer', 'agreement', 'thin', 'block', 'cache'])
          expect(headers.get('access-control-expose-headers')).toContain(`x-quorate-${name}`)
        const preflight = await send(null, { method: 'OPTIONS', headers: from(site) })
        expect(preflight.status).toBe(204)
        expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
        for (const name of ['content-type', 'x-quorate-protect'])
          expect(preflight.headers.get('access-control-allow-headers')).toContain(name)
      },
    )
  })

  describe('public routes', () => {
    test('ready', async () => {
      const response = await host().get('/api/rpc/ready')
      expect([response.status, await response.json()]).toEqual([200, { ready: true }])
    })

    // All that it says: tests/lib/routes/old-blocks.test.ts.
    test('health: chains without nodes', async () => {
      const textOfHealth = async () => (await host().get('/api/rpc/health')).text()
      // A node that was slow once is told of for a while.
      await expect
        .poll(async () => JSON.parse(await textOfHealth()))
        .toMatchObject({ status: 'ok', chains: [{ chainId: 137, status: 'ok', head: 1000 }] })
      expect(await textOfHealth()).not.toMatch(/liar|127\.0\.0\.1/)
    })
  })
})

// Next reads a body to its end before the answer of an edge route is sent (it keeps at most 10 MB), so endless bodies are
// left to the proxy in front or to Node's limit of five minutes. The Node host needs neither.
test('node: an endless body is not read further than it may be long', async () => {
  let parts = 0
  const endless = new Readable({
    read() {
      parts += 1
      this.push(parts < 4096 ? Buffer.alloc(65_536, ' ') : null)
    },
  })
  const headers = { 'content-type': 'application/json' }
  const asked = request({ port: hostOf('node').port, path: '/api/rpc/137', method: 'POST', headers })
  const status = new Promise((resolve) =>
    asked
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', () => resolve('reset')),
  )
  await pipeline(endless, asked).catch(() => {})
  // A client that is still sending may see the reset before the answer.
  expect([413, 'reset']).toContain(await status)
  expect(parts * 65_536).toBeLessThan(64 << 20)
})
