import { describe, expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createAttempts } from '#lib/operator/attempts.ts'
import { admit } from '#lib/routes/admit.ts'
import { splitKey } from '#lib/routes/key-path.ts'
import { CallError, createGateway, hashOf, parseConfig, systemClock } from '#rpc-proxy'

const key = 'a-key-of-twenty-four-chars'
const site = 'https://gateway.example'
const listed = 'https://app.example'

function door(callers: readonly object[], more: object = {}) {
  const chains = [{ id: 137, nodes: [{ name: 'a', url: 'https://a.example' }] }]
  const config = parseConfig({ chains, callers, ...more }, {})
  const send = () => new Promise<never>(() => {})
  const gateway = createGateway(config, { clock: systemClock(), random: Math.random, send })
  const attempts = createAttempts(
    { isOn: () => false, write: () => {} },
    { now: () => 0, counts: createHostCounts() },
  )
  /** Whose request it is, and from where; or the status and what the caller is told. */
  const enter = (headers: Readonly<Record<string, string>>, method = 'POST', caller = '203.0.113.7') => {
    try {
      const request = { method, caller, header: (name: string) => headers[name] ?? null }
      const { from, keyed } = admit(
        request,
        { gateway, config: () => config },
        { site, listed: [listed], attempts },
      )
      return [from, keyed?.name ?? null]
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      return [error.status, error.error.message]
    }
  }
  return { enter, gateway }
}
const web = { name: 'web', keyHash: hashOf(key) }

describe('who a request is from', () => {
  test('is told by the key in either header', () => {
    const { enter } = door([web])
    expect(enter({ 'x-quorate-key': key })).toEqual(['none', 'web'])
    expect(enter({ authorization: `Bearer ${key}` })).toEqual(['none', 'web'])
    expect(enter({})).toEqual(['none', null])
  })

  test('is refused with an unknown key, however it comes, and a key is never taken for none', () => {
    const { enter } = door([web])
    for (const wrong of ['', 'x', `${key}x`])
      expect(enter({ 'x-quorate-key': wrong })).toEqual([401, 'unknown or ended key'])
    expect(enter({ authorization: 'Bearer nobody' })).toEqual([401, 'unknown or ended key'])
  })

  test('without keys a bearer is nobody, as ever, and our own header is still refused', () => {
    const { enter } = door([])
    expect(enter({ authorization: 'Bearer nobody' })).toEqual(['none', null])
    expect(enter({ 'x-quorate-key': key })).toEqual([401, 'unknown or ended key'])
  })

  test('guesses beyond five a minute get 429, and the right key is never refused', () => {
    const { enter } = door([web])
    for (let guess = 0; guess < 5; guess += 1)
      expect(enter({ 'x-quorate-key': `guess-${guess}` })[0]).toBe(401)
    expect(enter({ 'x-quorate-key': 'guess' })).toEqual([429, 'too many requests'])
    expect(enter({ 'x-quorate-key': key })).toEqual(['none', 'web'])
    expect(enter({ 'x-quorate-key': 'guess' }, 'POST', '203.0.113.8')[0]).toBe(401)
  })

  test('callers without a key can be refused', () => {
    const { enter } = door([web], { anonymous: 'refused' })
    expect(enter({})).toEqual([401, 'a key is needed here'])
    expect(enter({ 'x-quorate-key': key })).toEqual(['none', 'web'])
  })

  test('a removed key is refused at once, the last one too', () => {
    const { enter, gateway } = door([web])
    gateway.keyed.reload([])
    expect(enter({ authorization: `Bearer ${key}` })).toEqual([401, 'unknown or ended key'])
  })
})

describe('pages', () => {
  const other = 'https://other.example'
  const from = (origin: string) => ({ origin, host: 'gateway.example' })

  test('of a site that only a key lists may use that key, after a preflight', () => {
    const { enter } = door([{ ...web, origins: [other] }])
    expect(enter(from(other), 'OPTIONS')).toEqual(['listed', null])
    expect(enter({ ...from(other), 'x-quorate-key': key })).toEqual(['listed', 'web'])
    expect(enter(from(other))).toEqual([403, 'origin not allowed'])
    expect(enter(from('https://evil.example'), 'OPTIONS')).toEqual([403, 'origin not allowed'])
  })

  test('of a listed site, and programs, may not use a key that lists others', () => {
    const { enter } = door([{ ...web, origins: [other] }])
    const refused = [403, 'this key may not be used from here']
    expect(enter({ ...from(listed), 'x-quorate-key': key })).toEqual(refused)
    expect(enter({ 'x-quorate-key': key })).toEqual(refused)
  })

  test('of a foreign site may not use a key that lists none', () => {
    const { enter } = door([web])
    expect(enter({ ...from(other), 'x-quorate-key': key })).toEqual([403, 'origin not allowed'])
    expect(enter({ ...from(listed), 'x-quorate-key': key })).toEqual(['listed', 'web'])
  })
})

test('a key is used from its addresses alone', () => {
  const { enter } = door([{ ...web, ips: ['203.0.113.0/24'] }])
  expect(enter({ 'x-quorate-key': key })).toEqual(['none', 'web'])
  expect(enter({ 'x-quorate-key': key }, 'POST', '198.51.100.1')).toEqual([
    403,
    'this key may not be used from here',
  ])
})

test.each([
  ['/api/rpc/137/key/abc', '/api/rpc/137', 'abc'],
  ['/api/rpc/137/key/abc/', '/api/rpc/137', 'abc'],
  ['/api/rpc/137/key/abc?x=1', '/api/rpc/137?x=1', 'abc'],
  ['/api/rpc/137/key/a%20b/c', '/api/rpc/137', 'a%20b/c'],
  ['/api/rpc/137/key/', '/api/rpc/137', ''],
  ['/api/rpc/137/key', '/api/rpc/137', ''],
  ['/api/rpc/137', '/api/rpc/137', null],
  ['/api/rpc/137/keys/abc', '/api/rpc/137/keys/abc', null],
  ['/other/api/rpc/137/key/abc', '/other/api/rpc/137/key/abc', null],
])('the path %s leads to %s', (target, left, found) => {
  expect(splitKey(target)).toEqual({ target: left, key: found })
})
