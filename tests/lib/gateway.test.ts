import { expect, test } from 'vitest'
import type { Engine } from '#lib/engine.ts'
import { createDoor } from '#lib/gateway.ts'
import { hostRequest } from '../support/exchange.ts'

const site = 'https://gateway.example'
const app = 'https://app.example'
const gateway = { refresh: async () => {}, snapshot: () => ({ chains: [] }) }
const door = createDoor({ gateway, draining: () => false } as unknown as Engine, {
  site,
  listed: [app],
  streamMsMax: null,
  controlUrl: null,
  operator: { OPERATOR_OPEN: true },
})
const headersOf = async (path: string, origin: string) =>
  (await door.answer(hostRequest({ path, headers: { origin, host: 'gateway.example' } }))).headers

test('pages of a listed site may read how well the chains are', async () => {
  for (const path of ['/api/rpc/health', '/api/rpc/ready'])
    expect(await headersOf(path, app)).toMatchObject({ 'access-control-allow-origin': app, vary: 'Origin' })
})

test.each([
  ['pages of a site that is not listed', '/api/rpc/health', 'https://evil.example'],
  ['pages of a site without a name', '/api/rpc/health', 'null'],
  ['pages of a listed site, of what is the operator’s', '/api/rpc/snapshot', app],
])('nothing is shared with %s', async (_, path, origin) => {
  expect(await headersOf(path, origin)).not.toHaveProperty('access-control-allow-origin')
})
