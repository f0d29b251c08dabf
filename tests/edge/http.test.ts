import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Host } from '../support/host.ts'
import { bothHosts, sharedHosts } from '../support/hosts.ts'
import { balanceCall } from '../support/post-json.ts'

const { hostOf } = sharedHosts()

describe.each(bothHosts)('%s', (kind) => {
  const url = (path = '/api/rpc/137') => `${hostOf(kind).url}${path}`
  const send = (body: string | Uint8Array | undefined, init: RequestInit = {}, path?: string) =>
    fetch(url(path), {
      method: 'POST',
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
      ...(body !== undefined && { body: body as BodyInit }),
    })
  const ask = async (value: unknown, init?: RequestInit) => {
    const response = await send(JSON.stringify(value), init)
    return { status: response.status, headers: response.headers, body: (await response.json()) as never }
  }
  /** Status, code and id of a refusal, which must always be JSON-RPC. */
  const refusal = async (pending: Promise<Response>) => {
    const response = await pending
    const { jsonrpc, id, error } = JSON.parse(await response.text())
    expect(jsonrpc).toBe('2.0')
    expect(response.headers.get('content-type')).toContain('application/json')
    return [response.status, error.code, id]
  }

  test('a load balancer may keep its connection for as long as it likes: ours closes it later', async () => {
    const response = await fetch(url('/api/rpc/ready'))
    const seconds = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1]
    expect(Number(seconds)).toBeGreaterThan(600)
  })

  describe('a good call', () => {
    test('is answered by the quorum, with headers that say how', async () => {
      const { status, headers, body } = await ask(balanceCall)
      expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x10' }])
      expect(headers.get('x-quorate-agreement')).toBe('2/1.5/3')
      expect(headers.get('x-quorate-answer')).toMatch(/^[\w-]+$/)
      expect(headers.get('x-quorate-block')).toBe('1000')
      expect(headers.get('server-timing')).toMatch(/dur=/)
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    })

    test('without an id is not answered', async () => {
      const response = await send('{"jsonrpc":"2.0","method":"eth_chainId","params":[]}')
      expect([response.status, await response.text()]).toEqual([204, ''])
    })
  })

  test('an answer over 1,000 bytes is compressed for a client that accepts it', async () => {
    const forty = Array<unknown>(40).fill(balanceCall)
    const { headers, body } = await ask(forty, { headers: { 'accept-encoding': 'gzip' } })
    expect(body).toHaveLength(40)
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
  })

  describe('bad input', () => {
    test.each([
      ['nothing', '', -32700],
      ['a byte order mark', '\ufeff{}', -32700],
      ['a deep nest', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600],
    ])('%s is refused', async (_what, text, code) => {
      expect(await refusal(send(text))).toEqual([400, code, null])
    })

    test('invalid UTF-8 is refused, including a truncated character', async () => {
      const head = new TextEncoder().encode('{"jsonrpc":"2.0","id":"')
      for (const tail of [[0xff], [0xc3], [0xed, 0xa0, 0x80]])
        expect(await refusal(send(new Uint8Array([...head, ...tail])))).toEqual([400, -32700, null])
    })

    test('HEAD has no other content-length than GET', async () => {
      for (const path of ['/api/rpc/ready', '/api/rpc/health', '/api/rpc/137', '/api/rpc/nope']) {
        const [head, get] = await Promise.all(
          ['HEAD', 'GET'].map((method) =>
            send(undefined, { method, headers: { 'accept-encoding': 'identity' } }, path),
          ),
        )
        expect(head?.status).toBe(get?.status)
        const length = head?.headers.get('content-length') ?? null
        if (length !== null) expect(length).toBe(String((await get?.text())?.length))
      }
    })

    test('a compressed body is refused, because it could bypass the limit', async () => {
      const packed = send(gzipSync(JSON.stringify(balanceCall)), { headers: { 'content-encoding': 'gzip' } })
      expect(await refusal(packed)).toEqual([415, -32600, null])
    })
  })

  describe('limits', () => {
    test('a body of 512 KiB is accepted, one byte more is not', async () => {
      const text = JSON.stringify(balanceCall)
      const max = 524_288
      expect((await send(text.padEnd(max))).status).toBe(200)
      expect(await refusal(send(text.padEnd(max + 1)))).toEqual([413, -32600, null])
    })

    test('a body without a declared length is counted while reading', async () => {
      const threeMegabytes = new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < 48; sent += 1) controller.enqueue(new Uint8Array(65_536).fill(32))
          controller.close()
        },
      })
      const refused = send(undefined, { body: threeMegabytes, duplex: 'half' } as RequestInit)
      expect(await refusal(refused)).toEqual([413, -32600, null])
    })
  })

  // What no page of another site may do: cross-site.test.ts.
  describe('other sites', () => {
    const from = (origin: string, fetchSite = 'cross-site') => ({
      headers: { origin, 'sec-fetch-site': fetchSite },
    })

    test('this site may call', async () => {
      const { status, headers } = await ask(balanceCall, from(url(''), 'same-origin'))
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null])
    })

    test.each(['https://partner.example', 'tauri://localhost'])(
      '%s is listed: it may call and read our headers',
      async (site) => {
        const { status, headers } = await ask(balanceCall, from(site))
        expect([status, headers.get('access-control-allow-origin')]).toEqual([200, site])
        expect(headers.get('vary')).toContain('Origin')
        for (const name of ['answer', 'agreement', 'thin', 'block', 'cache'])
          expect(headers.get('access-control-expose-headers')).toContain(`x-quorate-${name}`)
        const preflight = await send(undefined, { method: 'OPTIONS', ...from(site) })
        expect(preflight.status).toBe(204)
        expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
        expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
        expect(preflight.headers.get('access-control-allow-headers')).toContain('x-quorate-protect')
      },
    )
  })

  describe('public routes', () => {
    test('ready', async () => {
      const response = await fetch(url('/api/rpc/ready'))
      expect([response.status, await response.json()]).toEqual([200, { ready: true }])
    })

    test('health: chains without nodes', async () => {
      const textOfHealth = async () => (await fetch(url('/api/rpc/health'))).text()
      // A node that was slow once is told of for a while.
      await expect
        .poll(async () => JSON.parse(await textOfHealth()))
        .toEqual({
          status: 'ok',
          chains: [
            {
              chainId: 137,
              status: 'ok',
              head: 1000,
              ageMs: expect.any(Number),
              blockAgeMs: expect.any(Number),
              clockBehindMs: expect.any(Number),
              operatorsToLie: { everyday: 2, protected: 2 },
            },
          ],
        })
      expect(await textOfHealth()).not.toMatch(/liar|127\.0\.0\.1/)
    })
  })
})

// Next reads a body to its end before the answer of an edge route is sent (it keeps at most 10 MB), so endless bodies are
// left to the proxy in front or to Node's limit of five minutes. The Node host needs neither.
test('node: an endless body is not read further than it may be long', async () => {
  const { answer, bytes } = await sendChunks(hostOf('node'), 256 << 20)
  // A client that is still sending may see the reset before the answer.
  expect(answer).toMatch(/^(HTTP\/1\.1 413 .*|)$/s)
  expect(bytes).toBeLessThan(64 << 20)
})

/** Sends a chunked body as fast as possible, until the host closes or `bytesMax` were sent. */
async function sendChunks(host: Host, bytesMax: number): Promise<{ answer: string; bytes: number }> {
  const socket = connect(host.port, '127.0.0.1')
  let answer = ''
  let bytes = 0
  let open = true
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const closed = new Promise<void>((resolve) => {
    socket
      .on('error', () => {})
      .on('close', () => {
        open = false
        resolve()
      })
  })
  socket.write(
    'POST /api/rpc/137 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
  while (open && bytes < bytesMax) {
    bytes += 65_536
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
  }
  socket.destroy()
  return { answer, bytes }
}
