import { describe, expect, test } from 'vitest'
import type { HostResponse } from '#lib/exchange.ts'
import { answerLogin } from '#lib/login.ts'
import { isToken, operatorFrom, sessionCookie } from '#lib/operator.ts'
import { hostRequest } from '../support/exchange.ts'

const token = 'a-token-of-the-operator'
const settings = { OPERATOR_OPEN: false, OPERATOR_TOKEN: token, APP_ORIGIN: undefined }
const nowMs = 1_800_000_000_000
const hourMs = 3_600_000
const from = (headers: Record<string, string>, atMs = nowMs, one = settings) =>
  operatorFrom((name) => headers[name] ?? null, one, atMs)
const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''

describe('who is the operator', () => {
  test('nobody is, where no token is set: the routes are not there', () => {
    const none = { ...settings, OPERATOR_TOKEN: undefined }
    expect(operatorFrom(() => null, none)).toBe('hidden')
    expect(operatorFrom(() => 'Bearer undefined', none)).toBe('hidden')
  })

  test('everybody is, where it is open', () => {
    expect(operatorFrom(() => null, { OPERATOR_OPEN: true, OPERATOR_TOKEN: undefined })).toBe('open')
  })

  test('whoever bears the token is', () => {
    expect(from({ authorization: `Bearer ${token}` })).toBe('yes')
    expect(from({ authorization: `bearer ${token}` })).toBe('yes')
  })

  test.each([
    '',
    'Bearer',
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    token,
    'Bearer null',
  ])('%j does not make one', (authorization) => {
    expect(from({ authorization })).toBe('no')
  })

  test('tokens are compared whole', () => {
    expect(isToken(token, token)).toBe(true)
    expect(isToken('', token)).toBe(false)
    expect(isToken(token.toUpperCase(), token)).toBe(false)
  })
})

describe('a session', () => {
  test('opens for eight hours and no millisecond longer', () => {
    const cookie = pairOf(sessionCookie(token, false, nowMs))
    expect(from({ cookie: `other=1; ${cookie}` })).toBe('yes')
    expect(from({ cookie }, nowMs + 8 * hourMs - 1)).toBe('yes')
    expect(from({ cookie }, nowMs + 8 * hourMs)).toBe('no')
  })

  test('is bound to its end and to the token', () => {
    const cookie = pairOf(sessionCookie(token, false, nowMs))
    const [name, value = ''] = cookie.split('=')
    const [until, seal] = value.split('.')
    expect(from({ cookie: `${name}=${Number(until) + 1}.${seal}` })).toBe('no')
    expect(from({ cookie: `${name}=${until}.${'0'.repeat(64)}` })).toBe('no')
    expect(from({ cookie: `${name}=${until}` })).toBe('no')
    expect(from({ cookie }, nowMs, { ...settings, OPERATOR_TOKEN: 'another-token-now' })).toBe('no')
  })

  test('a hostile cookie of the same name beside it does not lock the operator out', () => {
    const cookie = pairOf(sessionCookie(token, true, nowMs))
    expect(from({ cookie: `quorate-operator=x; ${cookie}` })).toBe('yes')
  })

  test('is out of reach of scripts, other sites and, on https, of other hosts', () => {
    expect(sessionCookie(token, true)).toMatch(
      /^__Host-quorate-operator=\d+\.[0-9a-f]{64}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
    )
    expect(sessionCookie(token, false)).not.toMatch(/Secure|__Host/)
  })
})

describe('login', () => {
  let window = 0
  /** Each test has a minute of its own, so that one's failures are not the next one's. */
  const login = (
    { given = token, ...request }: Parameters<typeof hostRequest>[0] & { given?: string },
    atMs = nowMs + window * 60_000,
    one: Parameters<typeof answerLogin>[1] = settings,
  ): Promise<HostResponse> =>
    answerLogin(
      hostRequest({
        method: 'POST',
        path: '/api/operator/session',
        headers: { 'content-type': 'application/json' },
        text: JSON.stringify({ token: given }),
        caller: '203.0.113.1',
        ...request,
      }),
      one,
      atMs,
    )

  test('turns the token into a cookie that opens', async () => {
    window += 1
    const { status, headers } = await login({})
    expect(status).toBe(204)
    expect(from({ cookie: pairOf(headers['set-cookie'] ?? '') }, nowMs + window * 60_000)).toBe('yes')
  })

  test('refuses a wrong token, and a sixth attempt of one caller in a minute though it is right', async () => {
    window += 1
    for (let failed = 0; failed < 5; failed += 1) expect((await login({ given: 'wrong' })).status).toBe(401)
    expect((await login({})).status).toBe(429)
    expect((await login({ caller: '203.0.113.2' })).status).toBe(204)
    window += 1
    expect((await login({})).status).toBe(204)
  })

  test('counts the addresses of one IPv6 network as one caller', async () => {
    window += 1
    const fromNetwork = (host: number) => login({ given: 'wrong', caller: `2001:db8:1:2::${host}` })
    for (let failed = 1; failed <= 5; failed += 1) expect((await fromNetwork(failed)).status).toBe(401)
    expect((await fromNetwork(6)).status).toBe(429)
    expect((await login({ caller: '2001:db8:1:3::1' })).status).toBe(204)
  })

  test('many strangers cannot lock the operator out, and guess no more than five times each', async () => {
    window += 1
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, guess) => login({ given: 'wrong', caller: `198.51.100.${guess}` })),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(50)
    expect((await login({})).status).toBe(204)
    for (let failed = 1; failed <= 5; failed += 1)
      expect((await login({ given: 'wrong', caller: '203.0.113.9' })).status).toBe(429)
    expect((await login({ caller: '203.0.113.9' })).status).toBe(429)
  })

  test('remembers 10,000 strangers, and lets no further one guess until the minute is over', async () => {
    window += 1
    for (let guess = 0; guess < 10_000; guess += 1)
      await login({ given: 'wrong', caller: `10.0.${guess >> 8}.${guess & 255}` })
    expect((await login({ caller: '10.0.0.0' })).status).toBe(204)
    expect((await login({})).status).toBe(429)
    window += 1
    expect((await login({})).status).toBe(204)
  })

  test('attempts sent side by side do not slip through', async () => {
    window += 1
    const all = await Promise.all(Array.from({ length: 20 }, () => login({ given: 'wrong' })))
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5)
  })

  test('where callers cannot be told apart, one cannot lock all of them out with a few attempts', async () => {
    window += 1
    for (let failed = 0; failed < 20; failed += 1) await login({ given: 'wrong', caller: null })
    expect((await login({ caller: null })).status).toBe(204)
    for (let failed = 20; failed < 50; failed += 1) await login({ given: 'wrong', caller: null })
    expect((await login({ caller: null })).status).toBe(429)
  })

  test('works as a plain form, and leads to pages of ours alone', async () => {
    window += 1
    const form = (fields: Record<string, string>) =>
      login({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        text: new URLSearchParams(fields).toString(),
      })
    expect(await form({ token, to: '/console' })).toMatchObject({
      status: 303,
      headers: { location: '/console' },
    })
    expect(await form({ token, to: 'https://evil.example' })).toMatchObject({
      headers: { location: '/status' },
    })
    expect(await form({ token: 'wrong' })).toMatchObject({
      status: 303,
      headers: { location: '/status?login=wrong' },
    })
  })

  test('is not for pages of other sites, nor for bodies of other kinds', async () => {
    window += 1
    const json = { 'content-type': 'application/json' }
    expect(
      (await login({ headers: { ...json, origin: 'https://evil.example', host: 'app.example' } })).status,
    ).toBe(403)
    expect((await login({ headers: { ...json, 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await login({ headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await login({ text: '{' })).status).toBe(400)
    expect((await login({ text: '{"token":["x"]}' })).status).toBe(400)
    expect((await login({ method: 'GET' })).status).toBe(405)
    expect((await login({}, nowMs, { OPERATOR_TOKEN: undefined, APP_ORIGIN: undefined })).status).toBe(404)
  })

  test('ends with a cookie that is empty', async () => {
    const { status, headers } = await login({ method: 'DELETE', secure: true })
    expect(status).toBe(204)
    expect(headers['set-cookie']).toMatch(/^__Host-quorate-operator=; Path=\/; Max-Age=0;/)
  })
})
