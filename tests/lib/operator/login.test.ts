import { describe, expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createAttempts } from '#lib/operator/attempts.ts'
import { answerSession, refuseOthers } from '#lib/operator/login.ts'
import { isInSession } from '#lib/operator/operator-session.ts'
import { hostRequest } from '../../support/host-request.ts'
import { recordedLog } from '../../support/recorded-log.ts'

const token = 'a-token-of-the-operator'
const caller = '203.0.113.1'
const nowMs = 1_800_000_000_000
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const pairOf = (cookie: string | undefined) => cookie?.split(';')[0] ?? ''
type Given = NonNullable<Parameters<typeof hostRequest>[0]>

/** The operator routes of one host, with their own count of failures. */
function door(operatorToken: string | null = token) {
  const { log, lines } = recordedLog()
  const options = {
    operator: { OPERATOR_OPEN: false, OPERATOR_TOKEN: operatorToken ?? undefined },
    site: null,
    attempts: createAttempts(log, { now: () => nowMs, counts: createHostCounts() }),
  }
  const session = (request: Given) =>
    answerSession(hostRequest({ method: 'POST', ...request }), options, nowMs)
  const login = (given: string, more: Given = {}) =>
    session({ headers: json, text: JSON.stringify({ token: given }), ...more })
  const bearer = (given: string, caller: string | null = null) =>
    refuseOthers(hostRequest({ headers: { authorization: `Bearer ${given}` }, caller }), options)
  return { session, login, bearer, lines }
}

describe('a login', () => {
  test('with a wrong token is 401, and 429 from the sixth in a minute on', async () => {
    const { login } = door()
    for (let failed = 0; failed < 5; failed += 1) expect((await login('wrong', { caller })).status).toBe(401)
    expect(await login('wrong', { caller })).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    expect((await login('wrong', { caller: '203.0.113.2' })).status).toBe(401)
  })

  test.each([
    ['the same caller', caller],
    ['unknown callers', null],
  ])('with the right token is never refused, after any attempts of %s', async (_, caller) => {
    const { login, bearer } = door()
    const guesses = await Promise.all(Array.from({ length: 200 }, () => login('wrong', { caller })))
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(150)
    expect((await login(token, { caller })).status).toBe(204)
    expect(bearer(token, caller)).toBe(null)
  })

  test('shares its count with bearer tokens', async () => {
    const { login, bearer } = door()
    for (let failed = 0; failed < 5; failed += 1) expect(bearer('wrong', caller)?.status).toBe(401)
    expect(bearer('wrong', caller)?.status).toBe(429)
    expect((await login('wrong', { caller })).status).toBe(429)
  })

  test('works as a plain form, which redirects only to the operator page', async () => {
    const { session } = door()
    const send = (fields: Record<string, string>) =>
      session({ headers: form, text: new URLSearchParams(fields).toString() })
    const given = await send({ token, to: 'https://evil.example' })
    expect(given).toMatchObject({ status: 303, headers: { location: '/status' } })
    expect(isInSession(pairOf(given.headers['set-cookie']), token, nowMs)).toBe(true)
    for (let failed = 0; failed < 50; failed += 1)
      expect((await send({ token: 'wrong' })).headers.location).toBe('/status?login=wrong')
    expect((await send({ token: 'wrong' })).headers).toEqual({ location: '/status?login=later' })
  })

  // Of pages of other sites: tests/edge/cross-site.test.ts.
  test('is refused of any other form', async () => {
    const { session, login } = door()
    expect((await login(token, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await session({ headers: json, text: '{' })).status).toBe(400)
    expect((await session({ headers: json, text: '{"token":["x"]}' })).status).toBe(400)
    expect((await session({ method: 'GET' })).status).toBe(405)
    expect((await door(null).login(token)).status).toBe(404)
  })
})

describe('a log-out', () => {
  test.each([
    ['a DELETE', { method: 'DELETE' }, 204],
    ['a plain form', { method: 'POST', text: 'end=1' }, 303],
  ])('by %s ends the session, clears the cookie and the site data, and is logged', async (_, sent, code) => {
    const { session, login, lines } = door()
    const cookie = pairOf((await login(token)).headers['set-cookie'])
    const { status, headers } = await session({ ...sent, headers: { ...form, cookie }, secure: true })
    expect(status).toBe(code)
    expect(headers['set-cookie']).toMatch(/^__Host-quorate-operator=; Path=\/; Max-Age=0;/)
    expect(headers['clear-site-data']).toBe('"cache"')
    expect(isInSession(cookie, token, nowMs)).toBe(false)
    expect(lines.map(({ event }) => event)).toEqual(['operator-login', 'operator-logout'])
  })

  test('without a session has the same answer, and no log line', async () => {
    const { session, lines } = door()
    expect((await session({ method: 'DELETE' })).status).toBe(204)
    expect(lines).toEqual([])
  })
})

test("a wrong bearer is asked for the right one; without a token in the settings no operator's route exists", () => {
  const refused = { status: 401, headers: { 'www-authenticate': 'Bearer' } }
  expect(door().bearer('wrong')).toMatchObject(refused)
  expect(door(null).bearer('undefined')).toMatchObject({ status: 404 })
})
