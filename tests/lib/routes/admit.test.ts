import { expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createAttempts } from '#lib/operator/attempts.ts'
import { admit } from '#lib/routes/admit.ts'
import { splitKey } from '#lib/routes/key-path.ts'
import { CallError, createGateway, hashOf, parseConfig, systemClock } from '#rpc-proxy'
import { recordedLog } from '../../support/recorded-log.ts'

const key = 'a-key-of-twenty-four-chars'
const site = 'https://gateway.example'
const listed = 'https://app.example'

function door(callers: readonly object[], more: object = {}) {
  const chains = [{ id: 137, nodes: [{ name: 'a', url: 'https://a.example' }] }]
  const config = parseConfig({ chains, callers, ...more }, {})
  const send = () => new Promise<never>(() => {})
  const gateway = createGateway(config, { clock: systemClock(), random: Math.random, send })
  const attempts = createAttempts(recordedLog().log, { now: () => 0, counts: createHostCounts() })
  /** Whose request it is, and from where; or the status and what the caller is told. */
  const enter = (headers: Readonly<Record<string, string>>, method = 'POST', caller = '203.0.113.7') => {
    try {
      const request = { method, caller, header: (name: string) => headers[name] ?? null }
      const { from, keyed } = admit(
        request,
        { gateway, config: () => config },
        { site, listed: [listed], extensions: true, attempts },
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

const other = 'https://other.example'
const from = (origin: string) => ({ origin, host: 'gateway.example' })
const withKey = { 'x-quorate-key': key }
const unknown = [401, 'unknown or ended key']
const foreign = [403, 'origin not allowed']
const notHere = [403, 'this key may not be used from here']

interface Config {
  readonly callers: readonly object[]
  readonly anonymous?: 'refused'
}
const one: Config = { callers: [web] }
const ofOther: Config = { callers: [{ ...web, origins: [other] }] }
const ofNetwork: Config = { callers: [{ ...web, ips: ['203.0.113.0/24'] }] }

test.each<[string, Config, Parameters<ReturnType<typeof door>['enter']>, readonly unknown[]]>([
  ['a key in our header', one, [withKey], ['none', 'web']],
  ['a key as a bearer', one, [{ authorization: `Bearer ${key}` }], ['none', 'web']],
  ['no key', one, [{}], ['none', null]],
  ['no key, where one is needed', { ...one, anonymous: 'refused' }, [{}], [401, 'a key is needed here']],
  ['a key, where one is needed', { ...one, anonymous: 'refused' }, [withKey], ['none', 'web']],
  ['an empty key', one, [{ 'x-quorate-key': '' }], unknown],
  ['a key that is too long', one, [{ 'x-quorate-key': `${key}x` }], unknown],
  ['an unknown bearer', one, [{ authorization: 'Bearer nobody' }], unknown],
  ['any bearer, without keys', { callers: [] }, [{ authorization: 'Bearer nobody' }], ['none', null]],
  ['our own header, without keys', { callers: [] }, [withKey], unknown],
  ['the preflight of a site that a key lists', ofOther, [from(other), 'OPTIONS'], ['listed', null]],
  ['a site that the key lists', ofOther, [{ ...from(other), ...withKey }], ['listed', 'web']],
  ['the same site without the key', ofOther, [from(other)], foreign],
  ['the preflight of any other site', ofOther, [from('https://evil.example'), 'OPTIONS'], foreign],
  ['a listed site with a key that lists others', ofOther, [{ ...from(listed), ...withKey }], notHere],
  ['a program with a key that lists sites', ofOther, [withKey], notHere],
  ['a foreign site with a key that lists none', one, [{ ...from(other), ...withKey }], foreign],
  ['a listed site with a key that lists none', one, [{ ...from(listed), ...withKey }], ['listed', 'web']],
  ['an address of the key', ofNetwork, [withKey], ['none', 'web']],
  ['an address that is none of the key’s', ofNetwork, [withKey, 'POST', '198.51.100.1'], notHere],
])('%s is judged', (_, { callers, ...more }, asked, verdict) => {
  expect(door(callers, more).enter(...asked)).toEqual(verdict)
})

test('guesses beyond five a minute get 429, and the right key is never refused', () => {
  const { enter } = door([web])
  for (let guess = 0; guess < 5; guess += 1) expect(enter({ 'x-quorate-key': `guess-${guess}` })[0]).toBe(401)
  expect(enter({ 'x-quorate-key': 'guess' })).toEqual([429, 'too many requests'])
  expect(enter(withKey)).toEqual(['none', 'web'])
  expect(enter({ 'x-quorate-key': 'guess' }, 'POST', '203.0.113.8')[0]).toBe(401)
})

test('a removed key is refused at once, the last one too', () => {
  const { enter, gateway } = door([web])
  gateway.keyed.reload([])
  expect(enter({ authorization: `Bearer ${key}` })).toEqual(unknown)
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
