import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { json } from '#lib/http.ts'
import { hostLimits, renderMsMax } from '#lib/limits/host-limits.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { bodyBytesMax } from '#site'
import { type LoopbackRequest, limitsOf, serverForOneFile } from './loopback-server.ts'

/** Page requests that Next has not answered yet. */
const making: { request: IncomingMessage; response: ServerResponse }[] = []
/** The Server Actions of the build. */
const actions = new Set<string>()
let waitMs = 0
let rate: { readonly trustedHops: number } | null = null
const counts = createHostCounts()
const { server, port, ask } = serverForOneFile({
  answer: async ({ path }) => json(200, path),
  engineParts: { config: () => ({ rate, callers: [] }), gateway: { spend: () => waitMs } },
  rest: {
    handle: async (asked, response) => {
      making.push({ request: asked, response })
    },
    built: { actions, isPage: (path) => !path.startsWith('/api/') && !path.startsWith('/hooks/') },
  },
  counts,
})
// Next does the same at its first page.
server.on('upgrade', () => {})
beforeEach(() => {
  waitMs = 0
  rate = null
  actions.clear()
  for (const { response } of making.splice(0)) response.end()
})

/** Sends raw bytes, and reads until the host closes. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(port(), '127.0.0.1')
  socket.write(bytes)
  const answer = await text(socket)
  socket.destroy()
  return answer
}

const { met, held } = limitsOf(counts)
/** Asks for pages, and waits until Next makes as many as it may. */
async function asked(count: number) {
  const pages = Array.from({ length: count }, () => ask('/'))
  await expect.poll(() => making.length).toBe(Math.min(count, hostLimits.renders.max))
  return pages
}
const finish = () => {
  for (const { response } of making) response.end()
}
const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))

const action = (headers = {}) => ({ method: 'POST', headers: { 'next-action': 'x', ...headers } })
const noAction = { status: 404, headers: { 'x-nextjs-action-not-found': '1' } }
const noBody = { status: 405, headers: { allow: 'GET, HEAD' } }

test.each<[what: string, asked: LoopbackRequest, refusal: object, built?: string]>([
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'OPTIONS'].map(
    (method): [string, LoopbackRequest, object] => [method, { method }, noBody],
  ),
  ['a server action, where the build has none', action(), noAction],
  ['a server action that the build does not have', action(), noAction, 'y'],
  // Next would log it as a failed page.
  ['a server action from what is no origin', action({ origin: 'nonsense' }), { status: 400 }, 'x'],
  ['a body of a read', { headers: { 'content-length': '1' }, body: 'x' }, { status: 400 }],
])('%s for a page is refused before Next', async (_, asked, refusal, built) => {
  if (built !== undefined) actions.add(built)
  expect(await ask('/', asked)).toMatchObject(refusal)
  expect(making).toEqual([])
})

test.each([
  ['a page', 'GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n'],
  ['the gateway', 'GET /api/rpc/ready HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n'],
])('a request of two hosts for %s is refused', async (_, bytes) => {
  expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 /)
  expect(making).toEqual([])
})

test.each([
  ['a server action of the build', '/', { 'next-action': 'x' }],
  ['a form of one, without script', '/', {}],
  ['what a route handler outside /api takes', '/hooks/x', {}],
])('%s reaches Next', async (_, path, headers) => {
  if (path === '/') actions.add('x')
  const answer = ask(path, { method: 'POST', headers, body: 'hello' })
  await expect.poll(() => making).toHaveLength(1)
  expect(await text(making[0]?.request as IncomingMessage)).toBe('hello')
  making[0]?.response.end()
  expect((await answer).status).toBe(200)
  await expect.poll(() => held('open_bodies')).toBe(0)
})

test('a caller has bodies of 16 MiB for pages and routes; its next one is refused, one beyond a MiB always', async () => {
  rate = { trustedHops: 1 }
  const headers = { 'x-forwarded-for': '203.0.113.9', 'content-length': String(bodyBytesMax) }
  const begin = () => request({ port: port(), path: '/hooks/x', method: 'POST', headers, agent: false })
  const fitting = hostLimits.openBodies.perCallerMax / bodyBytesMax
  const begun = Array.from({ length: fitting }, begin)
  for (const each of begun) each.on('error', () => {}).flushHeaders()
  await expect.poll(() => held('open_bodies')).toBe(hostLimits.openBodies.perCallerMax)
  expect(await ask('/hooks/x', { method: 'POST', headers })).toMatchObject({ status: 429 })
  const larger = { 'content-length': String(bodyBytesMax + 1) }
  expect(await ask('/hooks/x', { method: 'POST', headers: larger })).toMatchObject({ status: 413 })
  for (const each of begun) each.destroy()
  await expect.poll(() => held('open_bodies')).toBe(0)
})

test('an upgrade request beside the gateway is answered like a plain one', async () => {
  const answer = raw(
    'GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n',
  )
  await expect.poll(() => making.length).toBe(1)
  making[0]?.response.end('page')
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(open).toBe(0)
})

test('a caller has 1,024 connections and the next one is closed; a proxy has no limit', async () => {
  const { perCallerMax } = hostLimits.connections
  const dial = async () => {
    const socket = connect(port(), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  rate = { trustedHops: 0 }
  const sockets = await Promise.all(Array.from({ length: perCallerMax }, dial))
  await expect.poll(open).toBe(perCallerMax)
  const before = met('connections')
  const refused = await dial()
  await once(refused.resume(), 'close')
  expect(met('connections')).toBe(before + 1)
  rate = { trustedHops: 1 }
  const proxied = await dial()
  await expect.poll(open).toBe(perCallerMax + 1)
  for (const socket of [...sockets, proxied]) socket.destroy()
  await expect.poll(open).toBe(0)
})

describe('pages', () => {
  const { max, waitingPerCallerMax } = hostLimits.renders

  test('are rendered a few at once; the next one waits for a place, a static file does not', async () => {
    const pages = await asked(max + 1)
    const file = ask('/_next/static/a.js')
    await expect.poll(() => making.length).toBe(max + 1)
    expect(making.at(-1)?.request.url).toBe('/_next/static/a.js')
    making[0]?.response.end()
    await expect.poll(() => making.length).toBe(max + 2)
    finish()
    for (const { status } of await Promise.all([file, ...pages])) expect(status).toBe(200)
  })

  test('beyond the queue are refused with 503 and Retry-After', async () => {
    const before = met('renders')
    const answers: number[] = []
    const pages = Array.from({ length: max + waitingPerCallerMax + 1 }, async () => {
      const { status, headers } = await ask('/')
      answers.push(status ?? 0)
      return headers['retry-after']
    })
    await expect.poll(() => answers).toEqual([503])
    expect(met('renders')).toBe(before + 1)
    const timer = setInterval(finish, 5)
    expect((await Promise.all(pages)).filter((after) => after !== undefined)).toEqual(['2'])
    clearInterval(timer)
  })

  test('that wait for nodes do not take a place', async () => {
    const pages = Array.from({ length: max * 2 }, () => ask('/'))
    await expect.poll(() => making.length).toBe(max * 2)
    finish()
    await Promise.all(pages)
  })

  test('may be unread 64 times by one visitor; the next one is refused, another visitor’s is not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    rate = { trustedHops: 1 }
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    const { perCallerMax } = hostLimits.openPages
    const pages: ReturnType<typeof ask>[] = []
    while (pages.length < perCallerMax) {
      pages.push(ask('/', { headers }))
      await vi.waitFor(() => expect(held('open_pages')).toBe(pages.length))
      await vi.advanceTimersByTimeAsync(renderMsMax)
    }
    const before = met('open_pages')
    expect(await ask('/', { headers })).toMatchObject({ status: 503 })
    expect(met('open_pages')).toBe(before + 1)
    pages.push(ask('/', { headers: { 'x-forwarded-for': '203.0.113.2' } }))
    await vi.waitFor(() => expect(making).toHaveLength(perCallerMax + 1))
    vi.useRealTimers()
    finish()
    for (const { status } of await Promise.all(pages)) expect(status).toBe(200)
  })

  test('are not rendered for a visitor without budget', async () => {
    waitMs = 1500
    expect(await ask('/')).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    expect([making, met('page_budget')]).toEqual([[], 1])
  })

  test('are not rendered for a visitor who has left', async () => {
    const pages = await asked(max)
    expect(held('renders')).toBe(max)
    const left = request({ port: port(), host: '127.0.0.1', path: '/left', agent: false })
      .end()
      .on('error', () => {})
    await expect.poll(open).toBe(max + 1)
    left.destroy()
    await expect.poll(open).toBe(max)
    finish()
    await Promise.all(pages)
    await expect.poll(() => held('renders')).toBe(0)
    expect(making.some(({ request: made }) => made.url === '/left')).toBe(false)
  })
})
