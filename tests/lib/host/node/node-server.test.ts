import { EventEmitter, once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pageCaller } from '#lib/engine/page-caller.ts'
import { json } from '#lib/http.ts'
import { serverForOneFile, serverThat } from './loopback-server.ts'

let rate: { readonly trustedHops: number } | null = null

/** The handler and the path of each request. */
const { server, port, ask } = serverForOneFile({
  answer: async ({ path }) => json(200, ['door', path]),
  engineParts: { config: () => ({ rate, callers: [] }), gateway: { spend: () => 0 } },
  rest: {
    handle: async ({ url }, response) => {
      await setImmediate()
      response.end(JSON.stringify(url === '/who' ? pageCaller('203.0.113.1') : ['next', url]))
    },
    built: { actions: new Set(), isPage: () => true },
  },
})

describe('the path is parsed like Next does', () => {
  test.each([
    '/api/rpc/137',
    '/./api/rpc/137',
    '/x/../api/rpc/137',
    '/%2e/api/rpc/137',
    '/x/%2E%2e/api/rpc/137',
    '/api/./rpc/137',
    '/api\\rpc/137',
    '/api/rpc/137?a=1',
    '/./api/rpc/137?a=/../b',
    'http://elsewhere.example/api/rpc/137',
  ])('%s goes to the gateway', async (target) => {
    expect(await handedTo(target)).toEqual(['door', '/api/rpc/137'])
  })

  test.each([
    ['/', '/'],
    ['/api/rpcs', '/api/rpcs'],
    ['/api/rpc/../status', '/api/status'],
    ['/x/./y?q=/./api/rpc/137', '/x/y?q=/./api/rpc/137'],
    ['//api/rpc/137', '//api/rpc/137'],
    ['//x/../api/rpc', '//api/rpc'],
  ])('%s is passed to Next as %s', async (target, path) => {
    expect(await handedTo(target)).toEqual(['next', path])
  })
})

describe('an upgrade that names two hosts', () => {
  const head = ['GET /api/rpc/137 HTTP/1.1', 'Host: one.example', 'Host: other.example']
  const sent = `${[...head, 'Connection: Upgrade', 'Upgrade: websocket'].join('\r\n')}\r\n\r\n`
  const connection = () => connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true })

  test('is refused: a proxy may have used the other; its connection is not left open, though it does not close it', async () => {
    const upgraded = once(server, 'upgrade')
    const socket = connection()
    socket.write(sent)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    const [, refused] = await upgraded
    await expect.poll(() => refused.destroyed).toBe(true)
    socket.destroy()
  })

  test('does not end the process where its caller resets the connection', async () => {
    const upgraded = once(server, 'upgrade')
    const socket = connection()
    socket.write(sent, () => socket.resetAndDestroy())
    const [, refused] = await upgraded
    await expect.poll(() => refused.destroyed).toBe(true)
  })
})

describe('a page is rendered for its caller', () => {
  test.each([
    ['the socket', { trustedHops: 0 }, '127.0.0.1'],
    ['the trusted hop', { trustedHops: 1 }, '198.51.100.7'],
    ['no caller when callers are not counted', null, null],
  ])('identified by %s, and by no header of the visitor', async (_, counted, caller) => {
    rate = counted
    expect(await handedTo('/who', { 'x-forwarded-for': '203.0.113.1, 198.51.100.7' })).toBe(caller)
  })
})

test('an idle connection is kept for as long as it is told to be', () => {
  expect(server.keepAliveTimeout).toBe(620_000)
  // Node closes connections that never asked anything by the other limits.
  expect(server.headersTimeout).toBeLessThan(server.keepAliveTimeout)
})

describe('a drain ends with the last answer, and not when kept connections have been idle for long', () => {
  test.each([
    ['comes after it began', 'short', false],
    ['comes after it began, and is compressed', 'long'.repeat(10_000), false],
    ['is leaving as it begins', 'short', true],
  ])('where an answer %s', async (_, body, isLeaving) => {
    const told = new EventEmitter()
    const asked = once(told, 'asked')
    const answered = once(told, 'answer')
    let draining = false
    const drained = serverThat({
      async answer() {
        told.emit('asked')
        await answered
        return json(200, body)
      },
      engineParts: {
        draining: () => draining,
        async drain() {
          draining = true
          await answered
        },
      },
    })
    await once(drained.server.listen(0, '127.0.0.1'), 'listening')
    const agent = new Agent({ keepAlive: true })
    const came = drained.ask('/api/rpc/137', { agent, headers: { 'accept-encoding': 'gzip' } })
    await asked
    const leave = () => told.emit('answer')
    if (isLeaving) leave()
    // All promises have been dealt with then, and the event loop has not turned.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    const ended = drained.drain(60_000)
    if (!isLeaving) leave()
    const { headers, bytes } = await came
    const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    expect(JSON.parse(plain.toString())).toBe(body)
    await ended
  })
})

async function handedTo(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  return JSON.parse((await ask(path, { headers })).body)
}
