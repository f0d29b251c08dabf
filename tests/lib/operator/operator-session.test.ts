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
/** Whether a session is open, and its new cookie, so long after the login. */
const isOpen = (cookies: string, afterMs = 0, key = token) => isInSession(cookies, key, nowMs + afterMs)
const renewed = (cookie: string, afterMs = 0) => renewedCookie(cookie, token, false, nowMs + afterMs)
/** The cookie after looking at a page at these intervals. */
function viewed(everyMs: number, untilMs: number): string {
  let last = opened()
  for (let afterMs = 0; afterMs <= untilMs; afterMs += everyMs) last = pairOf(renewed(last, afterMs)) || last
  return last
}

describe('a session', () => {
  test('ends half an hour after the last page, to the millisecond, and is then not renewed', () => {
    const cookie = opened()
    expect(isOpen(cookie, 30 * minuteMs - 1)).toBe(true)
    expect(isOpen(cookie, 30 * minuteMs)).toBe(false)
    expect(renewed(cookie, 30 * minuteMs)).toBe(null)
  })

  test('is extended by page views, and ends eight hours after the login', () => {
    const cookie = viewed(29 * minuteMs, 8 * hourMs - 1)
    expect(isOpen(cookie, 8 * hourMs - 1)).toBe(true)
    expect(isOpen(cookie, 8 * hourMs)).toBe(false)
    expect(renewed(cookie, 8 * hourMs)).toBe(null)
  })

  test('is renewed at most once a minute', () => {
    const cookie = opened()
    expect(renewed(cookie, minuteMs - 1)).toBe(null)
    expect(renewed(cookie, minuteMs)).toContain('Max-Age=1800;')
  })

  test.each(['quorate-operator=x', ''])('that is none is not renewed: %j', (cookie) => {
    expect(renewed(cookie)).toBe(null)
  })

  test('tells the browser to keep its cookie no longer than it lasts', () => {
    const late = viewed(10 * minuteMs, 8 * hourMs - 10 * minuteMs)
    expect(renewed(late, 8 * hourMs - minuteMs)).toContain('Max-Age=60;')
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
    expect(isOpen(opened(), 0, 'another-token-now')).toBe(false)
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
    const copy = pairOf(renewed(cookie, 2 * minuteMs))
    expect(isOpen(copy, 2 * minuteMs)).toBe(true)
    revokeSessions(cookie, token, nowMs + 2 * minuteMs)
    expect([cookie, copy].map((each) => isOpen(each, 3 * minuteMs))).toEqual([false, false])
    expect(renewed(copy, 10 * minuteMs)).toBe(null)
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
