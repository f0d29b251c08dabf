import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '#rpc-proxy'
import type { Nodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsForOneFile } from '../support/hosts.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'

const start = hostsForOneFile()
const key = 'key-of-the-web-app-24-chars'
const callers = [
  { name: 'web', keyHash: hashOf(key), methods: { deny: ['eth_gasPrice'] }, perSecond: 1000 },
  { name: 'slow', keyHash: hashOf(`${key}-slow`), perSecond: 1, burst: 1 },
]
let nodes: Nodes
const folder = mkdtempSync(join(tmpdir(), 'keys-'))
beforeAll(async () => {
  nodes = await startMadeUpNodes()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await nodes.stop()
})

async function ask(
  host: Host,
  {
    path = '/api/rpc/137',
    headers = {},
    method = 'eth_getBalance',
  }: { path?: string; headers?: object; method?: string },
) {
  const response = await fetch(`${host.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: method === 'eth_getBalance' ? [`0x${'ab'.repeat(20)}`, 'latest'] : [],
    }),
  })
  return { status: response.status, headers: response.headers, ...(await response.json()) }
}

describe.each(bothHosts)('%s', (kind) => {
  let host: Host
  beforeAll(async () => {
    host = await start(kind, { config: configOf(nodes, { callers, anonymous: 'refused' }) })
  })

  test('a key is taken from either header and from the path, and without one there is no answer', async () => {
    for (const headers of [{ 'x-quorate-key': key }, { authorization: `Bearer ${key}` }])
      expect(await ask(host, { headers })).toMatchObject({ status: 200, result: '0x10' })
    expect(await ask(host, { path: `/api/rpc/137/key/${key}` })).toMatchObject({
      status: 200,
      result: '0x10',
    })
    const refused = await ask(host, {})
    expect(refused).toMatchObject({ status: 401, error: { code: -32600, message: 'a key is needed here' } })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('viem reads with a key in its address alone', async () => {
    const client = createPublicClient({ transport: http(`${host.url}/api/rpc/137/key/${key}`) })
    expect(await client.getBalance({ address: `0x${'ab'.repeat(20)}` })).toBe(16n)
  })

  test('a method that the key may not call is not found, and says why', async () => {
    expect(await ask(host, { headers: { 'x-quorate-key': key }, method: 'eth_gasPrice' })).toMatchObject({
      status: 200,
      error: { code: -32601, message: 'the method eth_gasPrice is not allowed for this key' },
    })
  })

  test('a key that has spent its budget waits as long as it is told', async () => {
    const headers = { 'x-quorate-key': `${key}-slow` }
    await ask(host, { headers })
    await expect
      .poll(async () => {
        const { status, headers: sent } = await ask(host, { headers })
        return [status, sent.get('retry-after')]
      })
      .toEqual([429, '1'])
  })

  test('unknown keys get 401, then 429, and the right one is still taken', async () => {
    // Where callers cannot be told apart, all share what they may guess.
    const guessesMax = kind === 'node' ? 5 : 50
    const statuses: number[] = []
    for (let guess = 0; guess < guessesMax; guess += 1)
      statuses.push((await ask(host, { path: `/api/rpc/137/key/guess-${guess}` })).status)
    expect(new Set(statuses)).toEqual(new Set([401]))
    await expect.poll(async () => (await ask(host, { path: '/api/rpc/137/key/guess' })).status).toBe(429)
    expect(await ask(host, { path: `/api/rpc/137/key/${key}` })).toMatchObject({ status: 200 })
  })
})

test('a key that leaves the configuration has ended at the next SIGHUP', async () => {
  const path = join(folder, 'rpc.json')
  const put = (value: object) => {
    writeFileSync(`${path}.new`, JSON.stringify(value))
    renameSync(`${path}.new`, path)
  }
  put(configOf(nodes, { callers: [] }))
  const host = await start('alone', { env: { RPC_CONFIG_FILE: path } })
  const headers = { 'x-quorate-key': key }
  expect(await ask(host, { headers })).toMatchObject({ status: 401 })
  put(configOf(nodes, { callers }))
  host.signal('SIGHUP')
  await expect.poll(async () => (await ask(host, { headers })).status).toBe(200)
  put(configOf(nodes, { callers: [callers[1]] }))
  host.signal('SIGHUP')
  await expect.poll(async () => (await ask(host, { headers })).status).toBe(401)
})
