import { expect, test, vi } from 'vitest'
import { json } from '#lib/http.ts'
import { buildHeader } from '#lib/public-names.ts'
import { hostRequest } from '../../support/host-request.ts'
import { routesOver } from './made-routes.ts'

const site = 'https://gateway.example'
const app = 'https://app.example'
const variables = { APP_ORIGIN: site, RPC_ALLOWED_ORIGINS: app, OPERATOR_OPEN: '1' }
const keyed = { hasBeenUsed: false, all: () => [] }
const gateway = { snapshot: () => ({ chains: [] }), keyed }
const config = () => ({ anonymous: 'allowed' })
const engine = { gateway, config, health: async () => json(200, {}) }
const routes = routesOver(engine, variables)
const headersOf = async (path: string, origin: string) =>
  (await routes.answer(hostRequest({ path, headers: { origin, host: 'gateway.example' } }))).headers

test.each(['/api/rpc/health', '/api/rpc/ready'])('pages of a listed site may read %s', async (path) => {
  expect(await headersOf(path, app)).toMatchObject({ 'access-control-allow-origin': app, vary: 'Origin' })
})

test('every answer names the build of the pages, so that a tab from before a deployment finds out', async () => {
  for (const path of ['/api/rpc/ready', '/api/rpc/nothing', '/api/rpc/events/x/y', '/api/operator/session'])
    expect(await headersOf(path, site)).toMatchObject({ [buildHeader]: 'two' })
  const alone = routesOver({}, variables, { build: null })
  const { headers } = await alone.answer(hostRequest({ path: '/api/rpc/ready' }))
  expect(headers).not.toHaveProperty(buildHeader)
})

test('an upgrade to a web socket that no host has taken is refused with 426 and a sentence', async () => {
  const headers = { upgrade: 'websocket', connection: 'upgrade' }
  const response = await routes.answer(hostRequest({ path: '/api/rpc/137', method: 'GET', headers }))
  expect(response).toMatchObject({ status: 426, body: expect.stringContaining('no WebSockets') })
})

test.each([
  ['a program', '/api/rpc/137', undefined, 101],
  ['a page of a listed site', '/api/rpc/137', app, 101],
  ['a page of this site', '/api/rpc/137', site, 101],
  ['a page of another site', '/api/rpc/137', 'https://elsewhere.example', 403],
  ['a chain that is not served', '/api/rpc/1', undefined, 404],
  ['a chain whose number begins as one that is', '/api/rpc/1374', undefined, 404],
  ['no chain', '/api/rpc/events', undefined, 404],
])('a web socket of %s: %s from %s is %i', (_, path, origin, status) => {
  const served = routesOver({ ...engine, config: () => ({ chains: [{ id: 137 }] }) }, variables)
  const headers = { host: 'gateway.example', ...(origin && { origin }) }
  expect(served.admitSocket(hostRequest({ path, headers })) ?? { status: 101 }).toMatchObject({ status })
})

test.each(['/api/rpc/1/137', '/api/rpc/137/1', '/api/rpc/137.rsc', '/api/rpc/x137'])(
  'the path %s is not found',
  async (path) => {
    const response = await routes.answer(hostRequest({ path, method: 'POST' }))
    expect(response).toMatchObject({ status: 404, body: expect.stringContaining('unknown chain') })
  },
)

test('a HEAD request for an event stream leaves no stream open', async () => {
  const [path, empty] = ['/api/rpc/events', { status: 200, body: '' }]
  for (let count = 0; count < 40; count += 1)
    expect(await routes.answer(hostRequest({ path, method: 'HEAD' }))).toMatchObject(empty)
  const { status, body } = await routes.answer(hostRequest({ path }))
  expect(status).toBe(200)
  if (typeof body !== 'string') await body.cancel()
})

test('a page under an unknown name gets an error that names the setting', async () => {
  const anywhere = routesOver({ gateway })
  const headers = { origin: 'http://rebound.example', host: 'rebound.example' }
  const { status, body } = await anywhere.answer(hostRequest({ path: '/api/rpc/1', method: 'POST', headers }))
  expect([status, body]).toEqual([403, expect.stringContaining('APP_ORIGIN is not set')])
})

test.each([
  ['pages of a site that is not listed', '/api/rpc/health', 'https://evil.example'],
  ['pages of a site without a name', '/api/rpc/health', 'null'],
  ['pages of a listed site, of what is the operator’s', '/api/rpc/snapshot', app],
])('nothing is shared with %s', async (_, path, origin) => {
  expect(await headersOf(path, origin)).not.toHaveProperty('access-control-allow-origin')
})

test('the refusal after too many wrong tokens ends after a minute, even if the system clock is set back', async () => {
  vi.useFakeTimers()
  const token = 'a-token-of-the-operator'
  const guarded = routesOver(engine, { OPERATOR_TOKEN: token })
  const headers = { authorization: 'Bearer a-wrong-token-of-16' }
  const guess = async () =>
    (await guarded.answer(hostRequest({ path: '/api/rpc/snapshot', method: 'GET', headers }))).status
  for (let turn = 0; turn < 60; turn += 1) await guess()
  expect(await guess()).toBe(429)
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(120_000)
  expect(await guess()).toBe(401)
})
