import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createByteBudget } from '#lib/byte-budget.ts'
import { createFetchSend } from '#lib/send-fetch.ts'
import { createUndiciSend } from '#lib/send-undici.ts'
import { SendFault, type SendRequest } from '#rpc-proxy'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const said = '{"jsonrpc":"2.0","id":1,"result":"0x10"}'
const megabyte = Buffer.alloc(1 << 20, 32)
const packed =
  (encoding: string, body: Buffer): Answer =>
  (response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body)

/** Ways for a node to answer, by path. */
const answers: Record<string, Answer> = {
  '/plain': (response) => response.end(said),
  '/echo': (response, request) =>
    response.end(JSON.stringify([request.method, request.url, request.headers])),
  '/busy': (response) => response.writeHead(429, { 'retry-after': '7' }).end('{}'),
  '/redirect': (response) => response.writeHead(307, { location: '/plain' }).end(),
  '/see-other': (response) => response.writeHead(303, { location: '/plain' }).end(),
  '/gzip': packed('gzip', gzipSync(said)),
  '/deflate': packed('deflate', deflateSync(said)),
  '/raw-deflate': packed('deflate', deflateRawSync(said)),
  '/br': packed('br', brotliCompressSync(said)),
  '/corrupt': packed('gzip', Buffer.from('this is not gzip')),
  '/bomb': packed('gzip', gzipSync(Buffer.alloc(64 << 20))),
  '/declared': (response) => response.writeHead(200, { 'content-length': 1 << 30 }).write(megabyte),
  '/endless': (response) => {
    const pour = () => {
      while (!response.destroyed && response.write(megabyte));
    }
    response.on('drain', pour)
    pour()
  },
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

let origin = ''
let connections = 0
const arrived: string[] = []
const gone: string[] = []
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://node').pathname
  arrived.push(path)
  response.on('close', () => {
    if (!response.writableFinished) gone.push(path)
  })
  request.resume().on('end', () => answers[path]?.(response, request))
}).on('connection', () => {
  connections += 1
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
const most = 8 << 20
/** Of the suite's two networks, each: so much more may be on its way. */
const budgets = { undici: createByteBudget(most), fetch: createByteBudget(most) }
const undici = createUndiciSend({ budget: budgets.undici })
afterAll(async () => {
  await undici.close()
  server.closeAllConnections()
  server.close()
})

describe.each([
  ['undici', undici.send],
  ['fetch', createFetchSend(budgets.fetch)],
] as const)('%s', (name, send) => {
  const never = new AbortController().signal
  const post = (path: string, options: Partial<SendRequest> = {}) =>
    send({ url: origin + path, headers: {}, body: '{}', bytesMax: 4 << 20, signal: never, ...options })
  const textOf = async (path: string, options?: Partial<SendRequest>) => {
    const { body } = await post(path, options)
    return typeof body === 'string' ? body : new TextDecoder().decode(body)
  }
  const kindOf = async (pending: Promise<unknown>) => {
    const cause = await pending.then(
      () => 'answered',
      (thrown: unknown) => thrown,
    )
    return cause instanceof SendFault ? cause.kind : cause
  }
  beforeEach(() => {
    gone.length = 0
    arrived.length = 0
  })
  const closed = (path: string) => expect.poll(() => gone.includes(path)).toBe(true)

  test('posts JSON with the headers of the node', async () => {
    const [method, url, headers] = JSON.parse(await textOf('/echo?key=1', { headers: { 'x-key': 'k' } }))
    expect([method, url, headers['x-key'], headers['content-type']]).toEqual([
      'POST',
      '/echo?key=1',
      'k',
      'application/json',
    ])
  })

  test('hands on the status, Retry-After and an error body', async () => {
    expect(await post('/busy')).toMatchObject({ status: 429, retryAfter: '7' })
    expect((await post('/plain')).retryAfter).toBe(null)
  })

  test.each(['/redirect', '/see-other'])('does not follow %s', async (path) => {
    expect(await kindOf(post(path))).toBe('redirect')
  })

  test.each(['/plain', '/gzip', '/deflate', '/raw-deflate', '/br'])('reads %s', async (path) => {
    expect(await textOf(path)).toBe(said)
  })

  test('counts what comes out of decompression, so that a bomb is cut off', async () => {
    expect(await kindOf(post('/bomb', { bytesMax: 1 << 20 }))).toBe('too-large')
  })

  test('refuses a body over the cap by its declared length, and one without end by counting', async () => {
    expect(await kindOf(post('/declared'))).toBe('too-large')
    expect(await kindOf(post('/endless'))).toBe('too-large')
    await closed('/declared')
    await closed('/endless')
  })

  test('is busy when the replies on their way fill the budget, and only then', async () => {
    const budget = budgets[name]
    expect(budget.take(most - said.length)).toBe(true)
    expect(await textOf('/plain')).toBe(said)
    expect(budget.take(1)).toBe(true)
    expect(await kindOf(post('/plain'))).toBe('busy')
    budget.give(most - said.length + 1)
    expect(await textOf('/plain')).toBe(said)
  })

  test('gives back all that it held, whatever became of the reply', async () => {
    for (const path of ['/plain', '/gzip', '/bomb', '/endless', '/cut', '/reset', '/corrupt', '/redirect'])
      await post(path).catch(() => {})
    await post('/stuck', { signal: AbortSignal.timeout(50) }).catch(() => {})
    expect(budgets[name].take(most)).toBe(true)
    budgets[name].give(most)
  })

  test('takes a body of exactly the cap and not one byte more', async () => {
    expect(await textOf('/plain', { bytesMax: said.length })).toBe(said)
    expect(await kindOf(post('/plain', { bytesMax: said.length - 1 }))).toBe('too-large')
    expect(await textOf('/gzip', { bytesMax: said.length })).toBe(said)
    expect(await kindOf(post('/gzip', { bytesMax: said.length - 1 }))).toBe('too-large')
  })

  test.each(['/reset', '/cut', '/corrupt'])('%s is a fault of the connection', async (path) => {
    expect(await kindOf(post(path))).toBe('connection')
  })

  test('a port where nobody listens is a fault of the connection', async () => {
    expect(await kindOf(post('', { url: 'http://127.0.0.1:1/' }))).toBe('connection')
  })

  test.each(['/silent', '/stuck'])('an abort ends %s at once and lets go of the connection', async (path) => {
    const abort = new AbortController()
    const pending = kindOf(post(path, { signal: abort.signal }))
    await expect.poll(() => arrived.includes(path)).toBe(true)
    abort.abort()
    expect(await pending).toBe('cancelled')
    await closed(path)
  })

  test('an abort before the start sends nothing', async () => {
    const before = connections
    expect(await kindOf(post('/plain', { signal: AbortSignal.abort() }))).toBe('cancelled')
    expect(connections).toBe(before)
  })

  test('hands on bytes that are no UTF-8 for the engine to judge', async () => {
    const { body } = await post('/latin')
    expect(typeof body === 'string' ? [] : [...body]).toEqual([0x22, 0xe9, 0x22])
  })

  test('an empty body is an empty body', async () => {
    expect(await textOf('/empty')).toBe('')
  })

  test('keeps its connections from one ask to the next', async () => {
    // Freeing a connection takes a turn of the event loop, so a loop without one may open a second or third.
    await turn()
    const before = connections
    for (let asked = 0; asked < 50; asked += 1) await textOf('/plain')
    expect(connections - before).toBeLessThan(5)
  })
})
