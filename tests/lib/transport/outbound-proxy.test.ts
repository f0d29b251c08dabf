import { createServer as createHttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import { proxiesOf } from '#lib/transport/outbound-proxy.ts'
import { createCertificate } from '../../support/certificates.ts'
import { listen } from '../../support/listen.ts'
import { hosts, post, trustForOneFile } from './support.ts'

const certificate = createCertificate({ name: 'node.example' })
trustForOneFile([certificate])
/** What the proxy was asked, and the connections that the node has seen. */
const asked: string[] = []
let nodeConnections = 0
let authorization: string | undefined
let isRefusing = false
let nodePort = 0
let proxyUrl = ''

const node = createHttpServer((_request, response) => response.end('{"from":"node"}'))
const secure = tls.createServer(certificate, (socket) => {
  nodeConnections += 1
  node.emit('connection', socket)
})
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

beforeAll(async () => {
  nodePort = await listen(secure)
  proxyUrl = `http://127.0.0.1:${await listen(proxy)}`
})
afterEach(() => {
  asked.length = 0
  isRefusing = false
})
afterAll(() => {
  secure.close()
  proxy.close()
})

const proxies = (more: Readonly<Record<string, string>> = {}) =>
  proxiesOf(parseEnv({ HTTPS_PROXY: proxyUrl.replace('//', '//user:pass%20word@'), ...more }))

describe.each(hosts)('%s', (host, createSend) => {
  const sendThrough = (more?: Parameters<typeof proxies>[0]) => createSend({ proxies: proxies(more) })
  const secureUrl = (name = 'node.example') => `https://${name}:${nodePort}/`

  test('reaches an https node through the proxy, which looks its name up, and signs in there', async () => {
    expect(await post(sendThrough(), secureUrl())).toBe('{"from":"node"}')
    expect(asked).toEqual([`CONNECT node.example:${nodePort}`])
    expect(authorization).toBe(`Basic ${btoa('user:pass word')}`)
  })

  test('shares connections through the proxy', async () => {
    const send = sendThrough()
    await post(send, secureUrl())
    const known = nodeConnections
    for (let turn = 0; turn < 10; turn += 1) await post(send, secureUrl())
    expect(nodeConnections - known).toBeLessThan(4)
  })

  if (host === 'the Node host')
    test('sends each transaction on a connection of its own', async () => {
      const send = sendThrough()
      const known = nodeConnections
      for (let turn = 0; turn < 3; turn += 1)
        expect(await post(send, secureUrl(), { idempotent: false })).toBe('{"from":"node"}')
      expect(nodeConnections - known).toBe(3)
    })

  test('sends calls to an http node through HTTP_PROXY', async () => {
    const send = sendThrough({ http_proxy: proxyUrl })
    expect(await post(send, 'http://plain.example/path')).toBe('{"from":"proxy"}')
    expect(asked).toEqual(['POST http://plain.example/path'])
  })

  test.each(['plain.example', '.example', 'plain.example:1', '*'])(
    'goes past it by NO_PROXY=%s',
    async (no) => {
      const send = sendThrough({ HTTP_PROXY: proxyUrl, NO_PROXY: no })
      expect(await post(send, 'http://plain.example:1/')).not.toContain('proxy')
      expect(asked).toEqual([])
    },
  )

  test('never asks the proxy for this machine', async () => {
    const send = sendThrough({ HTTP_PROXY: proxyUrl })
    expect(await post(send, `${proxyUrl}/own`)).toBe('{"from":"proxy"}')
    expect(asked).toEqual(['POST /own'])
  })

  test('says that it is the proxy: one that refuses, and one that is not there', async () => {
    isRefusing = true
    expect(await post(sendThrough(), 'https://node.example/')).toBe('proxy-failed')
    const send = sendThrough({ HTTPS_PROXY: 'http://127.0.0.1:2', HTTP_PROXY: 'http://127.0.0.1:2' })
    for (const url of ['https://node.example/', 'http://plain.example/'])
      expect(await post(send, url)).toBe('proxy-failed')
  })

  test('and that it is the node: a certificate for another name', async () => {
    expect(await post(sendThrough(), secureUrl('other.example'))).toBe('certificate-name')
  })
})

test('without a variable there is no proxy', () => {
  expect(proxiesOf(parseEnv({ NO_PROXY: 'a' }))).toBe(null)
})

test('a proxy that is no http or https url is refused at start', () => {
  expect(() => parseEnv({ HTTPS_PROXY: 'proxy:3128' })).toThrow('HTTPS_PROXY must be an http or https url')
})
