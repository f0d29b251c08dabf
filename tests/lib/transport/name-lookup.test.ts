import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLookup, type LookupOptions, readHosts } from '#lib/transport/name-lookup.ts'
import { type NameReply, type NameServer, startNameServer } from '../../support/name-server.ts'

/** What the name server says of each name; of a name that is not here it says that there is none. */
const zone: Record<string, NameReply | ((type: string) => NameReply)> = {}
let server: NameServer

beforeAll(async () => {
  server = await startNameServer((name, type) => {
    const reply = zone[name] ?? 'no-such-name'
    return typeof reply === 'function' ? reply(type) : reply
  })
})
afterAll(() => server.stop())
beforeEach(() => {
  for (const name of Object.keys(zone)) delete zone[name]
})

const noSystem = (hostname: string) =>
  Promise.reject(Object.assign(new Error('not in the system'), { code: 'ENOTFOUND', hostname }))

/** Longer than any machine takes: only a test that wants a reply to be late sets less. */
const patient = { lookupMsMax: 60_000, lastGoodAfterMs: 60_000, otherFamilyMsMax: 60_000 }
const lookupWith = ({ limits, ...options }: LookupOptions = {}) =>
  createLookup({
    ...{ servers: [server.address], system: noSystem, hosts: () => '' },
    ...options,
    limits: { ...patient, ...limits },
  })

/** All addresses, as net asks for them; or the code of the failure. */
function find(lookup: LookupFunction, hostname: string): Promise<readonly string[] | string | undefined> {
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (cause, found) =>
      resolve(cause === null ? (found as LookupAddress[]).map(({ address }) => address) : cause.code),
    )
  })
}

test('finds the addresses of both families, IPv4 first', async () => {
  zone['node.example'] = ['2001:db8::1', '192.0.2.1', '192.0.2.2']
  expect(await find(lookupWith(), 'node.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
})

test('returns one address, or one of a family, to who wants that', async () => {
  zone['node.example'] = ['2001:db8::1', '192.0.2.1']
  const one = (options: { family?: number | 'IPv6' }) =>
    new Promise((resolve) => lookupWith()('node.example', options, (...found) => resolve(found)))
  expect(await one({})).toEqual([null, '192.0.2.1', 4])
  expect(await one({ family: 6 })).toEqual([null, '2001:db8::1', 6])
  expect(await one({ family: 'IPv6' })).toEqual([null, '2001:db8::1', 6])
})

test('answers while other names, as many as there are threads, are not answered', async () => {
  zone['node.example'] = ['192.0.2.1']
  const lookup = lookupWith({ limits: { lookupMsMax: 400 } })
  const silent = Array.from({ length: 8 }, (_, index) => {
    zone[`silent-${index}.example`] = 'silence'
    return find(lookup, `silent-${index}.example`)
  })
  const first = await Promise.race([find(lookup, 'node.example'), ...silent])
  expect(first).toEqual(['192.0.2.1'])
  expect(await Promise.all(silent)).toEqual(silent.map(() => 'ETIMEOUT'))
})

test('gives a name that is not answered up in time, and asks again for the next connection', async () => {
  zone['node.example'] = 'silence'
  // It would block a thread.
  const system = async () => [{ address: '192.0.2.7', family: 4 }]
  const lookup = lookupWith({ system, limits: { lookupMsMax: 100 } })
  expect(await find(lookup, 'node.example')).toBe('ETIMEOUT')
  for (const address of ['192.0.2.1', '192.0.2.9']) {
    zone['node.example'] = [address]
    expect(await find(lookup, 'node.example')).toEqual([address])
  }
})

test('asks once for connections that are made at the same time', async () => {
  zone['node.example'] = ['192.0.2.1']
  const lookup = lookupWith()
  const before = server.asked.length
  await Promise.all(Array.from({ length: 20 }, () => find(lookup, 'node.example')))
  expect(server.asked.slice(before).toSorted()).toEqual(['node.example A', 'node.example AAAA'])
})

test.each([
  ['A', '2001:db8::1'],
  ['AAAA', '192.0.2.1'],
])('does without the %s records that a name server never sends', async (missing, found) => {
  zone['node.example'] = (type) => (type === missing ? 'silence' : ['192.0.2.1', '2001:db8::1'])
  const lookup = lookupWith({ limits: { otherFamilyMsMax: 50 } })
  expect(await find(lookup, 'node.example')).toEqual([found])
})

describe('the last good addresses', () => {
  const known = async (limits: LookupOptions['limits'] = {}) => {
    const system = () => Promise.reject(Object.assign(new Error('system'), { code: 'EAI_AGAIN' }))
    zone['node.example'] = ['192.0.2.1']
    const lookup = lookupWith({ system, limits: { lookupMsMax: 300, lastGoodAfterMs: 20, ...limits } })
    await find(lookup, 'node.example')
    return lookup
  }

  test.each<NameReply>(['silence', 'failure'])(
    'are used while the name server answers with %s, at once for the next connections',
    async (reply) => {
      const lookup = await known()
      zone['node.example'] = reply
      expect(await find(lookup, 'node.example')).toEqual(['192.0.2.1'])
      const before = server.asked.length
      expect(await find(lookup, 'node.example')).toEqual(['192.0.2.1'])
      expect(server.asked.length).toBe(before)
    },
  )

  test('give way to the ones that come late', async () => {
    const lookup = await known({ restMs: 0 })
    zone['node.example'] = 'silence'
    await find(lookup, 'node.example')
    zone['node.example'] = ['192.0.2.9']
    await expect.poll(() => find(lookup, 'node.example')).toEqual(['192.0.2.9'])
  })

  test('are not used when they are too old', async () => {
    const lookup = await known({ lastGoodMsMax: 0 })
    zone['node.example'] = 'silence'
    expect(await find(lookup, 'node.example')).toBe('ETIMEOUT')
  })
})

test('a name that no name server knows is asked of the system, which knows search domains and mDNS', async () => {
  const system = async (hostname: string) => [{ address: `for ${hostname}`, family: 4 }]
  expect(await find(lookupWith({ system }), 'printer')).toEqual(['for printer'])
})

test('a name that the system does not know either is not found, whatever its last good addresses', async () => {
  const lookup = lookupWith()
  expect(await find(lookup, 'node.example')).toBe('ENOTFOUND')
  zone['node.example'] = ['192.0.2.1']
  expect(await find(lookup, 'node.example')).toEqual(['192.0.2.1'])
  delete zone['node.example']
  expect(await find(lookup, 'node.example')).toBe('ENOTFOUND')
})

test('localhost is asked of the system alone', async () => {
  const before = server.asked.length
  const system = async () => [{ address: '127.0.0.1', family: 4 }]
  expect(await find(lookupWith({ system }), 'localhost')).toEqual(['127.0.0.1'])
  expect(await find(lookupWith({ system }), 'a.localhost')).toEqual(['127.0.0.1'])
  expect(server.asked.length).toBe(before)
})

test('the hosts file comes first, and is read again for each look-up', async () => {
  zone['geth'] = ['192.0.2.1']
  let hosts = '127.0.0.1 localhost\n10.0.0.5\tgeth Geth.local # ours\n::1 geth\n'
  const lookup = lookupWith({ hosts: () => hosts })
  expect(await find(lookup, 'geth')).toEqual(['10.0.0.5', '::1'])
  hosts = '# 10.0.0.5 geth'
  expect(await find(lookup, 'geth')).toEqual(['192.0.2.1'])
})

test('reads a hosts file by name, in any case, without comments and nonsense', () => {
  const text = '#10.0.0.1 a\n 10.0.0.2  a b\r\nfe80::1%lo0 a\nx a\n\n10.0.0.3 c A#a\n10.0.0.4 #a'
  expect(readHosts(text, 'a').map(({ address }) => address)).toEqual(['10.0.0.2', 'fe80::1%lo0', '10.0.0.3'])
  expect(readHosts(text, 'B')).toEqual([{ address: '10.0.0.2', family: 4 }])
  expect(readHosts(text, 'x')).toEqual([])
})
