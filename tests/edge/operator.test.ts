import { describe, expect, onTestFinished, test } from 'vitest'
import {
  asOperator,
  bothHosts,
  metricOf,
  operatorCookie,
  sharedHosts,
  operatorToken as token,
} from '../support/hosts.ts'

const { hostOf } = sharedHosts()

describe.each(bothHosts)('%s with a token', (kind) => {
  const host = () => hostOf(kind)
  const get = (path: string, headers: Record<string, string> = asOperator) =>
    host().get(`/api/rpc/${path}`, headers)
  const act = async (body: object, headers: Record<string, string> = asOperator, node = '137/a') =>
    (await host().post(`/api/rpc/nodes/${node}`, body, headers)).status
  /** Asks until there is an answer: on a busy machine too few nodes may be in time. */
  const answered = async (): Promise<Response> => {
    const response = await host().call()
    return 'result' in (await response.clone().json()) ? response : answered()
  }
  const login = (given: string, headers: Record<string, string> = {}) =>
    host().post('/api/operator/session', { token: given }, headers)

  test.each(['snapshot', 'events', 'metrics', 'answers', 'answers/x', 'history', 'blocks', 'incident'])(
    '%s is for the operator only',
    async (path) => {
      const others: Record<string, string>[] = [
        {},
        { authorization: 'Bearer wrong' },
        { cookie: 'quorate-operator=1.2' },
      ]
      for (const headers of others) expect((await get(path, headers)).status).toBe(401)
    },
  )

  const enter = () => operatorCookie(host())
  const page = (cookie: string) => host().get('/status', { cookie })

  test('a login gives a cookie for all routes, until the log-out', async () => {
    const cookie = await enter()
    expect((await get('snapshot', { cookie })).status).toBe(200)
    const shown = await (await page(cookie)).text()
    expect(shown).toContain('liar')
    expect(shown).toContain('Log out')

    const secure = await login(token, { 'x-forwarded-proto': 'https' })
    expect(secure.headers.get('set-cookie')).toMatch(
      /^__Host-quorate-operator=.*; HttpOnly; SameSite=Strict; Secure$/,
    )

    const taken = await fetch(`${host().url}/api/operator/session`, { method: 'DELETE', headers: { cookie } })
    expect(taken.status).toBe(204)
    expect(taken.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(taken.headers.get('clear-site-data')).toBe('"cache"')
    // A copy of the cookie is no longer valid, neither here nor in the page.
    expect((await get('snapshot', { cookie })).status).toBe(401)
    const closed = await (await page(cookie)).text()
    expect(closed).not.toContain('liar')
    expect(closed).toContain('Operator token')
  })

  test('answers to the operator may not be cached', async () => {
    const cookie = await enter()
    for (const path of ['snapshot', 'metrics', 'answers', 'session'])
      expect((await get(path, { cookie })).headers.get('cache-control'), path).toContain('no-store')
    for (const response of [await page(cookie), await login('wrong'), await login(token)])
      expect(response.headers.get('cache-control')).toContain('no-store')
  })

  test('wrong tokens and requests from pages of another site are logged and counted, a login is logged', async () => {
    const samples = [
      'quorate_operator_refused_total{way="bearer"}',
      'quorate_operator_refused_total{way="login"}',
      'quorate_origins_refused_total{wanted="rpc"}',
      'quorate_origins_refused_total{wanted="change"}',
    ]
    const counted = () => Promise.all(samples.map((sample) => metricOf(host(), sample)))
    const before = await counted()
    const writtenBefore = host().output().length
    expect((await get('metrics', { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await login('wrong')).status).toBe(401)
    expect((await login(token)).status).toBe(204)
    const fromUnlisted = () => host().call({}, { origin: 'https://unlisted.example' })
    expect((await fromUnlisted()).status).toBe(403)
    const evil = { ...asOperator, origin: 'https://evil.example' }
    expect(await act({ action: 'cordon' }, evil)).toBe(403)
    expect(await counted()).toEqual(before.map((count) => count + 1))
    // Lines of one kind are a second apart, and the tests before this one cause some.
    const isWritten = (line: RegExp, again: () => Promise<unknown>) =>
      expect
        .poll(() => again().then(() => host().output().slice(writtenBefore)), { interval: 500 })
        .toMatch(line)
    await isWritten(/operator-refused/, () => login('wrong'))
    await isWritten(/operator-login/, () => login(token))
    await isWritten(/origin-refused.*https:\/\/unlisted\.example/, fromUnlisted)
    expect(host().output()).not.toContain(token)
  })

  test('the snapshot has node names, but no urls', async () => {
    await answered()
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

  test('an answer can be looked up by its id', async () => {
    const id = (await answered()).headers.get('x-quorate-answer')
    const certificate = await (await get(`answers/${id}`)).json()
    expect(certificate).toMatchObject({ id, method: 'eth_getBalance', agreed: 2, needed: 1.5, total: 3 })
    const { answers } = await (await get('answers?limit=1')).json()
    expect(answers).toHaveLength(1)
    expect((await get('answers/never')).status).toBe(404)
    expect((await get('answers?limit=1001')).status).toBe(400)
  })

  test('a cordoned node shows by whom and since when', async () => {
    const node = async () => (await (await get('snapshot')).json()).chains[0].nodes[0]
    const cordon = (by: string) => act({ action: 'cordon', by })
    const uncordon = (by = {}) => act({ action: 'uncordon', ...by })
    // Where this test fails, the others still have their three nodes.
    onTestFinished(async () => void (await uncordon()))
    const beforeMs = Date.now()
    expect(await cordon('Ana Núñez')).toBe(200)
    expect(await node()).toMatchObject({ state: 'cordoned', why: 'cordoned by Ana Núñez' })
    expect((await node()).cordonedMs).toBeGreaterThan(beforeMs - 1000)
    expect((await node()).cordonedMs).toBeLessThan(Date.now() + 1000)
    await uncordon({ by: 'Ana Núñez' })
    // A starved machine may have its breaker open.
    const { state, cordonedMs } = await node()
    expect(state).not.toBe('cordoned')
    expect(cordonedMs).toBeNull()
    await expect.poll(() => host().output()).toContain('Ana Núñez uncordoned it')
    for (const by of ['', 'x'.repeat(65), '<b>', 'a\nb']) expect(await cordon(by), by).toBe(400)
    expect(await cordon('x'.repeat(64))).toBe(200)
    expect(await uncordon()).toBe(200)
  })

  test('history counts calls, in steps of ten seconds or more', async () => {
    const read = async (query = '') => (await get(`history${query}`)).json()
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
    const before = await read()
    for (let index = 0; index < 3; index++) await host().call()
    const after = await read()
    expect(sum(after.chains[0].calls) - sum(before.chains[0].calls)).toBe(3)
    expect(after).toMatchObject({ stepMs: 30_000, chains: [{ chainId: 137 }] })
    expect(after.chains[0].nodes.map(({ node }: { node: string }) => node)).toContain('a')
    expect(sum(after.chains[0].nodes[0].replies)).toBeGreaterThan(0)

    const nowMs = Date.now()
    expect((await read(`?from=${nowMs - 600_000}&to=${nowMs}&steps=720`)).stepMs).toBe(10_000)
    const day = `?from=${nowMs - 86_400_000}&to=${nowMs}`
    expect((await get(`history${day}`)).status).toBe(200)
    const longer = `?from=${nowMs - 86_400_001}&to=${nowMs}`
    for (const query of [longer, `?from=${nowMs}&to=${nowMs}`, '?from=x', '?steps=0', '?steps=721'])
      expect((await get(`history${query}`)).status, query).toBe(400)
  })

  test('blocks list the nodes that showed them, and an incident is one document', async () => {
    await answered()
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

  test('node actions need the operator and valid input', async () => {
    const cordon = { action: 'cordon' }
    expect(await act(cordon, {})).toBe(401)
    expect(await act(cordon, { ...asOperator, 'content-type': 'text/plain' })).toBe(400)
    expect(await act({ action: 'explode' })).toBe(400)
    expect(await act(cordon, asOperator, '137/nobody')).toBe(404)
    expect(await act(cordon, asOperator, '1/a')).toBe(404)
    expect(await act({ action: 'fault', faultProfile: 'lying' })).toBe(404)
    expect((await get('nodes/137/a')).status).toBe(405)
  })
})
