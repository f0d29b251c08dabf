import { beforeEach, expect, test, vi } from 'vitest'
import type { HostRequest } from '#lib/http.ts'
import { createNames, lookUpsMax } from '#lib/names/names-route.ts'
import { nameCharsMax } from '#lib/names/universal-resolver.ts'

const post = vi.fn()

const quorate = { answer: 'c', agreed: 3, needed: 3, total: 5, operators: 3, dissenting: 1, block: 9 }
const chainIds = () => [1, 137]
const word = (hex: string) => hex.padStart(64, '0')
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const own = address.slice(2).toLowerCase()

/** What `resolveWithGateways` returns: the bytes of a record, and the resolver. */
function resolved(record: string): string {
  const inner = `${word('20')}${word((record.length / 2).toString(16))}${record.padEnd(64, '0').slice(0, record === '' ? 0 : 64)}`
  return `0x${word('40')}${word('1')}${word((inner.length / 2).toString(16))}${inner}`
}

async function ask(query: string, { method = 'GET', caller = '1.2.3.4', names = create() } = {}) {
  const { status, body } = await names.answer({ method, query, caller } as HostRequest)
  return { status, body: JSON.parse(body as string) }
}

const create = (chains = chainIds) =>
  createNames({
    fetchGateways: null,
    chainIds: chains,
    createCall: (caller) => (chainId, body) => post(chainId, body, caller),
    now: Date.now,
  })

beforeEach(() => {
  post.mockReset()
  post.mockImplementation(async () => JSON.stringify({ result: resolved(own), quorate }))
})

test('a name is answered as it is written, with the address, and with who agreed', async () => {
  const quorum = { operators: 3, dissenting: 1, unreached: 0 }
  const found = { name: 'alice.eth', address, mainnetAddress: null, isOffchain: false }
  const body = { ...found, block: 9, quorum, certificateId: 'c' }
  expect(await ask('name=Alice.ETH&chain=137')).toEqual({ status: 200, body })
  expect(post).toHaveBeenCalledWith(1, expect.any(String), '1.2.3.4')
})

test('where a name has no address for the chain, its address on chain 1 is told beside that', async () => {
  const replies = ['', own]
  post.mockImplementation(async () => JSON.stringify({ result: resolved(replies.shift() ?? ''), quorate }))
  const { body } = await ask('name=alice.eth&chain=137')
  expect(body).toMatchObject({ address: null, mainnetAddress: address })
})

test('a chain whose id is too large for a record of its own gets the address on chain 1', async () => {
  for (const large of [2 ** 31, 123_456_789_012]) {
    const names = create(() => [1, large])
    const { body } = await ask(`name=alice.eth&chain=${large}`, { names })
    expect(body).toMatchObject({ address: null, mainnetAddress: address })
    post.mockImplementationOnce(async () => JSON.stringify({ error: { code: -32005, message: '' } }))
    expect((await ask(`address=0x${own}&chain=${large}`, { names })).status).toBe(429)
  }
})

test.each([
  ['without name or chain', '', 'name=alice.eth', 'chain=1'],
  ['of no chain of ours', 'name=alice.eth&chain=10', 'name=alice.eth&chain=0x1'],
  ['of no address', 'address=0x12&chain=1'],
  ['of no name', 'name=alice&chain=1', 'name=a%20b.eth&chain=1'],
])('a query %s is refused, and no node is asked', async (_, ...queries) => {
  for (const query of queries) expect((await ask(query)).status, query).toBe(400)
  expect(post).not.toHaveBeenCalled()
})

test('a name of 255 characters is looked up, and none of more', async () => {
  const statusOf = async (length: number) =>
    (await ask(`name=${'eth'.padStart(length, 'a.')}&chain=1`)).status
  expect([nameCharsMax, await statusOf(255), await statusOf(256)]).toEqual([255, 200, 400])
})

test('what else stands in a query is left: Next adds to it', async () => {
  expect((await ask('name=alice.eth&chain=1&nxtPpath=names')).status).toBe(200)
})

test('a query cannot be changed by its method, and names need chain 1', async () => {
  expect((await ask('name=alice.eth&chain=1', { method: 'POST' })).status).toBe(405)
  expect((await ask('name=alice.eth&chain=137', { names: create(() => [137]) })).status).toBe(400)
})

test.each([
  [{ error: { code: -32010, message: '', data: { reason: 'disagree' } }, quorate }, 200, 'disagree'],
  [{ error: { code: -32005, message: '' } }, 429, 'busy'],
  [{ error: { code: 3, message: 'execution reverted', data: '0x556f1830' }, quorate }, 200, 'resolver'],
  [{ error: { code: 3, message: 'execution reverted', data: '0x' }, quorate }, 200, 'resolver'],
  [undefined, 200, 'unreachable'],
])('%j is no answer: %i, %s', async (reply, status, why) => {
  post.mockImplementation(async () => JSON.stringify(reply) ?? '')
  expect(await ask('name=alice.eth&chain=1')).toMatchObject({ status, body: { why } })
})

test('a caller looks up sixty names a minute, however many of them there are', async () => {
  const names = create()
  for (let each = 0; each < lookUpsMax.perCallerMax; each += 1)
    expect((await ask('name=alice.eth&chain=1', { names })).status).toBe(200)
  expect((await ask('name=alice.eth&chain=1', { names })).status).toBe(429)
  expect((await ask('name=alice.eth&chain=1', { names, caller: '1.2.3.5' })).status).toBe(200)
})
