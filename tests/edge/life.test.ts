import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '#rpc-proxy'
import { folderForOneFile } from '../support/folder.ts'
import type { Host, HostKind, HostOptions } from '../support/host.ts'
import {
  asOperator,
  bothHosts,
  hostsForOneFile,
  operatorToken,
  runToEnd,
  sharedHosts,
} from '../support/hosts.ts'
import { chainOf, configOf, honest } from '../support/made-up-nodes.ts'
import { late, says } from '../support/replies.ts'

const { hostOf, nodesOf } = sharedHosts()
const startHost = hostsForOneFile()
const start = (kind: HostKind, options: HostOptions = {}) =>
  startHost(kind, { config: configOf(nodesOf()), ...options })
const folder = folderForOneFile()
/** Told to end before the first test: it takes half a minute, in which the others run. */
let beside: Host
let silent: Socket

beforeAll(async () => {
  beside = await start('edge')
  silent = connect(beside.port, '127.0.0.1')
  await once(silent, 'connect')
  beside.signal('SIGTERM')
})
afterAll(() => void silent.destroy())
afterEach(async () => {
  for (const name of ['a', 'b']) await nodesOf().node(name).setFaultProfile(honest())
})

const slowMethod = 'eth_getTransactionCount'
const slowCall = { method: slowMethod }
const resultOf = async (response: Response) => (await response.json()).result
/** Slow nodes, so that a call is in flight when something happens. */
async function slowly(delayMs: number): Promise<void> {
  for (const name of ['a', 'b'])
    await nodesOf()
      .node(name)
      .setFaultProfile(honest({ [slowMethod]: late(delayMs, says('0x1')) }))
}
const asked = () => nodesOf().node('a').callCount(slowMethod)
/** A call in flight, which slow nodes have been asked for. */
async function askSlowly(host: Host, delayMs: number): Promise<{ readonly answer: Promise<Response> }> {
  await slowly(delayMs)
  const before = asked()
  const answer = host.call(slowCall)
  await expect.poll(asked).toBeGreaterThan(before)
  return { answer }
}

const badNodes = [
  { name: 'a', url: 'ftp://x', weight: 0 },
  { name: 'a', url: 'http://x/$' + '{NO_KEY}' },
]
const badConfig = { RPC_CONFIG: JSON.stringify({ chains: [{ id: 137, quorum: 5, nodes: badNodes }] }) }
const allOfBadConfig = [
  'invalid weight; must be integer in [1, 512]',
  'duplicate name',
  'environment variable NO_KEY is not set',
]
const badEnv = { OPERATOR_TOKEN: 'short', LOG_LEVEL: 'loud' }
const allOfBadEnv = ['OPERATOR_TOKEN must be at least 16 characters', 'LOG_LEVEL must be']
const badFile = join(folder, 'bad.json')
writeFileSync(badFile, '{')

// Read before anything is served: by server.ts, with pages or without, and on the edge host by instrumentation.ts.
test.concurrent.each<readonly [HostKind, Readonly<Record<string, string>>, readonly string[]]>([
  ['alone', badEnv, allOfBadEnv],
  ['edge', badEnv, allOfBadEnv],
  ['alone', badConfig, allOfBadConfig],
  ['edge', badConfig, allOfBadConfig],
  ['alone', { RPC_CONFIG_FILE: badFile }, ['not JSON']],
  ['edge', { RPC_CONFIG_FILE: badFile }, ['RPC_CONFIG_FILE is read by the Node host alone']],
])('%s with the settings %o does not start, and lists every error: %o', async (kind, env, errors) => {
  const { code, output } = await runToEnd(kind, { env })
  expect(code).toBe(1)
  for (const error of errors) expect(output).toContain(error)
})

describe.each(bothHosts)('%s whose callers disconnect while being answered', (kind) => {
  const host = () => hostOf(kind)
  const post = (path: string) => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
    return leave(host(), `${head}content-length: ${body.length}\r\n\r\n${body}`)
  }

  test.each(['/api/rpc/137', '/api/auth/verify', '/'])('%s logs no stack trace', async (path) => {
    const before = host().output().length
    await Promise.all(Array.from({ length: 20 }, () => post(path)))
    for (let round = 0; round < 20; round++) await post(path)
    expect((await host().call()).status).toBe(200)
    expect(host().output().slice(before)).not.toMatch(/aborted|uncaught|ECONNRESET/)
  })

  test('aborts their own asks', async () => {
    await host().call()
    await slowly(30_000)
    nodesOf().node('a').clearRequests()
    const departure = new AbortController()
    const left = host()
      .call(slowCall, {}, departure.signal)
      .catch(() => 'left')
    const last = () =>
      nodesOf()
        .node('a')
        .requests()
        .findLast(({ calls }) => calls.some(({ method }) => method === slowMethod))
    await expect.poll(last).toBeDefined()
    departure.abort()
    expect(await left).toBe('left')
    await expect.poll(() => last()?.end).toBe('aborted')
  })
})

describe('the files of a configuration and of a secret', () => {
  const path = join(folder, 'config.json')
  const tokenPath = join(folder, 'operator-token')
  const newToken = 'the-token-of-today-00'
  let host: Host
  beforeAll(async () => {
    put(configOf(nodesOf()))
    writeFileSync(tokenPath, `${operatorToken}\n`)
    const env = { RPC_CONFIG_FILE: path, OPERATOR_TOKEN_FILE: tokenPath }
    host = await start('alone', { config: undefined, env })
  })
  const put = (value: unknown) => {
    // Moved into place, like a ConfigMap.
    writeFileSync(`${path}.new`, typeof value === 'string' ? value : JSON.stringify(value))
    renameSync(`${path}.new`, path)
  }
  const chainsOf = async () => {
    const { chains } = await (await host.get('/api/rpc/health')).json()
    return chains.map(({ chainId }: { chainId: number }) => chainId)
  }

  test('a configuration is reloaded when it changes and on SIGHUP; an invalid one is refused, and no call is dropped', async () => {
    expect(await chainsOf()).toEqual([137])

    // Constant traffic: each call must be answered.
    let failed = 0
    let ended = false
    const traffic = (async () => {
      while (!ended) if ((await host.call()).status !== 200) failed += 1
    })()

    const chain = chainOf(nodesOf())
    put(configOf(nodesOf(), { chains: [chain, { ...chain, id: 10 }] }))
    await expect.poll(() => chainsOf()).toEqual([137, 10])

    const invalid = { name: '', url: 'http://key-in-url' }
    put({ chains: [{ id: 137, nodes: [{ name: 'a', url: 'x' }, invalid] }] })
    await expect.poll(host.output).toContain('configuration refused; the one before stays')
    for (const error of ['invalid url', 'invalid name']) expect(host.output()).toContain(error)
    expect(host.output()).not.toContain('key-in-url')

    put('{ not json')
    host.signal('SIGHUP')
    await expect.poll(host.output).toContain('not JSON')
    expect(await chainsOf()).toEqual([137, 10])

    put(configOf(nodesOf()))
    host.signal('SIGHUP')
    await expect.poll(() => chainsOf()).toEqual([137])
    ended = true
    await traffic
    expect(failed).toBe(0)
  })

  test("a new operator's token in its file opens the snapshot and closes it to the old one, without a restart", async () => {
    const statusOf = async (given: string) =>
      (await host.get('/api/rpc/snapshot', { authorization: `Bearer ${given}` })).status
    expect([await statusOf(operatorToken), await statusOf(newToken)]).toEqual([200, 401])

    writeFileSync(tokenPath, newToken)
    // Not asked until then: after some wrong tokens the answer is 429.
    await expect.poll(() => host.output()).toContain('"changed":"OPERATOR_TOKEN"')
    expect([await statusOf(newToken), await statusOf(operatorToken)]).toEqual([200, 401])

    // A file that is being written, or a token that is too short, changes nothing.
    writeFileSync(tokenPath, 'short')
    await expect.poll(() => host.output()).toContain('secrets refused')
    expect(await statusOf(newToken)).toBe(200)
    expect(host.output()).toMatch(/"changed":"OPERATOR_TOKEN","nextStart":""/)
    expect(host.output()).not.toContain(newToken)
  })

  test('a key that leaves the configuration has ended at the next SIGHUP', async () => {
    const key = 'key-of-the-web-app-24-chars'
    const take = (callerKey: string) => {
      put(configOf(nodesOf(), { callers: [{ name: 'web', keyHash: hashOf(callerKey) }] }))
      host.signal('SIGHUP')
    }
    const status = async () => (await host.call({}, { 'x-quorate-key': key })).status
    // Whatever the tests before this one have left there.
    put(configOf(nodesOf()))
    expect(await status()).toBe(401)
    take(key)
    await expect.poll(status).toBe(200)
    take(`${key}-other`)
    await expect.poll(status).toBe(401)
  })
})

test.each([
  ['node', 'SIGTERM', [0, 143]],
  ['edge', 'SIGTERM', [0, 143]],
  ['edge', 'SIGINT', [0, 130]],
] as const)('%s on %s answers calls in flight and exits', async (kind, signal, codes) => {
  const host = await start(kind)
  await host.call()
  const inFlight = await askSlowly(host, 1000)
  host.signal(signal)
  expect(await resultOf(await inFlight.answer)).toBe('0x1')
  expect(await host.ended).toBeOneOf([...codes])
})

test('edge on SIGTERM exits in time although a caller holds a connection on which it never asks', async () => {
  expect(await beside.ended).toBeOneOf([0, 143])
})

test('alone on SIGTERM refuses new calls with 503, is not ready, answers calls in flight and closes its streams', async () => {
  const host = await start('alone', { env: { OPERATOR_TOKEN: operatorToken } })
  await host.call()
  const stream = await host.get('/api/rpc/events', asOperator)
  const inFlight = await askSlowly(host, 3000)
  host.signal('SIGTERM')
  await expect.poll(async () => (await host.get('/api/rpc/ready')).status).toBe(503)
  const refused = await host.call()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await refused.json()).error.code).toBe(-32005)
  // Reads to the end: without the close it would never end.
  expect(await stream.text()).toContain('event: snapshot')
  expect(await resultOf(await inFlight.answer)).toBe('0x1')
  expect(await host.ended).toBe(0)
})

/** Sends this and disconnects before the answer. */
async function leave(host: Host, bytes: string): Promise<void> {
  const socket = connect(host.port, '127.0.0.1')
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(bytes, resolve))
  socket.destroy()
}
