import { once } from 'node:events'
import { Agent, IncomingMessage, request, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { writeToNodeResponse } from '#lib/host/node/node-answer.ts'
import { type HostRequest, unread } from '#lib/http.ts'
import { hostLimits, openBodyBytesMin } from '#lib/limits/host-limits.ts'
import type { Outgoing } from '#lib/limits/outgoing.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { limitsOf, serverForOneFile } from './loopback-server.ts'

/** Short answers need none. */
const outgoing: Outgoing = { acquire: () => null, pace: () => ({ moved: () => {}, end: () => {} }) }
let body = ''
let status = 200
/** What the answer waits for. */
let readyFor = async (_: HostRequest) => {}
const counts = createHostCounts()
const { ask, port } = serverForOneFile({
  answer: async (request) => {
    await readyFor(request)
    return { status, headers: {}, body }
  },
  engineParts: { config: () => ({ rate: { trustedHops: 0 } }) },
  counts,
})
afterEach(() => {
  status = 200
  readyFor = async () => {}
})

const { met } = limitsOf(counts)
const held = () => limitsOf(counts).held('outgoing')
const ready = '/api/rpc/ready'

/** Sends a request without reading the answer. */
function askOnly(): Socket {
  const socket = connect(port(), '127.0.0.1').on('error', () => {})
  socket.pause().write('GET /api/rpc/ready HTTP/1.1\r\nhost: a\r\n\r\n')
  return socket
}

test('a long answer arrives whole, and holds no bytes once it was sent', async () => {
  body = `${'é'.repeat(1000)}${'a'.repeat(777_777)}`
  expect(await ask(ready)).toMatchObject({ status: 200, body })
  await expect.poll(held).toBe(0)
})

test('a caller with unread long answers gets no more, and none is encoded, until they are read', async () => {
  body = 'a'.repeat(20_000_000)
  const fitting = Math.floor(hostLimits.outgoing.perCallerMax / body.length)
  const sockets = Array.from({ length: fitting }, askOnly)
  await expect.poll(held).toBe(fitting * body.length)
  const encoders = [vi.spyOn(Buffer, 'byteLength'), vi.spyOn(Buffer, 'from')]
  expect(await ask(ready)).toMatchObject({ status: unread.status, body: unread.body })
  expect(encoders.flatMap(({ mock }) => mock.calls.filter(([text]) => text === body))).toEqual([])
  expect(met('outgoing')).toBe(1)
  for (const socket of sockets) socket.destroy()
  await expect.poll(held).toBe(0)
  expect((await ask(ready)).status).toBe(200)
})

test('a long answer that is ready only after its caller has left holds no bytes', async () => {
  body = 'a'.repeat(1_000_000)
  let begun = 0
  let ready = 0
  readyFor = async ({ signal }) => {
    begun += 1
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    ready += 1
  }
  const sockets = [askOnly(), askOnly()]
  await expect.poll(() => begun).toBe(2)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => ready).toBe(2)
  expect(held()).toBe(0)
})

test('a reader slower than 100 kB in ten seconds is disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  body = 'a'.repeat(20_000_000)
  // On a slow machine the readers of the previous test may have been counted, too.
  const before = met('slow_readers')
  const socket = askOnly()
  await expect.poll(held).toBe(body.length)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(held()).toBe(body.length)
  await vi.advanceTimersByTimeAsync(1_500)
  await expect.poll(held).toBe(0)
  expect(met('slow_readers')).toBe(before + 1)
  socket.destroy()
})

test.each([
  ['is refused under overload', 503, openBodyBytesMin, 'keep-alive'],
  ['is refused under overload with a long body', 503, openBodyBytesMin + 1, 'close'],
  ['is refused for another reason', 429, openBodyBytesMin, 'close'],
])('an unread request that %s gets the right Connection header', async (_, code, bytes, connection) => {
  status = code
  body = 'refused'
  const asked = request({ port: port(), host: '127.0.0.1', path: '/api/rpc/137', method: 'POST' })
  asked.setHeader('content-length', bytes).setHeader('connection', 'keep-alive')
  asked.flushHeaders()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  expect([response.statusCode, response.headers.connection]).toEqual([code, connection])
  asked.destroy()
})

test('a call refused unread under overload leaves its connection usable', async () => {
  status = 503
  body = 'refused'
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sent = { method: 'POST', agent, body: 'a'.repeat(1000) }
  for (const isReused of [false, true])
    expect(await ask('/api/rpc/137', sent)).toMatchObject({ body: 'refused', isReused })
  agent.destroy()
})

test('answers of one turn of the event loop leave together, and one whose caller has left is dropped', async () => {
  const left: string[] = []
  const exchange = (name: string) => {
    const asked = new IncomingMessage(new Socket())
    asked.complete = true
    const response = new ServerResponse(asked)
    const end = response.end.bind(response)
    response.end = ((text: string, encoding: 'utf8') => {
      left.push(name)
      return end(text, encoding)
    }) as typeof response.end
    writeToNodeResponse({ status: 200, headers: {}, body: name }, asked, response, { outgoing, caller: null })
    return response
  }
  exchange('one')
  exchange('two, whose caller leaves').destroy()
  await Promise.resolve().then(() => exchange('three'))
  expect(left).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(left).toEqual(['one', 'two, whose caller leaves', 'three'])
})
