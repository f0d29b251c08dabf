import { createServer as createHttpServer } from 'node:http'
import { connect, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import { createFetchDispatcher } from '#lib/transport/fetch-dispatcher.ts'
import { type Proxies, proxiesOf } from '#lib/transport/outbound-proxy.ts'
import { createFetchSend } from '#lib/transport/send-fetch.ts'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { type Send, SendFault } from '#rpc-proxy'
import { createCertificate } from '../../support/certificates.ts'
import { listen } from '../../support/listen.ts'

const certificate = createCertificate({ name: 'node.example' })
const before = { dispatcher: getGlobalDispatcher(), authorities: tls.getCACertificates() }
const servers: Server[] = []
const sockets = new Set<Socket>()
/** What the proxy was asked, and the connections that the node has seen. */
const asked: string[] = []
let nodeConnections = 0
let authorization: string | undefined
let isRefusing = false

function start(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  return listen(server)
}

let nodePort = 0
let proxyPort = 0

beforeAll(async () => {
  tls.setDefaultCACertificates([certificate.cert])
  const node = createHttpServer((_request, response) => response.end('{"from":"node"}'))
  const secure = tls.createServer(certificate, (socket) => {
    nodeConnections += 1
    node.emit('connection', socket)
  })
  nodePort = await start(secure)
  const proxy = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('{"from":"proxy"}')
  })
  // A real CONNECT: it leads to the node, whatever its name.
  proxy.on('connect', (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    authorization = request.headers['proxy-authorization']
    if (isRefusing) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const onward = connect(nodePort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  proxyPort = await start(proxy)
})
afterEach(() => {
  asked.length = 0
  isRefusing = false
})
afterAll(() => {
  tls.setDefaultCACertificates(before.authorities)
  setGlobalDispatcher(before.dispatcher)
  for (const server of servers) server.close()
  for (const socket of sockets) socket.destroy()
})

const proxies = (more: Readonly<Record<string, string>> = {}) =>
  proxiesOf(parseEnv({ HTTPS_PROXY: `http://user:pass%20word@127.0.0.1:${proxyPort}`, ...more }))

const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

const hosts: readonly (readonly [string, (proxies: Proxies | null) => Send])[] = [
  [
    'the Node host',
    (given) => {
      const { send, close } = new UndiciNetwork({ proxies: given })
      closers.push(close)
      return send
    },
  ],
  [
    'the edge host',
    (given) => {
      setGlobalDispatcher(createFetchDispatcher({ proxies: given }))
      return createFetchSend()
    },
  ],
]

describe.each(hosts)('%s', (host, createSend) => {
  const post = async (send: Send, url: string, idempotent = true) => {
    const { signal } = new AbortController()
    return send({ url, headers: {}, body: '{}', bytesMax: 1000, idempotent, signal }).then(
      ({ body }) => (typeof body === 'string' ? body : new TextDecoder().decode(body)),
      (cause: unknown) => (cause instanceof SendFault ? cause.kind : String(cause)),
    )
  }

  test('reaches an https node through the proxy, which looks its name up, and signs in there', async () => {
    const send = createSend(proxies())
    expect(await post(send, `https://node.example:${nodePort}/`)).toBe('{"from":"node"}')
    expect(asked).toEqual([`CONNECT node.example:${nodePort}`])
    expect(authorization).toBe(`Basic ${btoa('user:pass word')}`)
  })

  test('shares connections through the proxy', async () => {
    const send = createSend(proxies())
    await post(send, `https://node.example:${nodePort}/`)
    const known = nodeConnections
    for (let turn = 0; turn < 10; turn += 1) await post(send, `https://node.example:${nodePort}/`)
    expect(nodeConnections - known).toBeLessThan(4)
  })

  if (host === 'the Node host')
    test('sends each transaction on a connection of its own', async () => {
      const send = createSend(proxies())
      const known = nodeConnections
      for (let turn = 0; turn < 3; turn += 1)
        expect(await post(send, `https://node.example:${nodePort}/`, false)).toBe('{"from":"node"}')
      expect(nodeConnections - known).toBe(3)
    })

  test('sends calls to an http node through HTTP_PROXY', async () => {
    const send = createSend(proxies({ http_proxy: `http://127.0.0.1:${proxyPort}` }))
    expect(await post(send, 'http://plain.example/path')).toBe('{"from":"proxy"}')
    expect(asked).toEqual(['POST http://plain.example/path'])
  })

  test.each(['plain.example', '.example', 'plain.example:1', '*'])(
    'goes past it by NO_PROXY=%s',
    async (no) => {
      const send = createSend(proxies({ HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: no }))
      expect(await post(send, 'http://plain.example:1/')).not.toContain('proxy')
      expect(asked).toEqual([])
    },
  )

  test('never asks the proxy for this machine', async () => {
    const send = createSend(proxies({ HTTP_PROXY: `http://127.0.0.1:${proxyPort}` }))
    expect(await post(send, `http://127.0.0.1:${proxyPort}/own`)).toBe('{"from":"proxy"}')
    expect(asked).toEqual(['POST /own'])
  })

  test('says that it is the proxy: one that refuses, and one that is not there', async () => {
    isRefusing = true
    expect(await post(createSend(proxies()), 'https://node.example/')).toBe('proxy-failed')
    const away = proxies({ HTTPS_PROXY: 'http://127.0.0.1:2', HTTP_PROXY: 'http://127.0.0.1:2' })
    expect(await post(createSend(away), 'https://node.example/')).toBe('proxy-failed')
    expect(await post(createSend(away), 'http://plain.example/')).toBe('proxy-failed')
  })

  test('and that it is the node: a certificate for another name', async () => {
    expect(await post(createSend(proxies()), `https://other.example:${nodePort}/`)).toBe('certificate-name')
  })
})

test('without a variable there is no proxy', () => {
  expect(proxiesOf(parseEnv({ NO_PROXY: 'a' }))).toBe(null)
})

test('a proxy that is no http or https url is refused at start', () => {
  expect(() => parseEnv({ HTTPS_PROXY: 'proxy:3128' })).toThrow('HTTPS_PROXY must be an http or https url')
})
