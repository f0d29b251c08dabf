import { keccak256, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { account, begin, beginPost, callOf, post, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, isBehind, late, type Reply, reverts, says, saysText } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { sends, worldOf } from '../../support/world.ts'
import { certificateOf, drain, eventsOf, headersOf } from '../support/outcomes.ts'

const nodes = [says('0x1'), says('0x1'), says('0x1')]
const call = (id: string, rest = '"method":"eth_chainId"') => `{"jsonrpc":"2.0","id":${id},${rest}}`
const codes = (body: string) =>
  (JSON.parse(body) as { error?: { code: number } }[]).map(({ error }) => error?.code ?? 0)

describe('ids come back exactly as they were sent', () => {
  const ids = String.raw`1 "1" 1.0 -0 1e3 null 12345678901234567890123 "\u0041\n" "\ud800" ""`
  test.each(ids.split(' '))('%s', async (id) => {
    const world = worldOf(nodes)
    const chainId = await post(world, call(id))
    expect(chainId).toMatchObject({ status: 200, body: `{"jsonrpc":"2.0","id":${id},"result":"0x1"}` })
    const balance = await post(world, call(id, `"method":"eth_getBalance","params":["${account}"]`))
    expect(balance.body).toBe(`{"jsonrpc":"2.0","id":${id},"result":"0x1"}`)
    const failure = await post(world, call(id, '"method":"eth_sign"'))
    expect(failure.body.startsWith(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601`)).toBe(true)
  })

  test('in a batch in their order, however long each takes, repeated ones too', async () => {
    const world = worldOf([{ reply: late(50, says('0x1')) }])
    const balance = `"method":"eth_getBalance","params":["${account}"]`
    const { body, status } = await post(
      world,
      `[${call('1', balance)},${call('"b"')},7,${call('1.0')},${call('1', balance)}]`,
    )
    expect(status).toBe(200)
    expect(body.match(/"id":[^,]+/g)).toEqual(['"id":1', '"id":"b"', '"id":null', '"id":1.0', '"id":1'])
    expect(codes(body)).toEqual([0, 0, -32600, 0, 0])
  })
})

describe('notifications', () => {
  test('on their own get 204', async () => {
    const world = worldOf(nodes)
    const one = '{"jsonrpc":"2.0","method":"eth_chainId"}'
    for (const body of [one, `[${one},${one}]`, '{"jsonrpc":"2.0","method":"eth_getBalance","params":{}}'])
      expect(await post(world, body)).toMatchObject({ status: 204, body: '' })
  })

  test('in a batch get no response object', async () => {
    const world = worldOf(nodes)
    const { body } = await post(world, `[${call('1')},{"jsonrpc":"2.0","method":"eth_chainId"},${call('2')}]`)
    expect(body).toBe('[{"jsonrpc":"2.0","id":1,"result":"0x1"},{"jsonrpc":"2.0","id":2,"result":"0x1"}]')
  })
})

describe('a batch', () => {
  test('fails entry by entry, and with HTTP 200', async () => {
    const node = { on: { eth_call: reverts('0xaa'), eth_getCode: hangs }, reply: says('0x1') }
    const { status, body } = await post(worldOf([node], { deadlineMs: 500 }), [
      callOf('eth_getBalance', undefined, 1),
      callOf('eth_call', undefined, 2),
      callOf('eth_getCode', undefined, 3),
      callOf('eth_sign', [], 4),
      callOf('eth_getBalance', ['0x1'], 5),
      callOf('eth_getBalance', [account, hex(5000)], 6),
      { id: 7 },
    ])
    expect(status).toBe(200)
    expect(codes(body)).toEqual([0, 3, -32010, -32601, -32602, -32001, -32600])
  })

  test('that is too long is refused for each of its ids, before any node is asked', async () => {
    const world = worldOf(nodes, { limits: { batchCallsMax: 3 } })
    const batch = (length: number) =>
      Array.from({ length }, (_, id) => callOf('eth_getBalance', undefined, id))
    const refused = await post(world, batch(4))
    expect(refused.status).toBe(413)
    expect(codes(refused.body)).toEqual([-32600, -32600, -32600, -32600])
    expect(world.requests).toEqual([])
    expect((await post(world, batch(3))).status).toBe(200)
  })

  test('that is far too long gets a short refusal and is charged', async () => {
    const world = worldOf(nodes, { rate: { costPerMinute: 60 }, limits: { batchCallsMax: 100 } })
    const ids = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))
    const { status, body } = await post(world, ids(20_000), { caller: '10.0.0.1' })
    expect([status, codes(body)]).toEqual([413, Array.from({ length: 101 }, () => -32600)])
    expect(body.endsWith('"message":"batch too large: 20000 calls, at most 100"}}]')).toBe(true)
    expect((await post(world, ids(1), { caller: '10.0.0.1' })).status).toBe(429)
  })

  test('that is refused is answered with id null when its ids exceed the answer cap', async () => {
    const world = worldOf(nodes, { limits: { batchCallsMax: 1, answerBytesMax: 1024 } })
    const { status, body } = await post(world, [{ id: 'x'.repeat(1000) }, { id: 2 }])
    expect([status, JSON.parse(body)]).toMatchObject([413, { id: null, error: { code: -32600 } }])
  })

  test('has one answer id, its weakest agreement and one block in its headers', async () => {
    const counts = [fails(-32099, 'broken'), says('0x2'), says('0x2')]
    const nodes = counts.map((reply) => ({ reply, on: { eth_getTransactionReceipt: says(null) } }))
    const world = worldOf(nodes, { quorum: 2 })
    const methods = ['eth_getTransactionReceipt', 'eth_getTransactionCount']
    const calls = methods.map((method) => callOf(method))
    const batch = await post(world, calls)
    expect(batch).toMatchObject(headersOf({ agreement: '2/2/3', block: 1000 }))
    expect(certificateOf(world, batch)?.method).toBe('eth_getTransactionCount')
  })
})

test.each([
  ['no JSON', '{', -32700],
  ['no request', '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}', -32600],
  ['an empty batch', '[]', -32600],
  ['a batch of invalid requests', '[1,2,3,4,5,6,7,8,9,10]', -32600],
  ['an unknown method name', JSON.stringify(callOf('eth_nothing', [])), -32601],
  ['invalid params', JSON.stringify(callOf('eth_getBalance', ['0x1'])), -32602],
  ['a body over the cap', `"${'x'.repeat(2000)}"`, -32600],
])('invalid requests are charged: %s', async (_, text, code) => {
  const world = worldOf(nodes, { rate: { costPerMinute: 6 }, limits: { bodyBytesMax: 1024 } })
  const statuses = new Map<number, number>()
  for (let turn = 0; turn < 30; turn++) {
    const { status, body } = await post(world, text, { caller: '10.0.0.1' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status !== 429) expect(body).toContain(`"code":${code},`)
  }
  // A cost of 2 pays for 20 of the cheapest calls, or 2 batches of 10.
  const [[, answered = 0] = []] = statuses
  expect([answered, statuses.get(429)]).toEqual(text.startsWith('[1') ? [2, 28] : [20, 10])
  expect((await post(world, callOf('eth_chainId', []), { caller: '10.0.0.2' })).status).toBe(200)
})

describe('error responses', () => {
  const params = [account, 'latest']
  const to = [{ to: account }]
  const tooCheap = 'max fee per gas less than block base fee: address'
  const underpriced =
    'transaction underpriced: max fee per gas less than block base fee, or tip below the minimum'
  const missing = { code: -32601, message: 'the method eth_sign does not exist / is not available' }
  const reverted = { code: 3, message: 'execution reverted', data: '0xaa' }
  const silent = { code: -32010, message: 'failed to meet quorum', data: { reason: 'silent' } }
  const notFound = { code: -32001, message: 'header not found' }
  const refused = (message: string) => ({ code: -32000, message })
  test.each<[string, Reply, string, readonly unknown[], object]>([
    ['bad params', says('0x1'), 'eth_getBalance', ['0x1'], { code: -32602 }],
    ['no bytes to hash', says('0x1'), 'web3_sha3', ['hello'], { code: -32602 }],
    ['an unknown method', says('0x1'), 'eth_sign', [], missing],
    ['a call in upper case', says('0x1'), 'ETH_CALL', [], { code: -32601 }],
    ['no usable reply', fails(-32099, 'server error'), 'eth_getBalance', params, silent],
    ['a revert', reverts('0xaa'), 'eth_call', to, reverted],
    ['a refusal', fails(-32000, 'nonce too low: next nonce 5'), 'eth_call', to, refused('nonce too low')],
    ['a refusal over fees', fails(-32000, tooCheap), 'eth_call', to, refused(underpriced)],
    ['a missing block', isBehind, 'eth_getBalance', [account, hex(1000)], notFound],
  ])('%s', async (_, reply, method, given, error) => {
    expect(await rpc(worldOf([reply]), method, given)).toMatchObject({ status: 200, error })
  })

  test('a failure carries the answer id for looking up its certificate', async () => {
    const world = worldOf([says('0x1'), says('0x2')], { quorum: 2 })
    const { error, headers } = await rpc(world, 'eth_getBalance')
    expect(error?.data).toEqual({ reason: 'disagree', answer: headers['x-quorate-answer'] })
    expect(world.gateway.disputes(10).map(({ id }) => id)).toContain(headers['x-quorate-answer'])
  })

  test('node text and node urls never reach the caller', async () => {
    const canary = 'canary<script>\r\n\u001b[31m'
    const replies = [
      fails(-32099, canary, canary),
      fails(3, `execution reverted: ${canary}`, canary),
      saysText(`"${'canary'}"`),
      says({ canary }),
    ]
    for (const reply of replies) {
      const world = worldOf([reply, reply], { quorum: 2 })
      for (const method of ['eth_getBalance', 'eth_call', 'eth_getLogs', 'eth_getTransactionReceipt']) {
        const { text, headers } = await rpc(world, method)
        const reported = text + JSON.stringify(headers) + JSON.stringify(world.gateway.snapshot())
        expect(reported).not.toMatch(/canary|\.test/)
      }
    }
  })

  test.each([
    ['eth_chainId', [], '0x89'],
    ['net_version', [], '137'],
    ['net_listening', [], true],
    ['eth_syncing', [], false],
    // The first calls of wallets and tools, as public nodes answer them.
    ['eth_accounts', [], []],
    ['net_peerCount', [], hex(nodes.length)],
    ['web3_sha3', ['0x68656c6c6f20776f726c64'], keccak256(toHex('hello world'))],
    ['eth_chainId', null, '0x89'],
  ])('%s %j is answered without a node', async (method, params, result) => {
    const world = worldOf(nodes, { chainId: 137 })
    const { body } = await post(world, { ...callOf(method), params })
    expect(JSON.parse(body)).toMatchObject({ result })
    expect(world.requests).toEqual([])
  })
})

describe('the HTTP endpoint', () => {
  const body = callOf('eth_chainId', [])
  const ofType = (type: string) => ({ headers: { 'content-type': type } })
  test.each([
    ['an unknown chain', { path: '/api/rpc/2' }, 404],
    ['a chain id that is not a number', { path: '/api/rpc/x' }, 404],
    ['a chain id with a leading zero', { path: '/api/rpc/01' }, 404],
    ['another HTTP method', { method: 'GET' }, 405],
    ['another content type', ofType('text/plain'), 415],
    ['no content type', ofType(''), 415],
    ['a content type that begins like it', ofType('application/jsonx'), 415],
    ['invalid JSON', {}, 400, '{"jsonrpc":', -32700],
  ])('refuses %s', async (_, options, status, text: unknown = body, code = -32600) => {
    const response = await post(worldOf(nodes), text, options)
    expect(response.status).toBe(status)
    if (status === 405) expect(response.headers.allow).toContain('POST')
    expect(JSON.parse(response.body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
  })

  test('accepts every spelling of the JSON content type', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
      expect((await post(worldOf(nodes), body, ofType(type))).status).toBe(200)
  })

  test('refuses a body over the limit and accepts one at the limit', async () => {
    const world = worldOf(nodes, { limits: { bodyBytesMax: 1024 } })
    const padded = (bytes: number) => {
      const bare = JSON.stringify({ ...body, pad: '' })
      return JSON.stringify({ ...body, pad: 'x'.repeat(bytes - bare.length) })
    }
    expect((await post(world, padded(1024))).status).toBe(200)
    expect(await post(world, padded(1025))).toMatchObject({ status: 413 })
  })

  test('sheds load over the limit at once and keeps serving the calls in flight', async () => {
    const world = worldOf([{ reply: late(100, says('0x1')) }], { limits: { inFlightMax: 2 } })
    await rpc(world, 'eth_blockNumber')
    const inside = [begin(world, 'eth_getBalance'), begin(world, 'eth_getCode')]
    const shed = await post(world, callOf('eth_getBalance'))
    expect(shed).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(JSON.parse(shed.body)).toMatchObject({ error: { code: -32005, message: 'overloaded' } })
    expect(await until(world, inside[0]!)).toMatchObject({ result: '0x1' })
    expect((await post(world, callOf('eth_getBalance'))).status).toBe(200)
  })

  test('emits an event for every rate-limited call, single or in a batch', async () => {
    const world = worldOf(nodes, { rate: { costPerMinute: 3000, siteCallsPerSecond: 1 } })
    await post(world, callOf('eth_getBalance'))
    expect(await post(world, callOf('eth_getCode'))).toMatchObject({ status: 429 })
    const batch = await post(world, [callOf('eth_getCode'), callOf('eth_getCode')])
    expect(codes(batch.body)).toEqual([-32005, -32005])
    // Each member has an error of its own: clients take another status for the end of the whole endpoint.
    expect(batch.status).toBe(200)
    expect(batch.headers).not.toHaveProperty('retry-after')
    const event = { type: 'rate-limited', chainId: world.chainId }
    expect(eventsOf(world, 'rate-limited')).toEqual([event, event, event])
  })

  test('sends Retry-After to a rate-limited caller', async () => {
    const world = worldOf(nodes, { rate: { costPerMinute: 6 } })
    const read = (caller: string, turn = 0) => rpc(world, 'eth_getBalance', [account, hex(turn)], { caller })
    for (const [turn, status] of [200, 200, 429].entries())
      expect((await read('10.0.0.1', turn)).status).toBe(status)
    expect(await read('10.0.0.1')).toMatchObject({
      status: 429,
      error: { code: -32005 },
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    })
    expect((await read('10.0.0.2')).status).toBe(200)
  })

  test('while draining, answers calls in flight and refuses new ones', async () => {
    const world = worldOf([{ reply: late(100, says('0x1')) }])
    await rpc(world, 'eth_blockNumber')
    const inside = begin(world, 'eth_getBalance')
    const { done, isDrained } = drain(world)
    expect(await post(world, body)).toMatchObject({ status: 503, body: expect.stringContaining('draining') })
    expect(isDrained()).toBe(false)
    expect(await until(world, inside)).toMatchObject({ result: '0x1' })
    await done
  })
})

describe('the headers of an answer', () => {
  test('carry answer id, agreement, block, cache and time', async () => {
    const world = worldOf([{ reply: late(7, says('0x1')), weight: 3 }, late(7, says('0x1'))], { quorum: 4 })
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject(headersOf({ agreement: '4/4/4', block: 1000, cache: 'miss' }))
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'server-timing': 'rpc;dur=7.0',
    })
    expect(certificateOf(world, answer)).toMatchObject({ agreed: 4, needed: 4, total: 4 })
  })

  test('name no block when there is none', async () => {
    const world = worldOf([says(null)], { quorum: 1 })
    expect((await rpc(world, 'eth_getTransactionReceipt')).headers['x-quorate-block']).toBeUndefined()
    expect((await rpc(world, 'eth_chainId', [])).headers['x-quorate-answer']).toBeUndefined()
  })
})

describe('a caller that asks for an explanation', () => {
  const headers = { 'x-quorate-explain': '1' }
  const estimates = ['0x5208', '0x5300', '0x5400']

  test('gets one in each response object', async () => {
    const world = worldOf([says('0x1'), says('0x1'), says('0x2')], { quorum: 2 })
    const one = await rpc(world, 'eth_getBalance', undefined, { headers })
    expect(one.quorate).toEqual({
      answer: one.headers['x-quorate-answer'],
      units: 1,
      agreed: 2,
      needed: 2,
      total: 3,
      operators: 2,
      dissenting: 0,
      operatorsTotal: 3,
      policy: 'everyday',
      proven: false,
      thin: false,
      block: 1000,
      cache: 'miss',
    })
    const batch = [callOf('eth_getBalance', undefined, 1), callOf('eth_blockNumber', [], 2)]
    const { body } = await post(world, batch, { headers })
    const [balance, head] = JSON.parse(body) as { quorate: object }[]
    expect(balance?.quorate).toMatchObject({ cache: 'hit', answer: one.headers['x-quorate-answer'] })
    expect(head?.quorate).toMatchObject({ agreed: 2, block: 1000 })
  })

  test.each([
    ['is told of operators that disagree', ['0x1', '0x2', '0x1'], { operators: 2, dissenting: 1 }],
    ['and of none that was not asked', Array(4).fill('0x1'), { operators: 2, dissenting: 0, total: 4 }],
    ['gets one with a failure, too', ['0x1', '0x2'], { agreed: 1, needed: 2, total: 2, block: 1000 }],
    ['hears of no dissent among honest estimates', estimates, { dissenting: 0 }, 'eth_estimateGas'],
  ])('%s', async (_, results, quorate, method = 'eth_getBalance') => {
    const world = worldOf(results.map(says), { quorum: 2 })
    expect(await rpc(world, method, undefined, { headers })).toMatchObject({ quorate })
  })

  test('and other callers do not', async () => {
    expect(await rpc(worldOf(nodes), 'eth_getBalance')).not.toHaveProperty('quorate')
  })
})

test('a batch whose caller leaves gives up all of its requests', async () => {
  const world = worldOf([{ reply: late(100, says('0x1')) }])
  await rpc(world, 'eth_blockNumber')
  const batch = beginPost(world, [callOf('eth_getBalance'), callOf('eth_getCode', undefined, 2)])
  await world.clock.advance(10)
  batch.leave()
  expect(await until(world, batch)).toMatchObject({ status: 499, body: '' })
  await world.clock.advance(0)
  expect(world.requests.filter(({ end }) => end === null)).toEqual([])
  expect(sends(world)).toBe('a@0 a@0')
})
