import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Hex, isHex, toCoinType } from 'viem'
import { mainnet } from 'viem/chains'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createGatewayFetch, replyBytesMax, urlCharsMax } from '#lib/names/gateway-fetch.ts'
import {
  callsMax,
  gatewaysMax,
  LookUp,
  normalName,
  universalResolver,
} from '#lib/names/universal-resolver.ts'
import { demoAccount } from '../../demo/accounts.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { type NameRegistry, openNames, signedReply } from '../../demo/name-registry.ts'
import { localChains } from '../support/chains.ts'
import { listen } from '../support/listen.ts'
import { postJson } from '../support/post-json.ts'

/** A contract that answers as the Universal Resolver does, and gateways that do not do what they should. */
const chains = localChains({ chains: [{ id: 1 }], blockTimeS: 3600 })
const [owner, friend, stranger] = [1, 2, 3].map((index) => demoAccount(index).address) as [Hex, Hex, Hex]
let registry: NameRegistry
let server: Server
let origin: string
let gateway: RequestListener
const calls: string[] = []
const requests: string[] = []

beforeAll(async () => {
  registry = await openNames(chains().chain(1).url)
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.slice(0, 60)}`)
    gateway(request, response)
  })
  origin = `http://127.0.0.1:${await listen(server)}`
})
afterEach(() => {
  calls.length = 0
  requests.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** The chain itself, as an agreed source that says at which block it has read. */
async function callChain(_: number, body: string): Promise<string> {
  const { params } = JSON.parse(body)
  calls.push(params[1])
  const block = params[1] === 'latest' ? await head() : params[1]
  const response = await postJson(chains().chain(1).url, JSON.parse(body))
  const quorate = { answer: 'c', agreed: 2, needed: 2, total: 3, operators: 2, dissenting: 0, block }
  return JSON.stringify({ ...((await response.json()) as object), quorate })
}

const head = () => callNode<Hex>(chains().chain(1).url, 'eth_blockNumber')

const lookUp = (options: Partial<ConstructorParameters<typeof LookUp>[0]> = {}) =>
  new LookUp({ call: callChain, fetchGateways: createGatewayFetch({ local: origin }), ...options })

/** The name leads to no address on Polygon, because the resolver fails. */
const expectNone = (name: string, one = lookUp()) =>
  expect(one.addressOf(name, 137)).rejects.toMatchObject({ why: 'resolver' })

/** An honest gateway, which reads what it is asked for from the url or from the body. */
const honest: RequestListener = async (request, response) => {
  const body = await text(request)
  const [, ...inUrl] = (request.url ?? '').split('/')
  const { sender = inUrl[0], data = inUrl[1] } = body === '' ? {} : JSON.parse(body)
  const reply = { data: await signedReply(sender, data, friend) }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
}

const inUrl = () => `${origin}/{sender}/{data}`

test('the resolver is where viem knows it', () => {
  expect(universalResolver.toLowerCase()).toBe(mainnet.contracts.ensUniversalResolver.address.toLowerCase())
})

test('a name leads to the address that it has for the chain, and to none where it has none', async () => {
  await registry.setAddress('both.eth', toCoinType(1), owner)
  await registry.setAddress('both.eth', toCoinType(137), friend)
  const one = lookUp()
  expect(await one.addressOf('both.eth', 1)).toBe(owner)
  expect(await one.addressOf('both.eth', 137)).toBe(friend)
  expect(await one.addressOf('both.eth', 42161)).toBeNull()
  expect(await one.addressOf('nobody.eth', 1)).toBeNull()
  expect(one.evidence()).toMatchObject({ block: Number(await head()), certificateId: 'c', isOffchain: false })
  expect(calls).toEqual(['latest', await head(), await head(), await head()])
})

test('a record that is no address is none that anything is sent to', async () => {
  await registry.setAddress('odd.eth', toCoinType(137), `0x${'11'.repeat(32)}`)
  await expectNone('odd.eth')
})

test('an account has the name that it chose for the chain, if that name leads back to it', async () => {
  await registry.setAddress('own.eth', toCoinType(137), owner)
  await registry.setPrimary(owner, toCoinType(137), 'own.eth')
  expect(await lookUp().nameOf(owner, 137)).toBe('own.eth')
  expect(await lookUp().nameOf(owner, 42161)).toBeNull()
  await registry.setPrimary(stranger, toCoinType(137), 'own.eth')
  expect(await lookUp().nameOf(stranger, 137)).toBeNull()
})

test('an account without a name for the chain has that of the default record', async () => {
  await registry.setAddress('any.eth', toCoinType(0), friend)
  await registry.setPrimary(friend, toCoinType(0), 'any.eth')
  expect(await lookUp().nameOf(friend, 137)).toBe('any.eth')
  expect(await lookUp().nameOf(friend, 1)).toBeNull()
})

test('a name that is not written as ENSIP-15 has it is not shown as the name of an account', async () => {
  await registry.setAddress('VitaIik.eth', toCoinType(1), owner)
  await registry.setPrimary(owner, toCoinType(1), 'VitaIik.eth')
  expect(await lookUp().nameOf(owner, 1)).toBeNull()
  expect(normalName('Alice.ETH')).toBe('alice.eth')
  for (const name of ['alice', 'a b.eth', 'аlice.eth', `${'a'.repeat(260)}.eth`])
    expect(normalName(name), name).toBeNull()
})

test('where there is no resolver there are no names', async () => {
  const call = async () => '{"result":"0x","quorate":{"agreed":2,"needed":2,"total":3,"block":1}}'
  const elsewhere = lookUp({ fetchGateways: null, call })
  expect(await elsewhere.nameOf(owner, 137)).toBeNull()
  expect(await elsewhere.addressOf('both.eth', 137)).toBeNull()
})

test('what less than a majority says is no address', async () => {
  const quorate = { agreed: 1, needed: 1, total: 3, block: 1 }
  const call = async () => JSON.stringify({ result: `0x${'00'.repeat(64)}`, quorate })
  await expect(lookUp({ fetchGateways: null, call }).addressOf('both.eth', 137)).rejects.toMatchObject({
    why: 'silent',
  })
})

test.each([['in the url'], ['in a body']])(
  'an offchain name leads to the address that its signer vouches for, with the data %s, at the block of the first call',
  async (where) => {
    gateway = honest
    await registry.setOffchain('offchain.eth', [where === 'in a body' ? origin : inUrl()])
    const one = lookUp()
    expect(await one.addressOf('offchain.eth', 137)).toBe(friend)
    expect(one.evidence().isOffchain).toBe(true)
    expect(calls).toEqual(['latest', await head()])
    expect(requests).toHaveLength(1)
    expect(requests[0]?.startsWith(where === 'in a body' ? 'POST' : 'GET')).toBe(true)
  },
)

test.each<[string, RequestListener]>([
  [
    'lies',
    async (request, response) => {
      const [, sender, data] = (request.url ?? '').split('/')
      const reply = await signedReply(sender as Hex, data as Hex, friend)
      const other = stranger.slice(2).toLowerCase()
      response.end(JSON.stringify({ data: reply.replace(new RegExp(friend.slice(2), 'i'), other) }))
    },
  ],
  ['redirects', (_, response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end()],
  ['sends 10 MB', (_, response) => void response.end(`{"data":"0x${'00'.repeat(5_000_000)}"}`)],
  ['sends no hex', (_, response) => void response.end('{"data":"hello"}')],
  ['sends no JSON', (_, response) => void response.end('<html>')],
  ['fails', (_, response) => response.writeHead(500).end()],
  ['hangs up', (request) => request.socket.destroy()],
])('there is no address where a gateway %s', async (_, listener) => {
  gateway = listener
  await registry.setOffchain('broken.eth', [inUrl()])
  await expectNone('broken.eth')
  expect(requests).toHaveLength(1)
})

test('a gateway that stalls ends the look-up with its time', async () => {
  gateway = () => {}
  await registry.setOffchain('slow.eth', [inUrl()])
  const fetchGateways = createGatewayFetch({ local: origin })
  const own = lookUp({
    fetchGateways: (request) => fetchGateways({ ...request, signal: AbortSignal.timeout(50) }),
  })
  await expectNone('slow.eth', own)
})

test('the next gateway is asked after one that fails, five at most, and none after one that refuses', async () => {
  gateway = (request, response) => {
    if (request.url?.startsWith('/good/'))
      return honest(Object.assign(request, { url: request.url.slice(5) }), response)
    response.writeHead(request.url?.startsWith('/refuses') ? 404 : 503).end()
  }
  const good = `${origin}/good/{sender}/{data}`
  await registry.setOffchain('second.eth', [`${origin}/{data}`, good])
  expect(await lookUp().addressOf('second.eth', 137)).toBe(friend)
  await registry.setOffchain('sixth.eth', [...Array<string>(gatewaysMax).fill(`${origin}/{data}`), good])
  requests.length = 0
  await expectNone('sixth.eth')
  expect(requests).toHaveLength(gatewaysMax)
  await registry.setOffchain('refused.eth', [`${origin}/refuses/{data}`, good])
  await expectNone('refused.eth')
})

test('a reply of 64 KiB and a url of 8,192 characters are the largest', async () => {
  const empty = 'x'.repeat(replyBytesMax - '{"data":"0x"}'.length)
  const fetchGateways = createGatewayFetch({ local: origin })
  const sender = owner
  const ask = (url: string, data: Hex = '0x12') =>
    fetchGateways({ urls: [url], sender, data, signal: AbortSignal.timeout(60_000), take: () => true })
  gateway = (_, response) => void response.end(`{"data":"0x"}${' '.repeat(empty.length)}`)
  expect(await ask(origin)).toBe('0x')
  gateway = (_, response) => void response.end(`{"data":"0x"}${' '.repeat(empty.length + 1)}`)
  await expect(ask(origin)).rejects.toThrow('no gateway')
  gateway = (_, response) => void response.end('{"data":"0x"}')
  const room = urlCharsMax - `${origin}/0x`.length
  expect(isHex(await ask(`${origin}/{data}`, `0x${'1'.repeat(room)}`))).toBe(true)
  await expect(ask(`${origin}/{data}`, `0x${'1'.repeat(room + 1)}`)).rejects.toThrow('no gateway')
})

test('a resolver that asks for one look-up after the other is left', async () => {
  await registry.setOffchain('loop.eth', [inUrl()])
  let first: Promise<string> | undefined
  let asked = 0
  const looping = lookUp({
    fetchGateways: async () => '0x',
    call: (id, body) => {
      asked += 1
      first ??= callChain(id, body)
      return first
    },
  })
  await expectNone('loop.eth', looping)
  expect(asked).toBe(callsMax)
})
