import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '#lib/engine.ts'
import { json } from '#lib/exchange.ts'
import { createNodeServer } from '#lib/node-server.ts'

/** Who was handed each request, and with which path. */
const { server } = createNodeServer({
  engine: { draining: () => false, config: () => ({ rate: null }) } as unknown as Engine,
  door: { answer: async ({ path }) => json(200, ['door', path]), closeStreams: () => {} },
  rest: async ({ url }, response) => void response.end(JSON.stringify(['next', url])),
  site: null,
  onForwarded: () => {},
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void server.close())

describe('the path is read as Next will read it', () => {
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
  ])('%s is the gateway’s', async (target) => {
    expect(await handedTo(target)).toEqual(['door', '/api/rpc/137'])
  })

  test.each([
    ['/', '/'],
    ['/api/rpcs', '/api/rpcs'],
    ['/api/rpc/../status', '/api/status'],
    ['/x/./y?q=/./api/rpc/137', '/x/y?q=/./api/rpc/137'],
    ['//api/rpc/137', '//api/rpc/137'],
    ['//x/../api/rpc', '//api/rpc'],
    ['*', '*'],
  ])('%s goes on to Next as %s', async (target, path) => {
    expect(await handedTo(target)).toEqual(['next', path])
  })
})

async function handedTo(path: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  const asked = request({ port, host: '127.0.0.1', path, method: path === '*' ? 'OPTIONS' : 'POST' }).end()
  const [response] = await once(asked, 'response')
  return JSON.parse((await response.setEncoding('utf8').toArray()).join(''))
}
