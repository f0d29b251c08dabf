import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Control, startControl } from '../../demo/nodes/control.ts'
import type { Nodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsForOneFile } from '../support/hosts.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'

const token = 'a-token-of-the-operator'
const bearer = { authorization: `Bearer ${token}` }
const json = { 'content-type': 'application/json' }
const start = hostsForOneFile()
let nodes: Nodes
let control: Control

beforeAll(async () => {
  nodes = await startMadeUpNodes()
  control = await startControl([{ chain: 137, nodes: nodes.nodes }])
})
afterAll(() => Promise.all([control.stop(), nodes.stop()]))

describe.each(bothHosts)('%s with a token', (kind) => {
  let host: Host
  const get = (path: string, headers: Record<string, string> = bearer) =>
    fetch(`${host.url}/api/rpc/${path}`, { headers })
  const post = (path: string, body: unknown, headers: Record<string, string> = bearer) =>
    fetch(`${host.url}${path}`, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    })
  const balance = {
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getBalance',
    params: [`0x${'ab'.repeat(20)}`, 'latest'],
  }
  const ask = () => post('/api/rpc/137', balance, {})
  const login = (given: string, headers: Record<string, string> = {}) =>
    post('/api/operator/session', { token: given }, headers)

  beforeAll(async () => {
    host = await start(kind, { config: configOf(nodes), env: { OPERATOR_TOKEN: token } })
  })

  test.each(['snapshot', 'events', 'metrics', 'answers', 'answers/x', 'history', 'blocks', 'incident'])(
    '%s is for the operator only',
    async (path) => {
      expect((await get(path, {})).status).toBe(401)
      expect((await get(path, { authorization: 'Bearer wrong' })).status).toBe(401)
      expect((await get(path, { cookie: 'quorate-operator=1.2' })).status).toBe(401)
    },
  )

  const enter = async (headers: Record<string, string> = {}) => {
    const given = await login(token, headers)
    expect(given.status).toBe(204)
    return given.headers.get('set-cookie') ?? ''
  }
  const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''
  const page = (cookie: string) => fetch(`${host.url}/status`, { headers: { cookie } })
  const metric = async (way: string) =>
    Number(
      new RegExp(`^quorate_operator_refused_total\\{way="${way}"\\} (\\d+)$`, 'm').exec(
        await (await get('metrics')).text(),
      )?.[1] ?? 0,
    )

  test('a login gives a cookie for all routes, until the log-out', async () => {
    const cookie = pairOf(await enter())
    expect((await get('snapshot', { cookie })).status).toBe(200)
    const shown = await (await page(cookie)).text()
    expect(shown).toContain('liar')
    expect(shown).toContain('Log out')

    const taken = await fetch(`${host.url}/api/operator/session`, { method: 'DELETE', headers: { cookie } })
    expect(taken.status).toBe(204)
    expect(taken.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(taken.headers.get('clear-site-data')).toBe('"cache"')
    // A copy of the cookie is no longer valid, neither here nor in the page.
    expect((await get('snapshot', { cookie })).status).toBe(401)
    const closed = await (await page(cookie)).text()
    expect(closed).not.toContain('liar')
    expect(closed).toContain('Operator token')
  })

  test.each([
    ['http', {}, /^quorate-operator=[^;]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Strict$/],
    [
      'https',
      { 'x-forwarded-proto': 'https' },
      /^__Host-quorate-operator=[^;]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Strict; Secure$/,
    ],
  ])('a cookie set over %s is not available to scripts and other sites', async (_, headers, shape) => {
    const cookie = await enter(headers)
    expect(cookie).toMatch(shape)
    expect((await get('snapshot', { cookie: pairOf(cookie) })).status).toBe(200)
  })

  test('answers to the operator may not be cached', async () => {
    const cookie = pairOf(await enter())
    for (const path of ['snapshot', 'metrics', 'answers', 'session'])
      expect((await get(path, { cookie })).headers.get('cache-control'), path).toContain('no-store')
    for (const response of [await page(cookie), await login('wrong'), await login(token)])
      expect(response.headers.get('cache-control')).toContain('no-store')
  })

  test('wrong tokens are logged and counted, and a hundred of them do not lock out the right one', async () => {
    const before = { bearer: await metric('bearer'), login: await metric('login') }
    const guesses = await Promise.all(
      Array.from({ length: 50 }, async () => [
        (await login('wrong')).status,
        (await get('metrics', { authorization: 'Bearer wrong' })).status,
      ]),
    )
    expect(guesses.flat().filter((status) => status !== 401 && status !== 429)).toEqual([])
    expect(guesses.flat()).toContain(429)
    expect((await get('snapshot')).status).toBe(200)
    await enter()
    expect(await metric('bearer')).toBe(before.bearer + 50)
    expect(await metric('login')).toBe(before.login + 50)
    await expect.poll(() => host.output()).toContain('operator-refused')
    expect(host.output()).toContain('operator-login')
    expect(host.output()).not.toContain(token)
  })

  test('the page accepts no token, so there is only one place to try them', async () => {
    expect(await (await fetch(`${host.url}/status`, { headers: bearer })).text()).not.toContain('liar')
  })

  test('the snapshot has node names, but no urls', async () => {
    await ask()
    const text = await (await get('snapshot')).text()
    const { chains } = JSON.parse(text)
    expect(chains[0]).toMatchObject({
      chainId: 137,
      head: { number: 1000 },
      quorum: { needed: 1.5, total: 3 },
    })
    expect(chains[0].nodes.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'liar'])
    expect(text).not.toContain('127.0.0.1')
  })

  test('events send the snapshot, at once and again a second later', async () => {
    const response = await get('events')
    // A compressed event would be buffered until the next ones.
    expect(response.headers.get('content-encoding')).toBe(null)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let text = ''
    while ((text.match(/\n\n/g) ?? []).length < 2)
      text += decoder.decode((await reader.read()).value, { stream: true })
    await reader.cancel()
    expect(text).toMatch(/^retry: 1000\nevent: snapshot\ndata: /)
    const times = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).atMs)
    expect(times[1] - times[0]).toBeGreaterThan(900)
  })

  test('metrics count what was asked', async () => {
    await ask()
    const response = await get('metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    expect(text).toMatch(
      /^quorate_verdicts_total\{chain="137",method="eth_getBalance",outcome="agreed"\} \d+$/m,
    )
    expect(text).toMatch(
      /^rpc_server_call_duration_seconds_bucket\{chain="137",method="eth_getBalance",code="0",le="\+Inf"\} \d+$/m,
    )
    expect(text).toMatch(/^quorate_head_block\{chain="137"\} 1000$/m)
  })

  test('an answer can be looked up by its id', async () => {
    const id = (await ask()).headers.get('x-quorate-answer')
    const certificate = await (await get(`answers/${id}`)).json()
    expect(certificate).toMatchObject({
      id,
      method: 'eth_getBalance',
      agreed: 2,
      needed: 1.5,
      total: 3,
      margin: 1,
    })
    const { answers } = await (await get('answers?limit=1')).json()
    expect(answers).toHaveLength(1)
    expect((await get('answers/never')).status).toBe(404)
    expect((await get('answers?limit=1001')).status).toBe(400)
  })

  test('a cordoned node shows by whom and since when', async () => {
    const node = async () => (await (await get('snapshot')).json()).chains[0].nodes[0]
    const beforeMs = Date.now()
    expect((await post('/api/rpc/nodes/137/a', { action: 'cordon', by: 'Ana Núñez' })).status).toBe(200)
    expect(await node()).toMatchObject({ state: 'cordoned', why: 'cordoned by Ana Núñez' })
    expect((await node()).cordonedMs).toBeGreaterThan(beforeMs - 1000)
    expect((await node()).cordonedMs).toBeLessThan(Date.now() + 1000)
    await post('/api/rpc/nodes/137/a', { action: 'uncordon', by: 'Ana Núñez' })
    expect(await node()).toMatchObject({ state: 'usable', why: null, cordonedMs: null })
    await expect.poll(() => host.output()).toContain('Ana Núñez uncordoned it')
    for (const by of ['', 'x'.repeat(65), '<b>', 'a\nb'])
      expect((await post('/api/rpc/nodes/137/a', { action: 'cordon', by })).status, by).toBe(400)
    expect((await post('/api/rpc/nodes/137/a', { action: 'cordon', by: 'x'.repeat(64) })).status).toBe(200)
    expect((await post('/api/rpc/nodes/137/a', { action: 'uncordon' })).status).toBe(200)
  })

  test('history counts calls, in steps of ten seconds or more', async () => {
    const read = async (query = '') => {
      const response = await get(`history${query}`)
      return { status: response.status, value: await response.json() }
    }
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
    const calls = ({ value }: { value: { chains: { calls: number[] }[] } }) =>
      sum(value.chains[0]?.calls ?? [])
    const before = calls(await read())
    for (let index = 0; index < 3; index++) await ask()
    const after = await read()
    expect(calls(after) - before).toBe(3)
    expect(after.value).toMatchObject({ stepMs: 30_000, chains: [{ chainId: 137 }] })
    expect(after.value.chains[0].nodes.map(({ node }: { node: string }) => node)).toContain('a')
    expect(sum(after.value.chains[0].nodes[0].replies)).toBeGreaterThan(0)

    const nowMs = Date.now()
    expect((await read(`?from=${nowMs - 600_000}&to=${nowMs}&steps=720`)).value.stepMs).toBe(10_000)
    expect((await read(`?from=${nowMs - 86_400_000}&to=${nowMs}`)).status).toBe(200)
    for (const query of [
      `?from=${nowMs - 86_400_001}&to=${nowMs}`,
      `?from=${nowMs}&to=${nowMs}`,
      '?from=x',
      '?steps=0',
      '?steps=721',
    ])
      expect((await read(query)).status, query).toBe(400)
  })

  test('blocks list the nodes that showed them, and an incident is one document', async () => {
    await ask()
    const { chains } = await (await get('blocks')).json()
    expect(chains[0].blocks.at(-1)).toMatchObject({ number: expect.any(Number), hash: expect.any(String) })
    expect(Object.keys(chains[0].blocks.at(-1).seen)).toContain('a')
    const response = await get('incident')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="quorate-incident-[\dTZ-]+\.json"$/,
    )
    const incident = await response.json()
    expect(incident).toMatchObject({
      kind: 'quorate-incident',
      version: 1,
      snapshot: { version: 1 },
      history: { chains: [{ chainId: 137 }] },
      blocks: [{ chainId: 137 }],
    })
    expect(incident.answers.length).toBeGreaterThan(0)
    const early = await (await get('incident?from=1000&to=2000')).json()
    expect([early.answers, early.disputes]).toEqual([[], []])
    expect((await get('incident?from=2&to=1')).status).toBe(400)
  })

  test('requests from pages of another site are logged and counted', async () => {
    const refusals = async (wanted: string) =>
      Number(
        new RegExp(`^quorate_origins_refused_total\\{wanted="${wanted}"\\} (\\d+)$`, 'm').exec(
          await (await get('metrics')).text(),
        )?.[1] ?? 0,
      )
    const before = { rpc: await refusals('rpc'), change: await refusals('change') }
    expect((await post('/api/rpc/137', balance, { origin: 'https://unlisted.example' })).status).toBe(403)
    const evil = { ...bearer, origin: 'https://evil.example' }
    expect((await post('/api/rpc/nodes/137/a', { action: 'cordon' }, evil)).status).toBe(403)
    expect(await refusals('rpc')).toBe(before.rpc + 1)
    expect(await refusals('change')).toBe(before.change + 1)
    await expect.poll(() => host.output()).toMatch(/origin-refused.*https:\/\/unlisted\.example/)
  })

  test('node actions need the operator and valid input', async () => {
    const act = (path: string, body: unknown, headers?: Record<string, string>) =>
      post(`/api/rpc/nodes/${path}`, body, headers).then(({ status }) => status)
    const cordon = { action: 'cordon' }
    expect(await act('137/a', cordon, {})).toBe(401)
    expect(await act('137/a', cordon, { ...bearer, 'content-type': 'text/plain' })).toBe(400)
    expect(await act('137/a', { action: 'explode' })).toBe(400)
    expect(await act('137/nobody', cordon)).toBe(404)
    expect(await act('1/a', cordon)).toBe(404)
    expect(await act('137/a', { action: 'fault', faultProfile: 'lying' })).toBe(404)
    expect((await get('nodes/137/a')).status).toBe(405)
  })
})

describe.each(bothHosts)('%s under the demo', (kind) => {
  test('is open to everyone, and can inject faults', async () => {
    const host = await start(kind, {
      config: configOf(nodes),
      env: { OPERATOR_OPEN: '1', DEMO: '1', DEMO_CONTROL_URL: control.url },
    })
    expect((await fetch(`${host.url}/api/rpc/snapshot`)).status).toBe(200)
    const give = (node: string, faultProfile: unknown) =>
      fetch(`${host.url}/api/rpc/nodes/137/${node}`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ action: 'fault', faultProfile }),
      }).then(({ status }) => status)
    expect(await give('liar', { kind: 'slow', delayMs: 5 })).toBe(200)
    expect(nodes.node('liar').faultProfile()).toMatchObject({ kind: 'slow', delayMs: 5 })
    expect(await give('liar', 'sleepy')).toBe(400)
    expect(await give('nobody', 'slow')).toBe(404)
  })
})
