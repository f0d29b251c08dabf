import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Host } from '../support/host.ts'
import { bothHosts, sharedHosts } from '../support/hosts.ts'

const { hostOf, nodesOf } = sharedHosts()

const head = (length: number | null, more = '', path = '/api/rpc/137') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${more}${length === null ? '' : `content-length: ${length}\r\n`}\r\n`
const call = (id: number | string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"eth_chainId","params":[]}`
const inner = call('smuggled')
const smuggled = head(inner.length) + inner
const chunkedHead = head(null, 'transfer-encoding: chunked\r\n')
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
  'a chunk of a wrong size': `${chunkedHead}zz\r\n${smuggled}`,
  'a chunk of a huge size': `${chunkedHead}fffffffffffffffff\r\n${smuggled}`,
  'a chunk ended by LF': `${chunkedHead}2\n{}\n0\n\n${smuggled}`,
  'no version': `POST /api/rpc/137\r\n\r\n${smuggled}`,
  'another version': `POST /api/rpc/137 HTTP/9.9\r\n\r\n${smuggled}`,
  'another protocol': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`,
}

/** An accepted request that must not be answered. */
const observedMs = 1500

describe.each(bothHosts)('%s', (kind) => {
  const host = () => hostOf(kind)
  const isWell = async () => (await host().post('/api/rpc/137', JSON.parse(call(1)))).text()

  // An accepted request is observed for a while, so these run concurrently.
  test.concurrent.each(Object.entries(framings))('%s hides no second request', async (_name, bytes) => {
    const { answers } = await exchange(host(), [bytes], { observedMs })
    expect(answers).not.toContain('smuggled')
    // At most one request was answered, and the connection did not continue after a bad one.
    expect(answers.split('HTTP/1.1 400 Bad Request').length).toBeLessThanOrEqual(2)
    expect(await isWell()).toContain('"result":"0x89"')
  })

  test('two pipelined requests are answered as two', async () => {
    await exchange(host(), [`${head(2)}{}${smuggled}`], { until: '"id":"smuggled","result":"0x89"' })
  })

  test('a chunk extension does not change the body', async () => {
    const body = call('plain')
    const bytes = chunkedHead + chunked(body).replace('\r\n', ';a=b\r\n')
    await exchange(host(), [bytes], { until: '"id":"plain","result":"0x89"' })
  })

  test('an absolute url in the request line leads nowhere else, with and without an upgrade', async () => {
    const before = nodesOf().nodes.map((node) => node.requestsTotal())
    const elsewhere = `${nodesOf().node('liar').url}/api/rpc/137`
    const upgrades = [
      '',
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ]
    const requests = upgrades.flatMap((upgrade) =>
      ['GET', 'POST', 'CONNECT'].map((verb) => head(0, upgrade, elsewhere).replace('POST', verb)),
    )
    const heard = await Promise.all(requests.map((bytes) => exchange(host(), [bytes], { observedMs })))
    for (const { answers } of heard) expect(answers).not.toContain('101 Switching')
    expect(nodesOf().nodes.map((node) => node.requestsTotal())).toEqual(before)
    expect(await isWell()).toContain('"result":"0x89"')
  })

  test.each(['websocket', 'h2c'])('an upgrade to %s is ignored', async (protocol) => {
    const bytes = (path: string) =>
      `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${protocol}\r\nsec-websocket-key: x\r\n\r\n`
    const [page, gateway] = await Promise.all(
      ['/nowhere', '/api/rpc/ready'].map((path) => exchange(host(), [bytes(path)])),
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
    expect(await statusOf({ method: 'POST', headers: { 'next-action': action }, body: '[]' })).toBe(404)
    expect(host().output()).not.toContain(action)
    expect([await statusOf({}), await statusOf({ method: 'HEAD' })]).toEqual([200, 200])
  })
})

test('node: a body in parts of a byte is refused after a thousand, so that forty of them fill no memory', async () => {
  const host = hostOf('node')
  const { all, moreMiB } = await withManyParts(host, '/api/rpc/137')
  // On a busy machine a thousand parts take longer than a body may.
  for (const { answers } of all) expect(answers).toMatch(/^HTTP\/1\.1 4(08|13) |^$/)
  expect(all.some(({ answers }) => answers.startsWith('HTTP/1.1 413 '))).toBe(true)
  expect(moreMiB).toBeLessThan(300)
})

test.each(bothHosts)(
  '%s: a connection with hundreds of requests at once is closed, so that forty of them fill no memory',
  async (kind) => {
    const host = hostOf(kind)
    const ready = 'GET /api/rpc/ready HTTP/1.1\r\nhost: x\r\n\r\n'
    const before = residentMiB(host)
    const all = Array.from({ length: 40 }, () => exchange(host, [ready.repeat(20_000)]))
    for (const { answers } of await Promise.all(all))
      expect(answers.split('HTTP/1.1 200').length).toBeLessThanOrEqual(100)
    // How much is collected meanwhile depends on the machine; 800,000 requests at once take gigabytes.
    expect(residentMiB(host) - before).toBeLessThan(800)
    await exchange(host, [ready.repeat(30)], { until: 'HTTP/1.1 200', times: 30 })
  },
)

// Next would keep what it is sent until a route answers. On the edge host it reads for the gateway too.
test.each([
  ['node', '/api/nowhere'],
  ['edge', '/api/nowhere'],
  ['edge', '/api/rpc/137'],
] as const)('%s: nor is a body in parts of a byte kept for a route of Next: %s', async (kind, path) => {
  const { moreMiB } = await withManyParts(hostOf(kind), path)
  // A part takes a hundred bytes: without a bound it was more than two gigabytes.
  expect(moreMiB).toBeLessThan(1000)
})

test('node: a body of a byte a second is dropped long before its end, after five seconds at the earliest', async () => {
  const startMs = performance.now()
  const bytes = [head(100), ...call(1).slice(0, 60)]
  const { answers, unsent } = await exchange(hostOf('node'), bytes, { everyMs: 1000 })
  expect(answers).toMatch(/^HTTP\/1\.1 408 .*"code":-32600/s)
  expect(performance.now() - startMs).toBeGreaterThan(4500)
  expect(unsent).toBeGreaterThan(0)
})

/** Forty requests with 400,000 parts of a byte each, and how much more memory the host takes after them. */
async function withManyParts(host: Host, path: string) {
  const chunks =
    head(null, 'connection: close\r\ntransfer-encoding: chunked\r\n', path) +
    `${'1\r\n \r\n'.repeat(400_000)}0\r\n\r\n`
  const before = residentMiB(host)
  const all = await Promise.all(Array.from({ length: 40 }, () => exchange(host, [chunks])))
  return { all, moreMiB: residentMiB(host) - before }
}

function residentMiB({ pid }: Host): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/**
 * Writes to a host in parts, one `everyMs`, and reads until it closes, has been observed for long enough, or has answered with `until`
 * that many times.
 */
async function exchange(
  host: Host,
  [first = '', ...rest]: readonly string[],
  { everyMs = 0, until = '', times = 1, observedMs = 120_000 } = {},
) {
  const socket = connect(host.port, '127.0.0.1').setEncoding('latin1')
  let answers = ''
  const isFound = () => until !== '' && answers.split(until).length > times
  socket.on('data', (text) => {
    answers += text
    if (isFound()) socket.destroy()
  })
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()))
  const timer = setTimeout(() => socket.destroy(), observedMs)
  socket.write(first, 'latin1')
  const trickle =
    rest.length > 0 ? setInterval(() => void socket.write(rest.shift() ?? ''), everyMs) : undefined
  await closed
  clearTimeout(timer)
  clearInterval(trickle)
  if (!isFound() && until !== '') expect(answers).toContain(`${times} times ${until}`)
  return { answers, unsent: rest.length }
}
