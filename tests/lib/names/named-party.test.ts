import { beforeEach, expect, test, vi } from 'vitest'
import { findParty, partiesKey, partiesMax, rememberParty } from '#lib/names/named-party.ts'

const one = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const found = { name: 'alice.eth', address: one, mainnetAddress: null, isOffchain: false, certificateId: 'c' }
const stored = new Map<string, string>()

/** What is found of alice.eth where the route of names answers this. */
function find(body: unknown) {
  vi.stubGlobal('fetch', async () => Response.json(body))
  return findParty('alice.eth', 137)
}
async function partyOf(change: object = {}) {
  const party = await find({ ...found, ...change })
  if ('why' in party) throw new Error(party.why)
  return party
}
const beforeOf = async (change: object = {}) => (await partyOf(change)).party.before

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('window', {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})

test('a name that leads to another address than it did at the last payment says where it led', async () => {
  const { party } = await partyOf()
  expect(party.before).toBeNull()
  rememberParty(party, 137, one)
  expect(await beforeOf()).toBeNull()
  expect(await beforeOf({ address: other })).toBe(one)
  rememberParty(party, 137, other)
  expect(await beforeOf({ address: other })).toBeNull()
})

test('another network and another name are compared with their own', async () => {
  const { party } = await partyOf()
  rememberParty(party, 1, other)
  rememberParty({ ...party, name: 'bob.eth' }, 137, other)
  expect(await beforeOf()).toBeNull()
})

test('the last 200 names are remembered, and a broken store is none', async () => {
  const { party } = await partyOf()
  rememberParty(party, 137, other)
  for (let each = 1; each < partiesMax; each += 1) rememberParty({ ...party, name: `${each}.eth` }, 137, one)
  expect(await beforeOf()).toBe(other)
  rememberParty({ ...party, name: 'one-more.eth' }, 137, one)
  expect(await beforeOf()).toBeNull()
  for (const text of ['{', '7', '[7,[1]]', '[["137 alice.eth","0x12"]]']) {
    stored.set(partiesKey, text)
    expect(await beforeOf()).toBeNull()
  }
})

test('the address on Ethereum is no address of the network', async () => {
  const party = await partyOf({ address: null, mainnetAddress: one })
  expect(party).toMatchObject({ address: null, mainnetAddress: one, party: { isOfMainnet: true } })
})

test.each([
  [{ why: 'disagree' }, 'disagree'],
  [{ error: 'not found' }, 'unreachable'],
  [null, 'unreachable'],
])('%j is no address', async (body, why) => {
  expect(await find(body)).toEqual({ why })
})

test('an answer with what is no address is none that is sent to', async () => {
  expect(await partyOf({ address: '0x12' })).toMatchObject({ address: null, mainnetAddress: null })
})
