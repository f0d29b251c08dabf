import { request as httpRequest } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { callNode } from '../../demo/json-rpc.ts'
import { type FaultProfileInput, parseFaultProfile } from '../../demo/nodes/fault-profile.ts'
import type { FaultyNode } from '../../demo/nodes/node.ts'
import type { Scripted } from '../../demo/nodes/scripted.ts'
import { nodesForOneTest } from '../support/nodes.ts'
import { until } from '../support/until.ts'

/** Faults between request and answer. The chain is a scripted node, so no anvil is needed. */
const start = nodesForOneTest()

const truth: Scripted = {
  kind: 'scripted',
  answer: { eth_blockNumber: { result: '0x2a' }, eth_chainId: { result: '0x89' } },
}

async function node(faultProfile: FaultProfileInput | Scripted): Promise<FaultyNode> {
  const chain = await start({ nodes: [{ name: 'chain', faultProfile: truth }] })
  const nodes = await start({ chainUrl: chain.node('chain').url, nodes: [{ name: 'a', faultProfile }] })
  return nodes.node('a')
}

const single = { jsonrpc: '2.0', id: 7, method: 'eth_blockNumber', params: [] }
const batch = [1, 2, 3].map((id) => ({ ...single, id }))

type Got = { status: number; headers: Headers; bytes: Buffer; text: string; json: () => unknown }

async function post(url: string, body: unknown = single, options: RequestInit = {}): Promise<Got> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    ...options,
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  return { status: response.status, headers: response.headers, bytes, text, json: () => JSON.parse(text) }
}

const elapsed = async (work: Promise<unknown>) => {
  const startMs = performance.now()
  await work
  return performance.now() - startMs
}

describe('garbage', () => {
  const garbage = (form: string, bytes?: number) =>
    node(parseFaultProfile({ kind: 'garbage', form, ...(bytes === undefined ? {} : { bytes }) }))
  const gets = async (form: string, body: unknown = single) => post((await garbage(form)).url, body)

  test('html', async () => {
    const { status, headers, text } = await gets('html')
    expect([status, headers.get('content-type'), text.slice(0, 15)]).toEqual([
      200,
      'text/html',
      '<!doctype html>',
    ])
  })

  test('empty', async () => {
    expect(await gets('empty')).toMatchObject({ status: 200, text: '' })
  })

  test('truncated, with a matching content-length', async () => {
    const { text } = await gets('truncated')
    expect(() => JSON.parse(text)).toThrow()
    expect('{"jsonrpc":"2.0","id":7,"result":"0x2a"}'.startsWith(text)).toBe(true)
  })

  test('invalid UTF-8 in otherwise valid JSON', async () => {
    const { bytes, json } = await gets('invalid-utf8')
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow()
    expect(json()).toMatchObject({ id: 7 })
  })

  test.each([
    ['not-an-object', '0x1'],
    ['wrong-id', { jsonrpc: '2.0', id: 'not 7', result: '0x2a' }],
    ['missing-id', { jsonrpc: '2.0', result: '0x2a' }],
    ['text-id', { jsonrpc: '2.0', id: '7', result: '0x2a' }],
    ['wrong-jsonrpc', { jsonrpc: '1.0', id: 7, result: '0x2a' }],
    ['both', { jsonrpc: '2.0', id: 7, result: '0x2a', error: { code: -32000, message: 'no' } }],
    ['neither', { jsonrpc: '2.0', id: 7 }],
    ['batch-for-single', [{ jsonrpc: '2.0', id: 7, result: '0x2a' }]],
  ])('%s', async (form, expected) => {
    expect((await gets(form)).json()).toEqual(expected)
  })

  test('duplicate keys in the envelope', async () => {
    const { text, json } = await gets('duplicate-keys')
    expect(text.match(/"result":/g)).toHaveLength(2)
    expect(json()).toEqual({ jsonrpc: '2.0', id: 7, result: '0x2a' })
  })

  test('too deeply nested', async () => {
    expect((await gets('deep')).text).toContain('['.repeat(10_000))
  })

  test.each([
    ['short-batch', [1, 2]],
    ['long-batch', [1, 2, 3, 3]],
    ['reordered-batch', [3, 2, 1]],
  ])('%s', async (form, ids) => {
    const said = (await gets(form, batch)).json() as { id: number }[]
    expect(said.map(({ id }) => id)).toEqual(ids)
    expect((await gets(form, single)).json()).toMatchObject({ id: 7, result: '0x2a' })
  })

  test('a redirect to a target that answers, and records followers', async () => {
    const redirecting = await garbage('redirect')
    const { status, headers } = await post(redirecting.url)
    expect(status).toBe(302)
    const place = new URL(headers.get('location') ?? '', redirecting.url).href
    expect((await post(place)).json()).toMatchObject({ result: '0x2a' })
    expect(redirecting.requests().map(({ path }) => path)).toEqual(['/', '/elsewhere'])
  })

  test('a huge body', async () => {
    const { bytes, json } = await post((await garbage('huge', 5_000_000)).url)
    expect(bytes.length).toBe(5_000_000)
    expect(json()).toMatchObject({ id: 1 })
  })

  test('a compression bomb', async () => {
    const bomb = await garbage('bomb', 10_000_000)
    const packed = await new Promise<Buffer>((resolve, reject) => {
      const asked = httpRequest(bomb.url, { method: 'POST' }, (response) => {
        expect(response.headers['content-encoding']).toBe('gzip')
        const chunks: Buffer[] = []
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve(Buffer.concat(chunks)))
      })
      asked.on('error', reject).end(JSON.stringify(single))
    })
    expect(packed.length).toBeLessThan(20_000)
    expect(gunzipSync(packed).length).toBe(10_000_000)
  })
})

describe('time', () => {
  test('slow delays true answers', async () => {
    const slow = await node({ kind: 'slow', delayMs: 200 })
    const startMs = performance.now()
    expect((await post(slow.url)).json()).toMatchObject({ result: '0x2a' })
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(199)
  })

  test('hanging never answers; the record shows aborted requests', async () => {
    const hanging = await node('hanging')
    const leave = new AbortController()
    const asked = post(hanging.url, single, { signal: leave.signal })
    await until(() => hanging.requests()[0]?.end === 'waiting')
    leave.abort()
    await expect(asked).rejects.toThrow()
    await until(() => hanging.requests()[0]?.end === 'aborted')
  })

  test('trickling sends true answers a few bytes at a time', async () => {
    const trickling = await node({ kind: 'trickling', bytes: 10, everyMs: 20 })
    const text = '{"jsonrpc":"2.0","id":7,"result":"0x2a"}'
    const took = await elapsed(post(trickling.url).then((got) => expect(got.text).toBe(text)))
    expect(took).toBeGreaterThanOrEqual(20 * (Math.ceil(text.length / 10) - 1))
  })

  test('flapping by requests is up, then down, then up', async () => {
    const { url } = await node({ kind: 'flapping', upRequests: 2, downRequests: 1 })
    const up: boolean[] = []
    for (let request = 0; request < 6; request++) {
      up.push(
        await post(url).then(
          () => true,
          () => false,
        ),
      )
    }
    expect(up).toEqual([true, true, false, true, true, false])
  })

  test('flapping by time goes down and comes back', async () => {
    const { url } = await node({ kind: 'flapping', upMs: 150, downMs: 150 })
    const is = (expected: boolean) =>
      until(
        async () =>
          (await post(url).then(
            () => true,
            () => false,
          )) === expected,
      )
    await is(true)
    await is(false)
    await is(true)
  })
})

describe('refusals', () => {
  test('erring fails by HTTP status', async () => {
    expect(await post((await node('erring')).url)).toMatchObject({ status: 500, text: 'internal error' })
  })

  test('erring fails by JSON-RPC error, each call of a batch, under any status', async () => {
    const erring = await node({ kind: 'erring', status: 503, code: -32603, message: 'oops' })
    const { status, json } = await post(erring.url, batch)
    expect(status).toBe(503)
    expect(json()).toEqual(
      batch.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'oops' } })),
    )
  })

  test('erring on some methods leaves the rest of a batch alone', async () => {
    const erring = await node({
      kind: 'erring',
      status: 200,
      code: 3,
      message: 'execution reverted',
      data: '0x08',
      only: ['eth_chainId'],
    })
    const { json } = await post(erring.url, [single, { ...single, id: 8, method: 'eth_chainId' }])
    expect(json()).toMatchObject([
      { id: 7, result: '0x2a' },
      { id: 8, error: { code: 3, data: '0x08' } },
    ])
  })

  test('rate-limiting answers 429 with Retry-After once its calls are spent', async () => {
    const limiting = await node({ kind: 'rate-limiting', calls: 4, windowMs: 60_000, retryAfterS: 2 })
    expect((await post(limiting.url, batch)).status).toBe(200)
    expect((await post(limiting.url)).status).toBe(200)
    const { status, headers } = await post(limiting.url)
    expect([status, headers.get('retry-after')]).toEqual([429, '2'])
  })

  test('rate-limiting resets with each window', async () => {
    const { url } = await node({ kind: 'rate-limiting', calls: 1, windowMs: 200 })
    await until(async () => (await post(url)).status === 429)
    await until(async () => (await post(url)).status === 200)
  })

  test('rate-limiting the JSON-RPC way', async () => {
    const limiting = await node({ kind: 'rate-limiting', calls: 0, as: 'rpc' })
    const { status, json } = await post(limiting.url)
    expect(status).toBe(200)
    expect(json()).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32005, message: 'limit exceeded' } })
  })
})

describe('connections', () => {
  test('resetting before the answer', async () => {
    await expect(post((await node('resetting')).url)).rejects.toThrow('fetch failed')
  })

  test.each(['head', 'body'] as const)('resetting after the %s', async (at) => {
    const { url } = await node({ kind: 'resetting', at })
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(single) })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  test('down refuses connections, and is back on its own port', async () => {
    const down = await node('down')
    await expect(post(down.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await down.setFaultProfile('honest')
    expect((await post(down.url)).json()).toMatchObject({ result: '0x2a' })
    await down.setFaultProfile('down')
    // The first request may still use the old connection while it is being closed.
    const codeOf = () =>
      post(down.url).then(String, (error: Error) => (error.cause as { code?: string }).code)
    await expect.poll(codeOf).toBe('ECONNREFUSED')
  })
})

describe('combinations', () => {
  test('a fault may affect some methods only', async () => {
    const { url } = await node({ kind: 'resetting', only: ['eth_chainId'] })
    expect((await post(url)).json()).toMatchObject({ result: '0x2a' })
    await expect(post(url, { ...single, method: 'eth_chainId' })).rejects.toThrow()
  })

  test('a delay may be followed by another fault', async () => {
    const { url } = await node({ kind: 'slow', delayMs: 50, otherwise: { kind: 'garbage', form: 'html' } })
    expect((await post(url)).headers.get('content-type')).toBe('text/html')
  })

  test('all errors of a fault profile are named', () => {
    expect(() => parseFaultProfile({ kind: 'slow', delayMs: -1, jitterMs: 'x', speed: 1 })).toThrow(
      /delayMs[\s\S]*jitterMs[\s\S]*speed/,
    )
    expect(() => parseFaultProfile('evil')).toThrow('kind')
    expect(() => parseFaultProfile({ kind: 'slow', otherwise: 'evil' })).toThrow('kind')
    expect(() => parseFaultProfile(null)).toThrow()
  })
})

describe('scripted', () => {
  test('answers by method, by function, late, with errors, or never', async () => {
    const scripted = await node({
      kind: 'scripted',
      answer: {
        eth_blockNumber: { result: '0x1' },
        eth_getBalance: ({ params }) => ({ result: params[0] }),
        eth_call: { error: { code: 3, message: 'execution reverted', data: '0x' } },
        eth_gasPrice: { result: '0x5', delayMs: 50 },
        eth_getCode: { hang: true },
      },
    })
    expect(await callNode(scripted.url, 'eth_blockNumber')).toBe('0x1')
    expect(await callNode(scripted.url, 'eth_getBalance', ['0xabc'])).toBe('0xabc')
    await expect(callNode(scripted.url, 'eth_call')).rejects.toThrow('execution reverted (3)')
    await expect(callNode(scripted.url, 'eth_unheard')).rejects.toThrow('-32601')
    expect(await elapsed(callNode(scripted.url, 'eth_gasPrice'))).toBeGreaterThanOrEqual(49)
    await expect(
      post(scripted.url, { ...single, method: 'eth_getCode' }, { signal: AbortSignal.timeout(50) }),
    ).rejects.toThrow()
  })

  test('one function may answer everything', async () => {
    const scripted = await node({ kind: 'scripted', answer: ({ method }) => ({ result: method }) })
    expect((await post(scripted.url, batch)).json()).toHaveLength(3)
    expect(await callNode(scripted.url, 'eth_anything')).toBe('eth_anything')
  })
})

describe('record', () => {
  test('keeps what was asked: method, params, headers, path, time', async () => {
    const asked = await node('honest')
    const beforeMs = Date.now() - 1
    await post(`${asked.url}/key/abc`, [single, { ...single, id: 8, method: 'eth_chainId', params: [1] }], {
      headers: { 'content-type': 'application/json', 'x-from': 'gateway' },
    })
    expect(asked.requests()).toHaveLength(1)
    const [record] = asked.requests()
    expect(record).toMatchObject({
      verb: 'POST',
      path: '/key/abc',
      headers: { 'x-from': 'gateway' },
      end: 'answered',
    })
    expect(record?.calls.map(({ id, method, params }) => [id, method, params])).toEqual([
      [7, 'eth_blockNumber', []],
      [8, 'eth_chainId', [1]],
    ])
    expect(record?.atMs).toBeGreaterThan(beforeMs)
    expect([asked.callCount(), asked.callCount('eth_chainId'), asked.callCount('eth_call')]).toEqual([
      2, 1, 0,
    ])
    asked.clearRequests()
    expect([asked.requests().length, asked.callCount()]).toEqual([0, 0])
  })

  test('keeps only the last requests', async () => {
    const chain = await start({ nodes: [{ name: 'a', faultProfile: truth, requestsMax: 3 }] })
    for (let id = 0; id < 20; id++) await post(chain.node('a').url, { ...single, id })
    expect(
      chain
        .node('a')
        .requests()
        .map(({ calls }) => calls[0]?.id),
    ).toEqual([17, 18, 19])
    expect(chain.node('a').requestsTotal()).toBe(20)
  })
})

describe('control', () => {
  const order = (
    url: string,
    body: unknown,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => post(url, body, { headers })

  async function world() {
    const chain = await start({ nodes: [{ name: 'chain', faultProfile: truth }] })
    return start({ chainUrl: chain.node('chain').url, nodes: [{ name: 'a' }, { name: 'b' }] })
  }

  test('switches one node at run time and lists them all', async () => {
    const nodes = await world()
    const { status, json } = await order(nodes.controlUrl, {
      node: 'b',
      faultProfile: { kind: 'erring', status: 503 },
    })
    expect(status).toBe(200)
    expect(json()).toMatchObject({
      node: 'b',
      faultProfile: { kind: 'erring', status: 503, message: 'internal error' },
    })
    expect((await post(nodes.node('b').url)).status).toBe(503)
    expect((await post(nodes.node('a').url)).status).toBe(200)
    expect(await (await fetch(nodes.controlUrl)).json()).toMatchObject({
      nodes: [
        { name: 'a', url: nodes.node('a').url, faultProfile: { kind: 'honest' }, requests: 1 },
        { name: 'b', faultProfile: { kind: 'erring' } },
      ],
    })
  })

  test('refuses malformed requests, unknown nodes and requests that a web page could send', async () => {
    const { controlUrl, node } = await world()
    expect((await order(controlUrl, { node: 'b', faultProfile: 'evil' })).status).toBe(400)
    expect((await order(controlUrl, { node: 'z', faultProfile: 'honest' })).status).toBe(404)
    expect((await order(controlUrl, { nodes: 'a' })).status).toBe(400)
    expect((await order(controlUrl, 'x'.repeat(70_000))).status).toBe(400)
    expect(
      (await order(controlUrl, { node: 'b', faultProfile: 'down' }, { 'content-type': 'text/plain' })).status,
    ).toBe(415)
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      const asked = httpRequest(
        controlUrl,
        { method: 'POST', headers: { host: 'evil.example', 'content-type': 'application/json' } },
        (response) => resolve(response.resume().statusCode),
      )
      asked.on('error', reject).end(JSON.stringify({ node: 'b', faultProfile: 'down' }))
    })
    expect(rebound).toBe(403)
    expect(node('b').faultProfile()).toEqual({ kind: 'honest' })
  })
})

test('stop closes every port, even with pending requests', async () => {
  const chain = await start({ nodes: [{ name: 'a', faultProfile: 'hanging' }] })
  const waiting = post(chain.node('a').url).catch(() => 'closed')
  await until(() => chain.node('a').requests().length === 1)
  await chain.stop()
  expect(await waiting).toBe('closed')
  await expect(post(chain.node('a').url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await expect(post(chain.controlUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})
