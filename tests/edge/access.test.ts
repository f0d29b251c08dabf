import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '#rpc-proxy'
import { type Control, startControl } from '../../demo/nodes/control.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsBeforeMadeUpNodes } from '../support/hosts.ts'
import { balanceCall } from '../support/post-json.ts'

const { start, nodesOf } = hostsBeforeMadeUpNodes()
const key = 'key-of-the-web-app-24-chars'
let control: Control

beforeAll(async () => {
  control = await startControl([{ chain: 137, nodes: nodesOf().nodes }])
})
afterAll(() => control.stop())

// What a key may do, how often it may be guessed: tests/lib/routes/admit.test.ts and the engine's.
describe.each(bothHosts)('%s with keys for callers, under the demo', (kind) => {
  let host: Host
  beforeAll(async () => {
    const callers = [{ name: 'web', keyHash: hashOf(key) }]
    const env = { OPERATOR_OPEN: '1', DEMO: '1', DEMO_CONTROL_URL: control.url }
    host = await start(kind, { env, more: { callers, anonymous: 'refused' } })
  })

  test('a key is taken from either header and from the path, and without one there is no answer', async () => {
    for (const answered of [
      await host.call({}, { 'x-quorate-key': key }),
      await host.call({}, { authorization: `Bearer ${key}` }),
      await host.post(`/api/rpc/137/key/${key}`, balanceCall),
    ])
      expect([answered.status, await answered.json()]).toMatchObject([200, { result: '0x10' }])
    const refused = await host.call()
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(await refused.json()).toMatchObject({ error: { code: -32600, message: 'a key is needed here' } })
  })

  test('everyone is the operator, and can inject faults', async () => {
    expect((await host.get('/api/rpc/snapshot')).status).toBe(200)
    const give = async (node: string, faultProfile: unknown) =>
      (await host.post(`/api/rpc/nodes/137/${node}`, { action: 'fault', faultProfile })).status
    expect(await give('liar', { kind: 'slow', delayMs: 5 })).toBe(200)
    expect(nodesOf().node('liar').faultProfile()).toMatchObject({ kind: 'slow', delayMs: 5 })
    expect(await give('liar', 'sleepy')).toBe(400)
    expect(await give('nobody', 'slow')).toBe(404)
  })
})
