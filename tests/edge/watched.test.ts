import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '#rpc-proxy'
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts'
import type { Nodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsForOneFile, operatorCookie } from '../support/hosts.ts'
import { honest, startAlike } from '../support/made-up-nodes.ts'
import { balanceCall } from '../support/post-json.ts'
import { fails, says } from '../support/replies.ts'

/** Secrets planted in place of keys. None may appear in anything that is logged, sent or shown. */
const secrets = {
  path: 'key-planted-in-a-path-7f3a',
  query: 'key-planted-in-a-query-9b1c',
  user: 'user-planted-2d4e',
  password: 'password-planted-6a8f',
  header: 'key-planted-in-a-header-5c7d',
  fromEnv: 'key-planted-in-the-environment-1e9b',
  operator: 'token-planted-for-the-operator-3f5a',
  caller: 'key-planted-of-a-caller-4b8e1d',
  guess: 'key-planted-as-a-guess-8c2f6a',
}

const start = hostsForOneFile()
let nodes: Nodes
let collector: Collector

beforeAll(async () => {
  collector = await startCollector()
  const eth_getCode = fails(-32000, `at https://x/${secrets.path}`)
  const withBalance = (result: string) => honest({ eth_getBalance: says(result), eth_getCode })
  nodes = await startAlike(['a', 'liar', 'b'], withBalance('0x10'))
  await nodes.node('liar').setFaultProfile(withBalance('0x99'))
})
afterAll(async () => {
  collector.stop()
  await nodes.stop()
})

/** A released port may be reused soon, but one this low is not. macOS has no other loopback address. */
const nowhere = 'http://127.0.0.1:2'

const config = () => {
  const at = (name: string) => new URL(nodes.node(name).url)
  const withUser = at('b')
  withUser.username = secrets.user
  withUser.password = secrets.password
  return {
    chains: [
      {
        id: 137,
        quorum: 2,
        nodes: [
          // Unreachable, and first: its faults must not reveal its url.
          { name: 'gone', url: `${nowhere}/v2/${secrets.path}`, priority: 0 },
          { name: 'a', url: `${at('a').origin}/v2/${secrets.path}?apikey=${secrets.query}`, trace: true },
          { name: 'liar', url: at('liar').origin, headers: { 'x-api-key': secrets.header } },
          { name: 'b', url: withUser.href, priority: 2, headers: { 'x-env': '$' + '{NODE_KEY}' } },
        ],
      },
    ],
    callers: [{ name: 'web', keyHash: hashOf(secrets.caller) }],
    rate: null,
  }
}

describe.each(bothHosts)('%s', (kind) => {
  let host: Host
  const seen: string[] = []
  const parent = kind === 'node' ? 'aa'.repeat(16) : 'bb'.repeat(16)

  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${host.url}${path}`, init)
    const text = await response.text()
    seen.push(JSON.stringify([...response.headers]), text)
    return { text, headers: response.headers }
  }
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    get('/api/rpc/137', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-quorate-explain': '1', ...headers },
      body: JSON.stringify(body),
    })
  const call = (method: string) => ({ ...balanceCall, method })
  const ours = () => collector.spans().filter((span) => span.traceId === parent)
  const operator = { authorization: `Bearer ${secrets.operator}` }
  const asOperator = { headers: operator }
  const headersOf = (name: string) =>
    nodes
      .node(name)
      .requests()
      .map(({ headers }) => headers)
  const rootId = 'cd'.repeat(8)
  const isRoot = (span: CollectedSpan) => span.parentSpanId === rootId

  beforeAll(async () => {
    host = await start(kind, {
      config: config(),
      env: {
        LOG_LEVEL: 'debug',
        NODE_KEY: secrets.fromEnv,
        OPERATOR_TOKEN: secrets.operator,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    })
  })

  test('one request is one trace, continued from its caller, with a span for each ask', async () => {
    await ask(call('eth_getBalance'), {
      traceparent: `00-${parent}-${rootId}-01`,
      baggage: 'user=alice',
    })
    const requests = () => ours().filter((span) => !isRoot(span))
    const asked = () => requests().map((span) => String(span.attributes['server.address']))
    // They may be exported in more than one batch. A host that has just started may not know yet that one node is gone.
    const reached = () => asked().filter((name) => name !== 'gone')
    await expect.poll(() => reached().toSorted()).toEqual(['a', 'b', 'liar'])
    const attributes = { 'rpc.method': 'eth_getBalance', 'quorate.outcome': 'agreed' }
    const roots = () => ours().filter(isRoot)
    await expect.poll(roots).toMatchObject([{ name: 'eth_getBalance', kind: 2, attributes }])
    const [root] = roots()
    expect(requests().filter(({ parentSpanId }) => parentSpanId !== root?.spanId)).toEqual([])
    expect(collector.dump()).not.toContain('alice')
  })

  test('a node with `trace` gets the exported span, other nodes get none', async () => {
    const reported = (name: string) =>
      headersOf(name).flatMap(({ traceparent }) => (traceparent === undefined ? [] : [traceparent]))
    const span = ours().find(({ attributes }) => attributes['server.address'] === 'a')
    expect(reported('a')).toContain(`00-${parent}-${span?.spanId}-01`)
    expect([reported('b'), reported('liar')]).toEqual([[], []])
  })

  test('a metric and a certificate name the trace', async () => {
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5'
    const open = await get('/api/rpc/metrics', { headers: { ...operator, accept } })
    const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
    expect(open.headers.get('content-type')).toBe(openMetrics)
    const exemplar = `^rpc_server_call_duration_seconds_bucket\\{.*\\} \\d+ # \\{trace_id="${parent}"\\}`
    expect(open.text).toMatch(new RegExp(exemplar, 'm'))
    const plain = await get('/api/rpc/metrics', asOperator)
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(plain.text).not.toContain(parent)
    const root = ours().find(isRoot)
    const answer = String(root?.attributes['quorate.answer'])
    const certificate = JSON.parse((await get(`/api/rpc/answers/${answer}`, asOperator)).text)
    expect(certificate.traceId).toBe(parent)
  })

  test('its log line has the trace, but neither params nor caller', async () => {
    const lines = () => (host.output().match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line))
    await expect
      .poll(() => lines().find(({ event, trace_id }) => event === 'request' && trace_id === parent))
      .toMatchObject({ level: 20, chain: 137, method: 'eth_getBalance', status: 200, calls: 1 })
    await expect.poll(lines).toContainEqual(expect.objectContaining({ event: 'dissent', node: 'liar' }))
    // The others may have answered before the connection is refused.
    await expect
      .poll(async () => {
        await ask(call('eth_getBalance'))
        return lines()
      })
      .toContainEqual(expect.objectContaining({ event: 'fault', node: 'gone', fault: 'connection-refused' }))
    expect(host.output()).not.toMatch(/abababab|127(\.\d+){3}:\d+\/v2/)
  })

  test('a key in a path is gone before anything sees it', async () => {
    const json = { 'content-type': 'application/json', 'x-quorate-explain': '1' }
    const post = { method: 'POST', headers: json, body: JSON.stringify(call('eth_getBalance')) }
    const read = await get(`/api/rpc/137/key/${secrets.caller}`, post)
    expect(JSON.parse(read.text)).toMatchObject({ result: '0x10' })
    expect(read.headers.get('referrer-policy')).toBe('strict-origin')
    const answer = read.headers.get('x-quorate-answer')
    await get(`/api/rpc/answers/${answer}`, asOperator)
    await get('/api/rpc/137', { ...post, headers: { ...json, authorization: `Bearer ${secrets.caller}` } })
    for (const path of ['137/key', '9999/key', 'snapshot/key', '137/x/key', '137/key/x'])
      for (const secret of [secrets.caller, secrets.guess]) {
        await get(`/api/rpc/${path}/${secret}?${secret}`, post)
        await get(`/api/rpc/${path}/${secret}`)
      }
    expect(headersOf('a').flatMap((headers) => Object.values(headers))).not.toContain(secrets.caller)
  })

  test('no planted secret is found in any answer, page, line, span or metric', async () => {
    // Nodes that fail with their own text, a call that no node can answer, and everything that shows state.
    await ask(call('eth_getCode'))
    await ask([call('eth_getCode'), call('no_such')])
    const { answers } = JSON.parse((await get('/api/rpc/answers?only=disputes', asOperator)).text)
    for (const { id } of answers) await get(`/api/rpc/answers/${id}`, asOperator)
    for (const path of 'health snapshot metrics answers history blocks incident ready 9999'.split(' '))
      await get(`/api/rpc/${path}`, asOperator)
    for (const page of ['/', '/status', '/nowhere', `/?${secrets.query.length}`]) await get(page)
    const cookie = await operatorCookie(host, secrets.operator)
    expect((await get('/status', { headers: { cookie } })).text).toContain('Log out')
    expect((await get('/console', { headers: { cookie } })).text).toContain('eth_getBalance')
    const shown = await get(`/status/answers/${answers[0].id}`, { headers: { cookie } })
    expect(shown.text).toContain('Timeline')
    expect(seen.join('\n')).toContain('liar')
    const spans = collector.spans().length
    await expect.poll(() => collector.spans().length).toBeGreaterThan(spans - 1)

    // The keys were sent to the nodes, so there was something to leak.
    const asked = nodes.node('b').requests().at(-1)
    expect(asked?.headers['x-env']).toBe(secrets.fromEnv)
    expect(asked?.headers.authorization).toBe(`Basic ${btoa(`${secrets.user}:${secrets.password}`)}`)
    expect(nodes.node('a').requests().at(-1)?.path).toContain(secrets.query)

    const sinks = { answers: seen.join('\n'), output: host.output(), spans: collector.dump() }
    for (const [sink, text] of Object.entries(sinks))
      for (const secret of [...Object.values(secrets), btoa(`${secrets.user}:${secrets.password}`)])
        expect(text.includes(secret), `${secret} in ${sink}`).toBe(false)
  })
})
