import { describe, expect, test } from 'vitest'
import {
  endedCookie,
  isInSession,
  newSessionCookie,
  operatorCookies,
  renewedCookie,
  revokeSessions,
} from '#lib/operator/operator-session.ts'

const token = 'a-token-of-the-operator'
const nowMs = 1_800_000_000_000
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const pairOf = (cookie: string | null) => cookie?.split(';')[0] ?? ''
const opened = (secure = false) => pairOf(newSessionCookie(token, secure, nowMs))
const isOpen = (cookies: string, atMs = nowMs, key = token) => isInSession(cookies, key, atMs)
/** The cookie after looking at a page at these intervals. */
function kept(cookie: string, everyMs: number, untilMs: number): string {
  let last = cookie
  for (let atMs = nowMs; atMs <= untilMs; atMs += everyMs)
    last = pairOf(renewedCookie(last, token, false, atMs)) || last
  return last
}

describe('a session', () => {
  test('ends half an hour after the last page, to the millisecond', () => {
    const cookie = opened()
    expect(isOpen(cookie, nowMs + 30 * minuteMs - 1)).toBe(true)
    expect(isOpen(cookie, nowMs + 30 * minuteMs)).toBe(false)
  })

  test('is extended by page views, and ends eight hours after the login', () => {
    const cookie = kept(opened(), 29 * minuteMs, nowMs + 8 * hourMs - 1)
    expect(isOpen(cookie, nowMs + 8 * hourMs - 1)).toBe(true)
    expect(isOpen(cookie, nowMs + 8 * hourMs)).toBe(false)
    expect(renewedCookie(cookie, token, false, nowMs + 8 * hourMs)).toBe(null)
  })

  test('is renewed at most once a minute', () => {
    const cookie = opened()
    expect(renewedCookie(cookie, token, false, nowMs + minuteMs - 1)).toBe(null)
    expect(renewedCookie(cookie, token, false, nowMs + minuteMs)).toContain('Max-Age=1800;')
  })

  test('that has ended is not renewed', () => {
    expect(renewedCookie(opened(), token, false, nowMs + 30 * minuteMs)).toBe(null)
    expect(renewedCookie('quorate-operator=x', token, false, nowMs)).toBe(null)
    expect(renewedCookie('', token, false, nowMs)).toBe(null)
  })

  test('tells the browser to keep its cookie no longer than it lasts', () => {
    expect(newSessionCookie(token, false, nowMs)).toContain('Max-Age=1800;')
    const late = kept(opened(), 10 * minuteMs, nowMs + 8 * hourMs - 10 * minuteMs)
    expect(renewedCookie(late, token, false, nowMs + 8 * hourMs - minuteMs)).toContain('Max-Age=60;')
  })

  test('is bound to its times, its name and the token', () => {
    const [name, value = ''] = opened().split('=')
    const [start, seen, id, seal] = value.split('.')
    for (const forged of [
      `${Number(start) + 1}.${seen}.${id}.${seal}`,
      `${start}.${Number(seen) + 1}.${id}.${seal}`,
      `${start}.${seen}.${'0'.repeat(32)}.${seal}`,
      `${start}.${seen}.${id}.${'0'.repeat(64)}`,
      `${start}.${seen}.${id}`,
      `${start}.${seen}.${id}.${seal}.${seal}`,
    ])
      expect(isOpen(`${name}=${forged}`), forged).toBe(false)
    expect(isOpen(opened(), nowMs, 'another-token-now')).toBe(false)
  })

  test('is new for each login', () => {
    expect(opened()).not.toBe(opened())
  })

  test('a second, hostile cookie of the same name does not lock the operator out', () => {
    expect(isOpen(`quorate-operator=x; ${opened(true)}`)).toBe(true)
  })
})

describe('a log-out', () => {
  test('ends every copy of the session, including renewed ones, and no other session', () => {
    const [cookie, other] = [opened(), opened()]
    const copy = pairOf(renewedCookie(cookie, token, false, nowMs + 2 * minuteMs))
    expect(isOpen(copy, nowMs + 2 * minuteMs)).toBe(true)
    revokeSessions(cookie, token, nowMs + 2 * minuteMs)
    expect([cookie, copy].map((each) => isOpen(each, nowMs + 3 * minuteMs))).toEqual([false, false])
    expect(renewedCookie(copy, token, false, nowMs + 10 * minuteMs)).toBe(null)
    expect(isOpen(other)).toBe(true)
  })

  test('is remembered for the last thousand sessions', () => {
    const first = opened()
    revokeSessions(first, token, nowMs)
    for (let ended = 1; ended < 1000; ended += 1) revokeSessions(opened(), token, nowMs)
    expect(isOpen(first)).toBe(false)
    revokeSessions(opened(), token, nowMs)
    expect(isOpen(first)).toBe(true)
  })

  test('without a session ends none', () => {
    const cookie = opened()
    const [, , id] = cookie.split('=')[1]?.split('.') ?? []
    revokeSessions(`quorate-operator=${nowMs}.${nowMs}.${id}.${'0'.repeat(64)}`, token, nowMs)
    expect(isOpen(cookie)).toBe(true)
  })
})

describe('its cookie', () => {
  test('is not available to scripts, to other sites and, on https, to other hosts', () => {
    expect(newSessionCookie(token, true, nowMs)).toMatch(
      /^__Host-quorate-operator=[\d.]+[0-9a-f]{32}\.[0-9a-f]{64}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Strict; Secure$/,
    )
    expect(newSessionCookie(token, false, nowMs)).not.toMatch(/Secure|__Host/)
    expect(endedCookie(true)).toBe(
      '__Host-quorate-operator=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    )
  })

  test('is forwarded to a remote gateway without other cookies', () => {
    const cookie = opened()
    expect(operatorCookies(`quorate-wallet=1; ${cookie}; other=2`)).toBe(cookie)
    expect(operatorCookies('quorate-wallet=1')).toBe('')
  })
})
