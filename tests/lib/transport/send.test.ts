import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WaitingQuota } from '#lib/limits/waiting-quota.ts'
import { createFetchSend } from '#lib/transport/send-fetch.ts'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import type { SendRequest } from '#rpc-proxy'
import { listen } from '../../support/listen.ts'
import { post as postTo, requestTo } from './support.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const said = '{"jsonrpc":"2.0","id":1,"result":"0x10"}'
const megabyte = Buffer.alloc(1 << 20, 32)
const packed =
  (encoding: string, body: string | Buffer): Answer =>
  (response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
const queryOf = ({ url = '/' }: IncomingMessage) => new URL(url, 'http://node').searchParams

/** Replies of a node, by path. */
const answers: Record<string, Answer> = {
  '/plain': (response) => response.end(said),
  '/echo': (response, request) =>
    response.end(JSON.stringify([request.method, request.url, request.headers])),
  '/status': (response, request) => {
    const { status, ...headers } = Object.fromEntries(queryOf(request))
    response.writeHead(Number(status), headers).end(said)
  },
  '/redirect': (response) => response.writeHead(307, { location: '/plain' }).end(),
  '/see-other': (response) => response.writeHead(303, { location: '/plain' }).end(),
  '/gzip': packed('gzip', gzipSync(said)),
  '/deflate': packed('deflate', deflateSync(said)),
  '/raw-deflate': packed('deflate', deflateRawSync(said)),
  '/br': packed('br', brotliCompressSync(said)),
  '/labelled': (response, request) => packed(queryOf(request).get('as') ?? '', said)(response, request),
  '/packed-megabyte': packed('gzip', gzipSync(megabyte)),
  '/bom': (response) => response.end(`\ufeff${said}`),
  '/newline': (response) => response.end(`${said}\n`),
  '/corrupt': packed('gzip', 'this is not gzip'),
  '/bomb': packed('gzip', gzipSync(Buffer.alloc(64 << 20))),
  '/declared': (response) => response.writeHead(200, { 'content-length': 1 << 30 }).write(megabyte),
  '/endless': (response) => {
    const pour = () => {
      while (!response.destroyed && response.write(megabyte));
    }
    response.on('drain', pour)
    pour()
  },
  // On the wire a part of a byte is six bytes; in memory a hundred, and all of what it arrived in.
  '/bytes': (response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' }).flushHeaders()
    response.socket?.write(`${'1\r\n \r\n'.repeat(50_000)}0\r\n\r\n`)
  },
  /** Closes every reused connection, like a load balancer with an idle timeout. */
  '/idle': (response, { socket }) => (answeredOn.has(socket) ? socket.resetAndDestroy() : response.end(said)),
  '/reset': (response) => response.socket?.resetAndDestroy(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{"jsonrpc"')
    setImmediate(() => response.destroy())
  },
  '/silent': () => {},
  '/stuck': (response) => response.writeHead(200).write('{'),
  '/latin': (response) => response.end(Buffer.from([0x22, 0xe9, 0x22])),
  '/empty': (response) => response.end(),
}

const answeredOn = new WeakSet<Socket>()
let origin = ''
/** Another server that closes idle connections. */
let closingOrigin = ''
let connections = 0
const arrived: string[] = []
const gone: string[] = []
const servers = [0, 1].map(() =>
  createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://node').pathname
    arrived.push(path)
    response.on('close', () => {
      if (!response.writableFinished) gone.push(path)
    })
    request.resume().on('end', () => {
      answers[path]?.(response, request)
      answeredOn.add(request.socket)
    })
  }).on('connection', () => {
    connections += 1
  }),
)

beforeAll(async () => {
  const [first, second] = await Promise.all(servers.map(listen))
  origin = `http://127.0.0.1:${first}`
  closingOrigin = `http://127.0.0.1:${second}`
})
const most = 8 << 20
/** The additional bytes that each transport may have in flight. */
const quotas = { undici: new WaitingQuota(most), fetch: new WaitingQuota(most) }
const undici = new UndiciNetwork({ replies: quotas.undici })
afterAll(async () => {
  await undici.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

describe.each([
  ['undici', undici.send],
  ['fetch', createFetchSend(quotas.fetch)],
] as const)('%s', (name, send) => {
  const bytesMax = 4 << 20
  /** The whole reply. */
  const ask = (path: string, options?: Partial<SendRequest>) =>
    send(requestTo(origin + path, { bytesMax, ...options }))
  /** The body of the reply, or the kind of the fault. */
  const post = (path: string, options?: Partial<SendRequest>) =>
    postTo(send, origin + path, { bytesMax, ...options })
  beforeEach(() => {
    gone.length = 0
    arrived.length = 0
  })
  const closed = (path: string) => expect.poll(() => gone.includes(path)).toBe(true)

  test('posts JSON with the headers of the node', async () => {
    const sent = ['POST', '/echo?key=1', { 'x-key': 'k', 'content-type': 'application/json' }]
    expect(JSON.parse(await post('/echo?key=1', { headers: { 'x-key': 'k' } }))).toMatchObject(sent)
  })

  test('names itself, unless the configuration gives another name', async () => {
    const named = async (headers: Record<string, string>) =>
      JSON.parse(await post('/echo', { headers }))[2]['user-agent']
    expect(await named({})).toMatch(/^quorate\/\d+\.\d+\.\d+$/)
    expect(await named({ 'user-agent': 'acme-gateway/2' })).toBe('acme-gateway/2')
  })

  test.each([
    [429, '7'],
    [503, '0.5'],
    [402, '10s'],
    [403, 'Wed, 21 Oct 2026 07:28:00 GMT'],
    [200, null],
  ])('passes on status %i with Retry-After %s and the body', async (status, retryAfter) => {
    const query = new URLSearchParams({
      status: `${status}`,
      ...(retryAfter && { 'retry-after': retryAfter }),
    })
    const { body, ...head } = await ask(`/status?${query}`)
    expect([head, Buffer.from(body).toString()]).toEqual([{ status, retryAfter }, said])
  })

  test.each([
    ...['/plain', '/gzip', '/deflate', '/raw-deflate', '/br'].map((path) => [path, said]),
    ['/bom', `\ufeff${said}`],
    ['/newline', `${said}\n`],
    ['/empty', ''],
  ])('reads %s, and changes nothing', async (path, text) => {
    expect(await post(path)).toBe(text)
  })

  test('passes invalid UTF-8 to the engine', async () => {
    expect([...Buffer.from((await ask('/latin')).body)]).toEqual([0x22, 0xe9, 0x22])
  })

  test.each([
    ...['utf-8', 'UTF-8', 'none', '', 'identity', 'binary'].map((label) => `/labelled?as=${label}`),
    ...['/plain', '/gzip'],
  ])('accepts %s of exactly the cap, and no byte more', async (path) => {
    expect(await post(path, { bytesMax: said.length })).toBe(said)
    expect(await post(path, { bytesMax: said.length - 1 })).toBe('too-large')
  })

  test.each([
    ['/redirect', 'redirect'],
    ['/see-other', 'redirect'],
    ['/reset', 'connection-reset'],
    ['/cut', 'connection-closed'],
    ['/corrupt', 'malformed'],
    // Decompressed bytes count.
    ['/bomb', 'too-large'],
    // Each would take a hundred times its size. The platform's fetch joins what has arrived.
    ...(name === 'undici' ? [['/bytes', 'too-large']] : []),
  ])('%s is the fault %s', async (path, kind) => {
    expect(await post(path)).toBe(kind)
  })

  test.each(['/declared', '/endless'])('refuses %s, which is over the cap, and closes it', async (path) => {
    expect(await post(path)).toBe('too-large')
    await closed(path)
  })

  test('waits while other replies fill the quota, without failures', async () => {
    const others = quotas[name].open(most)
    const favoured = quotas[name].open(most)
    await favoured.acquire(most)
    let waits = 0
    const pending = post('/plain', { onWait: () => waits++ })
    await expect.poll(() => waits).toBe(1)
    favoured.end()
    expect(await pending).toBe(said)
    others.end()
  })

  test.each(['/plain', '/gzip'])('stops waiting for the quota for %s when aborted', async (path) => {
    const favoured = quotas[name].open(most)
    await favoured.acquire(most)
    const abort = new AbortController()
    expect(await post(path, { signal: abort.signal, onWait: () => abort.abort() })).toBe('cancelled')
    expect(quotas[name].inUse()).toBe(most)
    favoured.end()
  })

  test('reads a burst of compressed replies of four times the quota', async () => {
    let held = 0
    const watch = setInterval(() => {
      held = Math.max(held, quotas[name].inUse())
    })
    const replies = await Promise.all(Array.from({ length: 33 }, () => ask('/packed-megabyte')))
    clearInterval(watch)
    expect(replies.every(({ body }) => body.length === megabyte.length)).toBe(true)
    expect(held).toBeLessThanOrEqual(most)
    expect(quotas[name].inUse()).toBe(0)
  })

  test('frees its whole quota after any outcome', async () => {
    for (const path of ['/plain', '/gzip', '/bomb', '/endless', '/cut', '/reset', '/corrupt', '/redirect'])
      await post(path)
    await post('/stuck', { signal: AbortSignal.timeout(50) })
    expect(quotas[name].inUse()).toBe(0)
  })

  test.each(['/silent', '/stuck'])('an abort ends %s at once and releases the connection', async (path) => {
    const abort = new AbortController()
    const pending = post(path, { signal: abort.signal })
    await expect.poll(() => arrived.includes(path)).toBe(true)
    abort.abort()
    expect(await pending).toBe('cancelled')
    await closed(path)
  })

  test('an abort before the start sends nothing', async () => {
    const before = connections
    expect(await post('/plain', { signal: AbortSignal.abort() })).toBe('cancelled')
    expect(connections).toBe(before)
  })

  describe('a connection that the server closed while it was idle', () => {
    const outcome = (path: string, options?: Partial<SendRequest>) =>
      postTo(send, closingOrigin + path, options)
    beforeEach(async () => {
      expect(await outcome('/plain')).toBe(said)
      await turn()
      arrived.length = 0
    })

    test('does not affect a read, which is retried once', async () => {
      expect(await outcome('/idle')).toBe(said)
      expect(arrived).toEqual(['/idle', '/idle'])
    })

    // The platform's fetch does not expose the connection.
    test(
      name === 'undici'
        ? 'does not affect a transaction, which is sent once on a new connection'
        : 'fails a transaction, which is never sent a second time',
      async () => {
        const told = name === 'undici' ? said : 'connection-reset'
        expect(await outcome('/idle', { idempotent: false })).toBe(told)
        expect(arrived).toEqual(['/idle'])
      },
    )

    test('is a fault when the server closes the next one too', async () => {
      expect(await outcome('/reset')).toBe('connection-reset')
      expect(arrived).toEqual(['/reset', '/reset'])
    })

    if (name === 'undici')
      test('is not assumed for a new connection: that is a fault at once', async () => {
        await outcome('/reset')
        arrived.length = 0
        expect(await outcome('/reset')).toBe('connection-reset')
        expect(arrived).toEqual(['/reset'])
      })
  })

  test('reuses its connections between asks', async () => {
    // Releasing a connection takes a turn of the event loop, so a tight loop may open a second or third one.
    await turn()
    const before = connections
    for (let asked = 0; asked < 50; asked += 1) await post('/plain')
    expect(connections - before).toBeLessThan(5)
  })
})
