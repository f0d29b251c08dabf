import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import type { Engine } from '#lib/engine/engine.ts'
import { NodeRequest } from '#lib/host/node/host-node.ts'
import { createSockets, isSocketRequest } from '#lib/host/node/sockets.ts'
import { type HostResponse, refuse } from '#lib/http.ts'
import { hostLimits, socketLimits } from '#lib/limits/host-limits.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { hashOf as keyHashOf, parseConfig } from '#rpc-proxy'
import { listen } from '../../../support/listen.ts'
import { says } from '../../../support/replies.ts'
import { blockAt, hashOf, logAt } from '../../../support/scripted-chain.ts'
import { type WorldOptions, worldOf } from '../../../support/world.ts'
import { limitsOf } from './loopback-server.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

interface HostOptions extends WorldOptions {
  readonly refused?: HostResponse
  readonly isCounted?: boolean
  /** Callers of the configuration; the first one opens all sockets. */
  readonly callers?: readonly object[]
  readonly shared?: Parameters<typeof createSockets>[0]['limits']
}

/** Sockets on a port of their own, over an engine whose nodes reply at once. */
async function hostOf({
  refused,
  isCounted = false,
  callers = [],
  shared = {},
  ...options
}: HostOptions = {}) {
  const on = {
    eth_getBlockByHash: says(blockAt(1001)),
    eth_getBalance: says('0x1'),
    eth_getCode: says(`0x${'ab'.repeat(4_000_000)}`),
  }
  const world = worldOf([{ on }, { on }, { on }], { quorum: 2, ...options })
  const chains = [{ id: 1, nodes: [{ name: 'any', url: 'https://any.example' }] }]
  world.gateway.keyed.reload(parseConfig({ chains, callers }, {}).callers)
  const [keyed = null] = world.gateway.keyed.all()
  const counts = createHostCounts()
  let nowMs = 0
  const sockets = createSockets({
    engine: { gateway: world.gateway } as unknown as Engine,
    counts,
    admit: () => refused ?? keyed,
    now: () => nowMs,
    limits: shared,
  })
  const server = createServer({ shouldUpgradeCallback: isSocketRequest }, (_, response) => {
    response.end('http')
  })
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const surroundings = { site: null, trustedHops: 1, counts: isCounted, leaseBody: () => null }
    sockets.upgrade(new NodeRequest(request, socket, surroundings), { request, socket, head })
  })
  const port = await listen(server)
  ends.push(() => {
    sockets.end()
    server.close()
    world.gateway.close()
  })
  const connect = (headers: Record<string, string> = {}, autoPong = true) =>
    new WebSocket(`ws://127.0.0.1:${port}/api/rpc/1`, { headers, autoPong })
  return {
    ...{ world, sockets, port, connect, met: limitsOf(counts).met },
    pass: (ms: number) => {
      nowMs += ms
    },
    async findBlock() {
      for (const node of Object.values(world.nodes)) node.head = 1001
      await world.clock.advance(2000)
    },
    async open(headers: Record<string, string> = {}) {
      const socket = connect(headers)
      await once(socket, 'open')
      return socket
    },
  }
}

const code = () => callText('eth_getCode', [`0x${'ac'.repeat(20)}`, 'latest'])
const callText = (method: string, params: readonly unknown[] = [], id = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** The next message after the text was sent, parsed. */
async function answerTo(socket: WebSocket, text: string): Promise<Record<string, unknown>> {
  const answered = once(socket, 'message') as Promise<[RawData]>
  socket.send(text)
  return JSON.parse(String((await answered)[0]))
}

/** How a socket is closed after this. */
async function closeOf(socket: WebSocket, act = () => {}): Promise<string> {
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  act()
  return (await closed).join(' ')
}

/** Sooner or later, as a place gets free. */
function expectOpen(open: () => Promise<WebSocket>): Promise<void> {
  const attempt = () =>
    open()
      .then(({ readyState }) => readyState)
      .catch(() => null)
  return expect.poll(attempt).toBe(WebSocket.OPEN)
}

async function refusalOf(socket: WebSocket): Promise<IncomingMessage> {
  const [request, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  Object(request).destroy()
  return response
}

test('a socket answers every method as a request is answered', async () => {
  const { open } = await hostOf()
  const socket = await open()
  const balance = callText('eth_getBalance', [`0x${'ac'.repeat(20)}`, 'latest'], 7)
  expect(await answerTo(socket, balance)).toEqual({ jsonrpc: '2.0', id: 7, result: '0x1' })
  const batch = `[${callText('eth_chainId', [], 1)},${callText('eth_blockNumber', [], 2)}]`
  expect(await answerTo(socket, batch)).toEqual([
    { jsonrpc: '2.0', id: 1, result: '0x1' },
    { jsonrpc: '2.0', id: 2, result: '0x3e8' },
  ])
})

test('a socket that was opened with a key may do what the key may, and ends with it', async () => {
  const callers = [
    { name: 'web', keyHash: keyHashOf('a-key-of-twenty-four-chars'), methods: { deny: ['eth_getCode'] } },
  ]
  const { open, world } = await hostOf({ callers })
  const socket = await open()
  expect(await answerTo(socket, code())).toMatchObject({
    error: { code: -32601, message: expect.stringContaining('this key') },
  })
  expect(await closeOf(socket, () => world.gateway.keyed.reload([]))).toBe('1008 the key has ended')
})

test('a socket is sent what it has subscribed to, after the id', async () => {
  const { open, findBlock } = await hostOf()
  const socket = await open()
  const { result: subscription } = await answerTo(socket, callText('eth_subscribe', ['newHeads']))
  const told = once(socket, 'message')
  await findBlock()
  expect(JSON.parse(String((await told)[0]))).toMatchObject({
    method: 'eth_subscription',
    params: { subscription, result: { hash: hashOf(1001) } },
  })
})

test('two sockets are sent a log of any length whole, and an answer after it', async () => {
  const { open, world, findBlock } = await hostOf()
  const all = [await open(), await open()]
  // Longer than 64 KiB is a frame of another form; what a node adds may be any text.
  const logs = [{ data: '0x' }, { data: `0x${'ab'.repeat(40_000)}` }, { data: '0x', note: 'größer' }]
  const found = logs.map((log, index) => logAt(1001, index, { ...log, blockHash: hashOf(1001) }))
  for (const node of Object.values(world.nodes)) node.on.eth_getLogs = says(found)
  const messages = all.map((socket) => {
    const own: Record<string, unknown>[] = []
    socket.on('message', (data) => own.push(JSON.parse(String(data))))
    socket.send(callText('eth_subscribe', ['logs', {}]))
    return own
  })
  await expect.poll(() => messages.map(({ length }) => length)).toEqual([1, 1])
  await findBlock()
  await expect.poll(() => messages.map(({ length }) => length)).toEqual([4, 4])
  for (const socket of all) socket.send(callText('eth_chainId', [], 2))
  await expect.poll(() => messages.map(({ length }) => length)).toEqual([5, 5])
  for (const [begun, ...own] of messages) {
    const subscription = begun?.result
    expect(own).toEqual([
      ...found.map((result) => ({
        jsonrpc: '2.0',
        method: 'eth_subscription',
        params: { subscription, result },
      })),
      { jsonrpc: '2.0', id: 2, result: '0x1' },
    ])
  }
})

test.each([
  [64, 0],
  [65, 64],
])('of %i sockets %i are sent a block before it is written for the rest', async (count, first) => {
  const { open, findBlock } = await hostOf()
  const messages: string[] = []
  for (const socket of await Promise.all(Array.from({ length: count }, () => open()))) {
    socket.on('message', (data) => messages.push(String(data)))
    socket.send(callText('eth_subscribe', ['newHeads']))
  }
  await expect.poll(() => messages.length).toBe(count)
  const other = await open()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await findBlock()
  // By the time a later call is answered, what was written has arrived.
  await answerTo(other, callText('eth_chainId'))
  await expect.poll(() => messages.length).toBe(count + first)
  vi.runAllTimers()
  await expect.poll(() => messages.length).toBe(2 * count)
})

// What asks for another protocol: tests/edge/hostile.test.ts.
test('no other path is a socket', async () => {
  const { port } = await hostOf()
  const stray = new WebSocket(`ws://127.0.0.1:${port}/api/other`)
  expect((await refusalOf(stray)).statusCode).toBe(200)
})

describe('an upgrade', () => {
  test('is refused with the response of the routes, such as that to a foreign origin', async () => {
    const { connect } = await hostOf({ refused: refuse(403, 'origin not allowed') })
    const headers = { 'content-type': 'application/json' }
    expect(await refusalOf(connect())).toMatchObject({ statusCode: 403, headers })
  })

  test('counts as a request of its caller, and is refused with Retry-After when the budget is spent', async () => {
    const rate = { costPerMinute: 60, siteCallsPerSecond: null, trustedHops: 1 }
    const { connect, open } = await hostOf({ rate, isCounted: true })
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    for (let opened = 0; opened < 20; opened += 1) await open(headers)
    const response = await refusalOf(connect(headers))
    expect(response.statusCode).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    await open({ 'x-forwarded-for': '192.0.2.2' })
  })

  test('of a caller with as many sockets as it may have is refused, and of another is not', async () => {
    const { connect, open, met } = await hostOf({ isCounted: true })
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const { perCallerMax } = hostLimits.sockets
    const all = await Promise.all(Array.from({ length: perCallerMax }, () => open(headers)))
    expect((await refusalOf(connect(headers))).statusCode).toBe(429)
    expect(met('sockets')).toBe(1)
    await open({ 'x-forwarded-for': '192.0.2.2' })
    // One that closes makes room.
    await closeOf(all[0] as WebSocket, () => all[0]?.close())
    await expectOpen(() => open(headers))
  })
})

test('more sockets than all may have are refused with 503, until one of them closes', async () => {
  const { connect, open, met } = await hostOf({ shared: { socketsMax: 2 } })
  const [first] = [await open(), await open()]
  expect((await refusalOf(connect())).statusCode).toBe(503)
  expect(met('sockets')).toBe(1)
  await closeOf(first, () => first.close())
  await expectOpen(open)
})

test('a socket that answers no ping is ended, and one that does stays', async () => {
  const { connect, open } = await hostOf({ shared: { pingEveryMs: 500 } })
  const alive = await open()
  expect(await closeOf(connect({}, false))).toMatch(/^1006/)
  expect(alive.readyState).toBe(WebSocket.OPEN)
})

test('the socket that leaves most unread is closed where all together leave too much, and the others stay', async () => {
  const { open, met } = await hostOf({ shared: { waitingBytesAllMax: 1 << 20 } })
  const [reader, sleeper] = [await open(), await open()]
  sleeper.pause()
  sleeper.send(code())
  await expect.poll(() => met('slow_readers')).toBe(1)
  expect(await closeOf(sleeper, () => sleeper.resume())).toBe('1013 messages are read too slowly')
  expect(reader.readyState).toBe(WebSocket.OPEN)
})

const wide = { bodyBytesMax: 2 * socketLimits.frameBytesMax }

describe('a socket is closed with a code and a reason', () => {
  test('when a frame is longer than it may be, and not one byte before', async () => {
    const { open } = await hostOf({ limits: wide })
    const socket = await open()
    const text = callText('eth_chainId').padEnd(socketLimits.frameBytesMax)
    expect(await answerTo(socket, text)).toMatchObject({ result: '0x1' })
    expect(await closeOf(socket, () => socket.send(`${text} `))).toMatch(/^1009 /)
  })

  test('when it sends more messages in a second than it may', async () => {
    const { open, pass, met } = await hostOf()
    const socket = await open()
    const { messagesPerSecondMax } = socketLimits
    let answered = 0
    socket.on('message', () => {
      answered += 1
    })
    const send = (count: number) => {
      for (let sent = 0; sent < count; sent += 1) socket.send(callText('eth_chainId'))
    }
    for (const second of [1, 2]) {
      send(messagesPerSecondMax)
      await expect.poll(() => answered).toBe(second * messagesPerSecondMax)
      pass(1000)
    }
    const closed = await closeOf(socket, () => send(messagesPerSecondMax + 1))
    expect(closed).toBe('1008 too many messages or bytes in a second')
    expect(met('socket_messages')).toBe(1)
  })

  test('when it sends more bytes in a second than it may', async () => {
    const { open } = await hostOf({ limits: wide })
    const socket = await open()
    const text = callText('eth_chainId').padEnd(socketLimits.frameBytesMax)
    const count = socketLimits.bytesPerSecondMax / socketLimits.frameBytesMax
    for (let sent = 0; sent < count; sent += 1)
      expect(await answerTo(socket, text)).toMatchObject({ result: '0x1' })
    const closed = await closeOf(socket, () => socket.send(text))
    expect(closed).toBe('1008 too many messages or bytes in a second')
  })

  test('when it reads too slowly for what it has asked for, and not while it reads', async () => {
    const { open, met } = await hostOf()
    const [reader, sleeper] = [await open(), await open()]
    for (let count = 0; count < 4; count += 1) expect(await answerTo(reader, code())).toHaveProperty('result')
    sleeper.pause()
    for (let count = 0; count < 8; count += 1) sleeper.send(code())
    await expect.poll(() => met('slow_readers')).toBe(1)
    // What had been sent before is all there, and the reason after it.
    expect(await closeOf(sleeper, () => sleeper.resume())).toBe('1013 messages are read too slowly')
    expect(reader.readyState).toBe(WebSocket.OPEN)
  })
})

test('a drain lets calls in flight be answered, closes with 1012 and waits until all have closed', async () => {
  const { open, sockets, world } = await hostOf()
  const [idle, busy] = [await open(), await open()]
  const order: string[] = []
  for (const [name, socket] of Object.entries({ idle, busy })) {
    socket.on('message', () => order.push(`${name} answered`))
    socket.on('close', (code) => order.push(`${name} ${code}`))
  }
  const object = '{"jsonrpc":"2.0","id":1,"result":"0x1"}'
  for (const node of Object.values(world.nodes))
    node.on.eth_getBalance = () => ({ afterMs: 500, says: { object } })
  busy.send(callText('eth_getBalance', [`0x${'ac'.repeat(20)}`, 'latest']))
  await expect.poll(() => world.requests.some(({ method }) => method === 'eth_getBalance')).toBe(true)
  const drained = sockets.drain().then(() => order.push('drained'))
  await expect.poll(() => order).toContain('idle 1012')
  expect(order).not.toContain('drained')
  await world.clock.advance(600)
  await drained
  await expect.poll(() => order).toContain('busy 1012')
  expect(order.indexOf('busy answered')).toBeLessThan(order.indexOf('busy 1012'))
})
