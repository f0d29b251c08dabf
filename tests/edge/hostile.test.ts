import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Nodes } from '../../demo/nodes/start.ts'
import type { Host } from '../support/host.ts'
import { hostileJson } from '../support/hostile-json.ts'
import { bothHosts, hostsForOneFile, startBoth } from '../support/hosts.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'

const start = hostsForOneFile()
let hosts: ReadonlyMap<string, Host>
let nodes: Nodes

beforeAll(async () => {
  nodes = await startMadeUpNodes()
  hosts = await startBoth(start, { config: configOf(nodes) })
})
afterAll(() => nodes.stop())

const head = (length: number | null, more = '', path = '/api/rpc/137') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${more}${length === null ? '' : `content-length: ${length}\r\n`}\r\n`
const call = (id: number | string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"eth_chainId","params":[]}`
const inner = call('smuggled')
const smuggled = head(inner.length) + inner
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

/** Request smuggling: each hides a request in another, for a proxy that parses the framing differently. */
const framings: Readonly<Record<string, string>> = {
  'CL.TE': `${head(6, 'transfer-encoding: chunked\r\n')}0\r\n\r\n${smuggled}`,
  'TE.CL': head(null, 'transfer-encoding: chunked\r\ncontent-length: 4\r\n') + chunked(smuggled),
  'TE.TE': head(null, 'transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n') + chunked(smuggled),
  'an odd coding': head(null, 'transfer-encoding: chunked, cow\r\n') + chunked(smuggled),
  'a coding behind a tab': head(4, 'transfer-encoding:\tchunked\r\n') + chunked(smuggled),
  'a coding behind a vertical tab': head(null, 'transfer-encoding: \u000bchunked\r\n') + chunked(smuggled),
  'a blank before the colon': head(null, 'transfer-encoding : chunked\r\n') + chunked(smuggled),
  'two lengths': head(4, `content-length: ${smuggled.length}\r\n`) + smuggled,
  'two lengths in one': head(null, `content-length: 4, ${smuggled.length}\r\n`) + smuggled,
  'a length with a sign': head(null, 'content-length: +4\r\n') + smuggled,
  'a length in hex': head(null, 'content-length: 0x4\r\n') + smuggled,
  'a negative length': head(null, 'content-length: -1\r\n') + smuggled,
  'a folded header': head(null, 'x-a: 1\r\n transfer-encoding: chunked\r\ncontent-length: 2\r\n') + smuggled,
  'a bare CR': head(4, 'x-a: 1\rtransfer-encoding: chunked\r\n') + smuggled,
  'a bare LF': head(4, 'x-a: 1\ntransfer-encoding: chunked\r\n') + chunked(smuggled),
  'a NUL in a header': head(4, 'x-a: \u0000\r\n') + smuggled,
  'a chunk of a wrong size': `${head(null, 'transfer-encoding: chunked\r\n')}zz\r\n${smuggled}`,
  'a chunk of a huge size': `${head(null, 'transfer-encoding: chunked\r\n')}fffffffffffffffff\r\n${smuggled}`,
  'a chunk ended by LF': `${head(null, 'transfer-encoding: chunked\r\n')}2\n{}\n0\n\n${smuggled}`,
  'no version': `POST /api/rpc/137\r\n\r\n${smuggled}`,
  'another version': `POST /api/rpc/137 HTTP/9.9\r\n\r\n${smuggled}`,
  'another protocol': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`,
}

describe.each(bothHosts)('%s', (kind) => {
  const host = () => hosts.get(kind) as Host
  const isWell = async () => {
    const response = await fetch(`${host().url}/api/rpc/137`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: call(1),
    })
    return response.text()
  }

  // An accepted request is observed for a while, so these run concurrently.
  test.concurrent.each(Object.entries(framings))('%s hides no second request', async (_name, bytes) => {
    const { answers } = await exchange(host(), [bytes], 1500)
    expect(answers).not.toContain('smuggled')
    // At most one request was answered, and the connection did not continue after a bad one.
    expect(answers.split('HTTP/1.1 400 Bad Request').length).toBeLessThanOrEqual(2)
    expect(await isWell()).toContain('"result":"0x89"')
  })

  test('two pipelined requests are answered as two', async () => {
    const { answers } = await exchange(host(), [`${head(2)}{}${smuggled}`], 1500)
    expect(answers).toContain('"id":"smuggled","result":"0x89"')
  })

  test('a chunk extension does not change the body', async () => {
    const body = call('plain')
    const bytes = `${head(null, 'transfer-encoding: chunked\r\n')}${body.length.toString(16)};a=b\r\n${body}\r\n0\r\n\r\n`
    expect((await exchange(host(), [bytes], 1500)).answers).toContain('"id":"plain","result":"0x89"')
  })

  test('an absolute url in the request line leads nowhere else, with and without an upgrade', async () => {
    const before = nodes.nodes.map((node) => node.requestsTotal())
    const elsewhere = `${nodes.node('liar').url}/api/rpc/137`
    const upgrades = [
      '',
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ]
    const requests = upgrades.flatMap((upgrade) =>
      ['GET', 'POST', 'CONNECT'].map((verb) => head(0, upgrade, elsewhere).replace('POST', verb)),
    )
    const heard = await Promise.all(requests.map((bytes) => exchange(host(), [bytes], 1500)))
    for (const { answers } of heard) expect(answers).not.toContain('101 Switching')
    expect(nodes.nodes.map((node) => node.requestsTotal())).toEqual(before)
    expect(await isWell()).toContain('"result":"0x89"')
  })

  test.each(['websocket', 'h2c'])('an upgrade to %s is ignored', async (protocol) => {
    const bytes = (path: string) =>
      `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${protocol}\r\nsec-websocket-key: x\r\n\r\n`
    const [page, gateway] = await Promise.all(
      ['/nowhere', '/api/rpc/ready'].map((path) => exchange(host(), [bytes(path)], 5000)),
    )
    expect([page?.answers, gateway?.answers]).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 404 /),
      expect.stringMatching(/^HTTP\/1\.1 200 /),
    ])
  })

  test('pages accept only GET and HEAD', async () => {
    const statusOf = async (init: RequestInit) => (await fetch(`${host().url}/`, init)).status
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect([method, await statusOf({ method })]).toEqual([method, 405])
    const action = 'canary-of-an-action'
    expect(await statusOf({ method: 'POST', headers: { 'next-action': action }, body: '[]' })).toBe(400)
    expect(host().output()).not.toContain(action)
    expect([await statusOf({}), await statusOf({ method: 'HEAD' })]).toEqual([200, 200])
  })

  test('a batch of more than a thousand calls is refused, and no node is asked', async () => {
    const before = nodes.nodes.map((node) => node.callCount('eth_getBalance'))
    const one = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBalance',
      params: [`0x${'ab'.repeat(20)}`, 'latest'],
    })
    const response = await fetch(`${host().url}/api/rpc/137`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: 1001 }, (_, id) => one(id))),
    })
    expect(response.status).toBe(413)
    for (const { error } of (await response.json()) as { error: { code: number } }[])
      expect(error.code).toBe(-32600)
    expect(nodes.nodes.map((node) => node.callCount('eth_getBalance'))).toEqual(before)
  })

  test('a batch of a hundred identical calls asks each needed node once', async () => {
    const requests = () =>
      nodes.nodes.reduce((sum, node) => sum + node.callCount('eth_getTransactionCount'), 0)
    const before = requests()
    const one = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getTransactionCount',
      params: [`0x${'cd'.repeat(20)}`, 'latest'],
    })
    const response = await fetch(`${host().url}/api/rpc/137`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: 100 }, (_, id) => one(id))),
    })
    expect(await response.json()).toHaveLength(100)
    expect(requests() - before).toBeLessThanOrEqual(3)
  })

  test('any bytes are answered as JSON-RPC, and the host keeps running', async () => {
    const post = async (body: string | Uint8Array) => {
      const response = await fetch(`${host().url}/api/rpc/137`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: body as BodyInit,
      })
      const said = [JSON.parse(await response.text())].flat() as Record<string, unknown>[]
      for (const { jsonrpc, error } of said)
        expect([jsonrpc, [-32700, -32600].includes((error as { code: number }).code)]).toEqual(['2.0', true])
      // A batch is answered entry by entry, for any entries.
      return response.status
    }
    for (const body of Object.values(hostileJson)) expect([200, 400, 413]).toContain(await post(body))
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
        await post(body)
      }),
      { numRuns: 200 },
    )
    expect(await isWell()).toContain('"result":"0x89"')
  })
})

test('node: a body in parts of a byte is refused after a thousand, so that forty of them fill no memory', async () => {
  const host = hosts.get('node') as Host
  const { all, moreMiB } = await withManyParts(host, '/api/rpc/137')
  for (const { answers } of all) expect(answers).toMatch(/^HTTP\/1\.1 413 |^$/)
  expect(moreMiB).toBeLessThan(300)
})

test.each(bothHosts)(
  '%s: a connection with hundreds of requests at once is closed, so that forty of them fill no memory',
  async (kind) => {
    const host = hosts.get(kind) as Host
    const ready = 'GET /api/rpc/ready HTTP/1.1\r\nhost: x\r\n\r\n'
    const before = residentMiB(host)
    const all = Array.from({ length: 40 }, () => exchange(host, [ready.repeat(20_000)], 10_000))
    for (const { answers } of await Promise.all(all))
      expect(answers.split('HTTP/1.1 200').length).toBeLessThanOrEqual(100)
    expect(residentMiB(host) - before).toBeLessThan(300)
    const { answers } = await exchange(host, [ready.repeat(30)], 3_000)
    expect(answers.split('HTTP/1.1 200')).toHaveLength(31)
  },
)

// Next would keep what it is sent until a route answers. On the edge host it reads for the gateway too.
test.each([
  ['node', '/api/nowhere'],
  ['edge', '/api/nowhere'],
  ['edge', '/api/rpc/137'],
] as const)('%s: nor is a body in parts of a byte kept for a route of Next: %s', async (kind, path) => {
  const { moreMiB } = await withManyParts(hosts.get(kind) as Host, path)
  // A part takes a hundred bytes: without a bound it was more than two gigabytes.
  expect(moreMiB).toBeLessThan(1000)
})

test('node: a route of Next gets no body of more than a MiB', async () => {
  const host = hosts.get('node') as Host
  const post = (body: string) => fetch(`${host.url}/api/nowhere`, { method: 'POST', body })
  expect((await post('x'.repeat(2 ** 20))).status).toBe(404)
  expect((await post('x'.repeat(2 ** 20 + 1))).status).toBe(413)
})

test('node: a body of a byte a second is dropped after five seconds', async () => {
  const bytes = [head(100), ...call(1).slice(0, 20)]
  const { answers, ms } = await exchange(hosts.get('node') as Host, bytes, 15_000, 1000)
  expect(answers).toMatch(/^HTTP\/1\.1 408 /)
  expect(ms).toBeLessThan(9000)
})

/** Forty requests with 400,000 parts of a byte each, and how much more memory the host takes after them. */
async function withManyParts(host: Host, path: string) {
  const chunks = head(null, 'transfer-encoding: chunked\r\n', path) + '1\r\n \r\n'.repeat(400_000)
  const before = residentMiB(host)
  const all = await Promise.all(Array.from({ length: 40 }, () => exchange(host, [chunks], 20_000)))
  return { all, moreMiB: residentMiB(host) - before }
}

function residentMiB({ pid }: Host): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Writes to a host in parts, and reads until it closes or `waitMs` have passed. */
async function exchange(
  host: Host,
  parts: readonly string[],
  waitMs: number,
  everyMs = 0,
): Promise<{ answers: string; ms: number }> {
  const startMs = performance.now()
  const socket = connect(host.port, '127.0.0.1')
  let answers = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answers += text
  })
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()))
  const timer = setTimeout(() => socket.destroy(), waitMs)
  const [first = '', ...rest] = parts
  socket.write(first, 'latin1')
  const trickle = setInterval(() => void socket.write(rest.shift() ?? ''), everyMs)
  if (rest.length === 0) clearInterval(trickle)
  await closed
  clearTimeout(timer)
  clearInterval(trickle)
  return { answers, ms: performance.now() - startMs }
}
