import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '#rpc-proxy'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsBeforeMadeUpNodes } from '../support/hosts.ts'
import { configOf } from '../support/made-up-nodes.ts'
import { balanceCall, postJson } from '../support/post-json.ts'

const { start, nodesOf } = hostsBeforeMadeUpNodes()
const key = 'key-of-the-web-app-24-chars'
const callers = [{ name: 'web', keyHash: hashOf(key) }]
const folder = mkdtempSync(join(tmpdir(), 'keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function ask(host: Host, headers: Readonly<Record<string, string>>, path = '/api/rpc/137') {
  const response = await postJson(`${host.url}${path}`, balanceCall, headers)
  return { status: response.status, headers: response.headers, ...(await response.json()) }
}

// What a key may do, how often it may be guessed: tests/lib/routes/admit.test.ts and the engine's.
describe.each(bothHosts)('%s', (kind) => {
  let host: Host
  beforeAll(async () => {
    host = await start(kind, { more: { callers, anonymous: 'refused' } })
  })

  test('a key is taken from either header and from the path, and without one there is no answer', async () => {
    for (const headers of [{ 'x-quorate-key': key }, { authorization: `Bearer ${key}` }])
      expect(await ask(host, headers)).toMatchObject({ status: 200, result: '0x10' })
    expect(await ask(host, {}, `/api/rpc/137/key/${key}`)).toMatchObject({ status: 200, result: '0x10' })
    const refused = await ask(host, {})
    expect(refused).toMatchObject({ status: 401, error: { code: -32600, message: 'a key is needed here' } })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  })
})

test('a key that leaves the configuration has ended at the next SIGHUP', async () => {
  const path = join(folder, 'rpc.json')
  const put = (value: object) => {
    writeFileSync(`${path}.new`, JSON.stringify(value))
    renameSync(`${path}.new`, path)
  }
  put(configOf(nodesOf(), { callers: [] }))
  const host = await start('alone', { config: undefined, env: { RPC_CONFIG_FILE: path } })
  const headers = { 'x-quorate-key': key }
  expect(await ask(host, headers)).toMatchObject({ status: 401 })
  put(configOf(nodesOf(), { callers }))
  host.signal('SIGHUP')
  await expect.poll(async () => (await ask(host, headers)).status).toBe(200)
  put(configOf(nodesOf(), { callers: [{ name: 'other', keyHash: hashOf(`${key}-other`) }] }))
  host.signal('SIGHUP')
  await expect.poll(async () => (await ask(host, headers)).status).toBe(401)
})
