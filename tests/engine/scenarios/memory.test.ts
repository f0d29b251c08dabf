import { describe, expect, test } from 'vitest'
import { account, begin, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, inTurn, isBehind, late, type Reply, reverts, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex, logAt, receiptAt } from '../../support/scripted-chain.ts'
import {
  configWith,
  move,
  requestsOf,
  type ScriptedNode,
  sends,
  statesOf,
  three,
  type World,
  worldOf,
} from '../../support/world.ts'
import { cache, eventsOf, headersOf, noQuorum } from '../support/outcomes.ts'

const at = (block: unknown) => [account, block]
const cacheOf = async (world: World, method: string, params?: readonly unknown[]) =>
  (await rpc(world, method, params)).headers['x-quorate-cache']
/** Moves all nodes to this head and refreshes. */
const advance = async (world: World, head: number) => {
  move(world, { head })
  await world.clock.advance(10)
  await world.gateway.refresh(0)
}
const world = (script: Partial<ScriptedNode> = {}) =>
  worldOf(three({ reply: says('0x1'), on: { eth_call: says('0x01') }, ...script }), { quorum: 2 })

describe('an agreed answer', () => {
  test('is cached with its certificate, and no node is asked again', async () => {
    const one = world()
    const first = await rpc(one, 'eth_getBalance')
    const second = await rpc(one, 'eth_getBalance')
    const { 'x-quorate-answer': answer = '' } = first.headers
    expect(answer).not.toBe('')
    const same = { agreement: '2/2/3', block: 1000, answer }
    expect(first).toMatchObject({ result: '0x1', ...headersOf({ ...same, cache: 'miss' }) })
    expect(second).toMatchObject({ result: '0x1', ...headersOf({ ...same, cache: 'hit' }) })
    expect(sends(one)).toBe('')
  })

  test('is shared by every spelling of a call', async () => {
    const one = world()
    await rpc(one, 'eth_getBalance', [account, 'latest'])
    const shouted = account.toUpperCase().replace('X', 'x')
    for (const params of [[shouted, 'latest'], [account], at(null), at('0x3E8'), at('pending')])
      expect(await cacheOf(one, 'eth_getBalance', params)).toBe('hit')
  })

  test('is not used for another call', async () => {
    const one = world()
    await rpc(one, 'eth_getBalance')
    const other = `0x${'ad'.repeat(20)}`
    const call = { to: account, data: '0x01' }
    for (const [method, params] of [
      ['eth_getBalance', [other, 'latest']],
      ['eth_getBalance', at('0x3e7')],
      ['eth_getTransactionCount', at('latest')],
      ['eth_call', [call, 'latest']],
      ['eth_call', [call, 'latest', { [other]: { balance: '0x1' } }]],
      ['eth_call', [{ ...call, gas: '0x5208' }, 'latest']],
    ] as const)
      expect(await cacheOf(one, method, params), JSON.stringify(params)).toBe('miss')
  })

  test('at the head is cached until the head changes', async () => {
    const one = world()
    const history = (newest: number) => ({
      oldestBlock: hex(newest),
      baseFeePerGas: ['0x7', '0x7'],
      gasUsedRatio: [0.5],
      reward: [['0x1']],
      baseFeePerBlobGas: ['0x1', '0x1'],
      blobGasUsedRatio: [0],
    })
    for (const head of [1000, 1001]) {
      await advance(one, head)
      move(one, { reply: says('0x5208'), on: { eth_feeHistory: says(history(head)) } })
      for (const method of ['eth_getBalance', 'eth_estimateGas']) {
        expect(await cacheOf(one, method)).toBe('miss')
        expect(await cacheOf(one, method)).toBe('hit')
      }
      expect(await cacheOf(one, 'eth_blobBaseFee', [])).toBe('miss')
      expect(await cacheOf(one, 'eth_gasPrice', [])).toBe('hit')
    }
  })

  test('by block hash, or of a final block, stays cached', async () => {
    const one = world({ finalized: 936 })
    for (const block of ['finalized', { blockHash: hashOf(990) }, hex(900), hex(970)])
      await rpc(one, 'eth_getBalance', at(block))
    await advance(one, 1300)
    expect(await cacheOf(one, 'eth_getBalance', at({ blockHash: hashOf(990) }))).toBe('hit')
    expect(await cacheOf(one, 'eth_getBalance', at(hex(900)))).toBe('hit')
    expect(await cacheOf(one, 'eth_getBalance', at(hex(970)))).toBe('miss')
  })

  test('with a receipt is cached only once its block is final', async () => {
    const one = world({ on: { eth_getTransactionReceipt: says(receiptAt(950)) }, finalized: 940 })
    await rpc(one, 'eth_getBalance', at('finalized'))
    expect(await cacheOf(one, 'eth_getTransactionReceipt')).toBe('miss')
    expect(await cacheOf(one, 'eth_getTransactionReceipt')).toBe('miss')
    move(one, { finalized: 960 })
    await one.clock.advance(60_000)
    await rpc(one, 'eth_getBalance', at('finalized'))
    await one.clock.advance(10)
    await rpc(one, 'eth_getBalance', at('finalized'))
    await rpc(one, 'eth_getTransactionReceipt')
    expect(await cacheOf(one, 'eth_getTransactionReceipt')).toBe('hit')
  })
})

describe('what is never cached', () => {
  test('nulls, reverts, failures and pending state', async () => {
    const one = world({ on: { eth_getTransactionReceipt: says(null), eth_call: reverts('0xaa') } })
    for (const [method, params] of [
      ['eth_getTransactionReceipt', undefined],
      ['eth_call', undefined],
      ['eth_getTransactionCount', [account, 'pending']],
    ] as const) {
      await rpc(one, method, params)
      await rpc(one, method, params)
      expect(requestsOf(one, method).length, method).toBeGreaterThan(0)
    }
    const two = worldOf([inTurn(says('0xa'), says('0x1')), inTurn(says('0xb'), says('0x1'))], { quorum: 2 })
    expect(await rpc(two, 'eth_getBalance')).toMatchObject(noQuorum())
    expect(await rpc(two, 'eth_getBalance')).toMatchObject({ result: '0x1' })
  })

  test('results read at another block than the one asked for', async () => {
    const behind: Reply = (received) => (received.params[1] === hex(1000) ? isBehind : says('0x1'))(received)
    const one = world({ reply: behind })
    expect(await rpc(one, 'eth_getBalance')).toMatchObject(headersOf({ block: 999 }))
    move(one, { reply: says('0x2') })
    expect(await rpc(one, 'eth_getBalance')).toMatchObject({ result: '0x2', ...headersOf({ block: 1000 }) })
  })
})

test('an answer does not serve a configuration with a stronger quorum than the one that gave it', async () => {
  const one = worldOf(three({ reply: says('0x1') }), { quorum: 2 })
  const params = at({ blockHash: hashOf(990) })
  await rpc(one, 'eth_getBalance', params)
  expect(await cacheOf(one, 'eth_getBalance', params)).toBe('hit')
  one.gateway.reload(configWith('abc', { quorum: 3 }))
  const again = await rpc(one, 'eth_getBalance', params)
  expect(again).toMatchObject(headersOf({ cache: 'miss', agreement: '3/3/3' }))
  one.gateway.reload(configWith('abc', { quorum: 1 }))
  expect(await cacheOf(one, 'eth_getBalance', params)).toBe('hit')
})

describe('calls in flight', () => {
  test('that are identical share one ask', async () => {
    const one = world({ reply: late(100, says('0x1')) })
    await rpc(one, 'eth_blockNumber')
    const first = begin(one, 'eth_getBalance')
    await one.clock.advance(50)
    const second = begin(one, 'eth_getBalance', [account.toUpperCase().replace('X', 'x')])
    const { 'x-quorate-answer': answer = '', ...headers } = (await until(one, first)).headers
    expect(await first.done).toMatchObject({ result: '0x1', ms: 100 })
    expect([answer, headers['x-quorate-cache']]).toEqual([expect.stringMatching(/./), 'miss'])
    const shared = { result: '0x1', ms: 50, ...headersOf({ cache: 'shared', answer }) }
    expect(await until(one, second)).toMatchObject(shared)
    expect(sends(one)).toBe('')
  })

  test('continue while one caller remains, and are aborted when the last one leaves', async () => {
    const one = world({ reply: late(500, says('0x1')) })
    await rpc(one, 'eth_blockNumber')
    const calls = [1, 2, 3].map(() => begin(one, 'eth_getBalance'))
    await one.clock.advance(100)
    calls[0]?.leave()
    calls[1]?.leave()
    await one.clock.advance(100)
    const ends = () => one.requests.filter(({ method }) => method === 'eth_getBalance').map(({ end }) => end)
    expect(ends()).toEqual([null, null])
    expect(await until(one, calls[0]!)).toMatchObject({ status: 499 })
    calls[2]?.leave()
    await one.clock.advance(0)
    expect(ends()).toEqual(['aborted', 'aborted'])
  })

  test('that were aborted are not joined by later callers', async () => {
    const one = world({ reply: late(500, says('0x1')) })
    await rpc(one, 'eth_blockNumber')
    const first = begin(one, 'eth_getBalance')
    await one.clock.advance(100)
    first.leave()
    expect(await rpc(one, 'eth_getBalance')).toMatchObject({ result: '0x1', ms: 500, ...cache('miss') })
  })

  test('are not joined once they have stalled: a later caller asks again', async () => {
    const one = world({ reply: hangs })
    await rpc(one, 'eth_blockNumber')
    const first = begin(one, 'eth_getBalance', at(hex(1000)))
    await one.clock.advance(751)
    move(one, { reply: says('0x1') })
    const again = await rpc(one, 'eth_getBalance', at(hex(1000)))
    expect(again).toMatchObject({ result: '0x1', ms: 0, ...cache('miss') })
    expect(await until(one, first)).toMatchObject(noQuorum())
  })

  test('fail together, and the next call asks again', async () => {
    const one = worldOf([inTurn(hangs, says('0x1'))], { quorum: 1, deadlineMs: 1000 })
    await rpc(one, 'eth_blockNumber')
    for (const call of [1, 2].map(() => begin(one, 'eth_getBalance')))
      expect(await until(one, call)).toMatchObject({ ms: 1000, ...noQuorum() })
    expect(await rpc(one, 'eth_getBalance')).toMatchObject({ result: '0x1' })
  })
})

describe('a permanent cache entry', () => {
  const byHash = (number: number, more: object = {}) => at({ blockHash: hashOf(number), ...more })

  test('is not served after its voters were removed', async () => {
    const heavy = { weight: 5, reply: says('0xbad') }
    const one = worldOf([heavy, heavy, { reply: says('0x1') }, { reply: says('0x1') }], { quorum: 6 })
    expect(await rpc(one, 'eth_getBalance', byHash(1000))).toMatchObject({ result: '0xbad' })
    one.gateway.reload(configWith('cd', { quorum: 2 }))
    const after = { result: '0x1', ...headersOf({ cache: 'miss', agreement: '2/2/2' }) }
    expect(await rpc(one, 'eth_getBalance', byHash(1000))).toMatchObject(after)
  })

  test('is never made for requireCanonical', async () => {
    const one = world()
    const question = byHash(1000, { requireCanonical: true })
    expect(await cacheOf(one, 'eth_getBalance', question)).toBe('miss')
    expect(await cacheOf(one, 'eth_getBalance', question)).toBe('miss')
    const no = fails(-32000, 'hash is not currently canonical')
    move(one, { reply: no, on: {}, fork: { name: 'y', from: 1000 } })
    await advance(one, 1001)
    for (let turn = 0; turn < 5; turn++)
      expect(await rpc(one, 'eth_getBalance', question)).toMatchObject({ error: { code: -32001 } })
    expect(statesOf(one)).toEqual(['usable', 'usable', 'usable'])
  })

  test('needs more than half of all weight, for a block by hash and for a final block', async () => {
    const nodes = ['0x1', '0x1', '0x2', '0x2'].map((value) => ({ reply: says(value), finalized: 936 }))
    const one = worldOf(nodes, { quorum: 2 })
    await rpc(one, 'eth_getBalance', at('finalized'))
    const questions = [byHash(990), at(hex(900))]
    for (const question of questions) expect(await cacheOf(one, 'eth_getBalance', question)).toBe('miss')
    await one.clock.advance(60_000)
    for (const question of questions) expect(await cacheOf(one, 'eth_getBalance', question)).toBe('miss')
  })
})

describe('an answer about an immutable block from less than half of the weight', () => {
  /** A quorum of one. Finality still needs more than half of the weight. */
  const trusting = async (script: Partial<ScriptedNode> = {}) => {
    const one = worldOf(three({ reply: says('0x1'), finalized: 936, ...script }), { quorum: 1 })
    await rpc(one, 'eth_getBalance', at('finalized'))
    return one
  }

  test.each([
    ['at a final number', 'eth_getBalance', at(hex(900))],
    ['by a block’s hash', 'eth_getBalance', at({ blockHash: hashOf(990) })],
    ['of a receipt in a final block', 'eth_getTransactionReceipt', undefined],
  ])('is asked once a minute, not at every call: %s', async (_, method, params) => {
    const one = await trusting({ on: { eth_getTransactionReceipt: says(receiptAt(900)) } })
    expect(await cacheOf(one, method, params)).toBe('miss')
    await advance(one, 1001)
    expect(await cacheOf(one, method, params)).toBe('hit')
    // `advance` has taken 10 ms.
    await one.clock.advance(59_989)
    expect(await cacheOf(one, method, params)).toBe('hit')
    await one.clock.advance(1)
    expect(await cacheOf(one, method, params)).toBe('miss')
    expect(await cacheOf(one, method, params)).toBe('hit')
  })

  test('is not served when more weight is needed, and is replaced by an answer with more weight', async () => {
    const one = await trusting()
    const question = at({ blockHash: hashOf(990) })
    await rpc(one, 'eth_getBalance', question)
    one.gateway.reload(configWith('abc', { quorum: 2 }))
    expect(await cacheOf(one, 'eth_getBalance', question)).toBe('miss')
    await one.clock.advance(60_000)
    expect(await cacheOf(one, 'eth_getBalance', question)).toBe('hit')
  })

  test('is not cached when a reorg may change it', async () => {
    const one = await trusting()
    expect(await cacheOf(one, 'eth_getBalance', at(hex(950)))).toBe('miss')
    expect(await cacheOf(one, 'eth_getBalance', at(hex(950)))).toBe('miss')
  })
})

describe('an answer from nodes that were briefly on another branch', () => {
  const y = { name: 'y', from: 1000 }
  const seen = async (one: World, method: string, params: readonly unknown[], head = 1000) => {
    await rpc(one, 'eth_blockNumber')
    move(one, { fork: y }, ['a', 'b'])
    const during = await rpc(one, method, params)
    move(one, { fork: null }, ['a', 'b'])
    move(one, { head })
    await one.clock.advance(60_000)
    return { during, after: await rpc(one, method, params) }
  }

  test('with a block is not cached: the next caller gets the canonical block', async () => {
    const one = worldOf([{}, {}, {}], { quorum: 2 })
    const { during, after } = await seen(one, 'eth_getBlockByNumber', [hex(1000), false])
    expect(during.result).toMatchObject({ hash: hashOf(1000, y) })
    expect(after.result).toMatchObject({ hash: hashOf(1000) })
  })

  test('with the logs of a block is not cached', async () => {
    const logs: Reply = (received) =>
      says([logAt(1000, 0, { blockHash: hashOf(1000, one.nodes.a?.fork ?? null) })])(received)
    const one: World = worldOf(three({ reply: logs }), { quorum: 2 })
    const { after } = await seen(one, 'eth_getLogs', [{ fromBlock: hex(1000), toBlock: hex(1000) }])
    expect(after.result).toMatchObject([{ blockHash: hashOf(1000) }])
  })

  test('is not cached even if their heads show our branch all the time', async () => {
    const receipts = says([{ ...receiptAt(1000), blockHash: hashOf(1000, y) }])
    const one = world({ on: { eth_getBlockReceipts: receipts } })
    const { result } = await rpc(one, 'eth_getBlockReceipts', [hex(1000)])
    expect(result).toMatchObject([{ blockHash: hashOf(1000, y) }])
    expect(await cacheOf(one, 'eth_getBlockReceipts', [hex(1000)])).toBe('miss')
  })

  test('fails at the deadline when no head poll is answered any more', async () => {
    const receipts = late(5, says([{ ...receiptAt(1000), blockHash: hashOf(1000, y) }]))
    const one = world({ on: { eth_getBlockReceipts: receipts } })
    await rpc(one, 'eth_blockNumber')
    await one.clock.advance(10)
    move(one, { on: { eth_getBlockByNumber: hangs, eth_getBlockReceipts: receipts } })
    const answer = await rpc(one, 'eth_getBlockReceipts', [hex(1000)])
    expect(answer).toMatchObject({ ms: 8000, ...noQuorum() })
  })

  test('without a block hash in it is dropped when the head changes', async () => {
    const balance: Reply = (received) => says(one.nodes.a?.fork ? '0x1' : '0x2')(received)
    const one: World = worldOf(three({ reply: balance }), { quorum: 2 })
    const { during, after } = await seen(one, 'eth_getBalance', [account, hex(1000)], 1001)
    expect([during.result, after.result]).toEqual(['0x1', '0x2'])
  })

  const slow = { stallMs: 2000, on: { eth_getBlockByNumber: late(1500, says(blockAt(1000))) } }
  test.each([
    ['', {}],
    [', even if a slow node has not replied to the previous poll', slow],
  ])('starts a head poll, and the reorg is found%s', async (_, third) => {
    const one = worldOf([{}, {}, third], { quorum: 2 })
    await rpc(one, 'eth_blockNumber')
    await one.clock.advance(10)
    move(one, { fork: y })
    const read = await rpc(one, 'eth_getBlockByNumber', ['latest', false])
    expect(read).toMatchObject({ result: { hash: hashOf(1000, y) }, ms: 0 })
    expect(eventsOf(one, 'reorg')).toHaveLength(1)
  })
})
