import { describe, expect, test } from 'vitest'
import { account, begin, callOf, post, rpc, until } from '../../support/gateway-calls.ts'
import { isBehind, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex } from '../../support/scripted-chain.ts'
import { move, requestsOf, type Script, sends, three, worldOf } from '../../support/world.ts'
import { headersOf, noQuorum, rangeOf, uncached } from '../support/outcomes.ts'

const call = { to: account, data: '0x01' }
const balanceAt = (block: unknown) => [account, block]
const reads = three({ reply: says('0x1') })

/** Params of every method with a block parameter, for a given block. */
const pinned: Readonly<Record<string, (block?: unknown) => readonly unknown[]>> = {
  eth_getBalance: balanceAt,
  eth_getTransactionCount: balanceAt,
  eth_getCode: balanceAt,
  eth_getStorageAt: (block) => [account, '0x0', block],
  eth_getStorageValues: (block) => [{ [account]: ['0x0'] }, block],
  eth_call: (block) => [call, block],
  eth_estimateGas: (block) => [call, block],
  eth_createAccessList: (block) => [call, block],
  eth_getProof: (block) => [account, [], block],
  eth_simulateV1: (block) => [{ blockStateCalls: [{ calls: [call] }] }, block],
  eth_feeHistory: (block) => ['0x1', block, []],
  eth_getBlockByNumber: (block) => [block, true],
  eth_getBlockReceipts: (block) => [block],
  eth_getBlockTransactionCountByNumber: (block) => [block],
  eth_getTransactionByBlockNumberAndIndex: (block) => [block, '0x0'],
  eth_getUncleCountByBlockNumber: (block) => [block],
  eth_getUncleByBlockNumberAndIndex: (block) => [block, '0x0'],
}

/** The block parameter in the requests that reached the nodes. */
async function blockAsked(method: string, block?: unknown) {
  const world = worldOf(three({ head: 1000, safe: 968, finalized: 936 }), { quorum: 2 })
  const params = pinned[method]?.(block) ?? []
  await rpc(world, method, block === undefined ? params.filter((param) => param !== undefined) : params)
  const marker = pinned[method]?.('local').indexOf('local') ?? -1
  const blocks = new Set(
    requestsOf(world, method)
      .filter(({ params }) => params[1] !== false)
      .map(({ params }) => JSON.stringify(params[marker])),
  )
  expect(blocks.size).toBe(1)
  return JSON.parse([...blocks][0] ?? 'null') as unknown
}

describe.each(Object.keys(pinned))('%s', (method) => {
  test('is asked at agreed numbers, never by tag', async () => {
    expect(await blockAsked(method, 'latest')).toBe(hex(1000))
    expect(await blockAsked(method, 'safe')).toBe(hex(968))
    expect(await blockAsked(method, 'finalized')).toBe(hex(936))
  })

  test('is asked at the number that the caller gave', async () => {
    expect(await blockAsked(method, hex(700))).toBe(hex(700))
    expect(await blockAsked(method, 'earliest')).toMatch(/^(0x0|earliest)$/)
  })
})

describe('other ways to name a block', () => {
  const ofState = ['eth_getBalance', 'eth_call', 'eth_getCode', 'eth_getStorageAt', 'eth_estimateGas']
  const others = ['eth_getTransactionCount', 'eth_getProof', 'eth_createAccessList', 'eth_simulateV1']
  test.each([
    ...[...ofState, ...others].map((method) => [method, undefined] as const),
    ...ofState.map((method) => [method, 'pending'] as const),
  ])('%s is read at the agreed head where its block is %s', async (method, block) => {
    expect(await blockAsked(method, block)).toBe(hex(1000))
  })

  test('a header marks pending state that was read at the agreed head, and nothing else', async () => {
    const world = worldOf(reads, { quorum: 2 })
    const text = async (method: string, block: unknown) => {
      const { headers } = await rpc(world, method, pinned[method]?.(block))
      return [headers['x-quorate-pending'], headers['x-quorate-block']]
    }
    expect(await text('eth_getBalance', 'pending')).toEqual(['latest', '1000'])
    expect(await text('eth_getBalance', { blockNumber: 'pending' })).toEqual(['latest', '1000'])
    expect(await text('eth_getBalance', 'latest')).toEqual([undefined, '1000'])
    expect((await text('eth_getTransactionCount', 'pending'))[0]).toBeUndefined()
    const batch = ['latest', 'pending'].map((block, id) => callOf('eth_getBalance', balanceAt(block), id))
    expect((await post(world, batch)).headers['x-quorate-pending']).toBe('latest')
  })

  test.each(['eth_getBlockByNumber', 'eth_getBlockTransactionCountByNumber', 'eth_getBlockReceipts'])(
    'a pending block is refused: %s',
    async (method) => {
      const world = worldOf(three({}))
      const { error } = await rpc(world, method, pinned[method]?.('pending'))
      expect(error?.code).toBe(-32602)
      expect(world.requests).toEqual([])
    },
  )

  test('a block hash is passed on (EIP-1898)', async () => {
    const byHash = { blockHash: hashOf(900) }
    for (const block of [byHash, { ...byHash, requireCanonical: true }])
      expect(await blockAsked('eth_getBalance', block)).toEqual(block)
    expect(await blockAsked('eth_getBalance', { blockNumber: hex(900) })).toBe(hex(900))
  })

  test('both ends of a log range are pinned', async () => {
    const range = async (filter: object) => {
      const world = worldOf(three({ reply: says([]), safe: 968, finalized: 936 }), { quorum: 2 })
      await rpc(world, 'eth_getLogs', [filter])
      return requestsOf(world)[0]?.params[0]
    }
    expect(await range({})).toEqual({ fromBlock: hex(1000), toBlock: hex(1000) })
    const finality = { fromBlock: 'finalized', toBlock: 'safe' }
    expect(await range(finality)).toEqual({ fromBlock: hex(936), toBlock: hex(968) })
    for (const as of [{ fromBlock: hex(5), toBlock: hex(6) }, { blockHash: hashOf(7) }])
      expect(await range(as)).toEqual(as)
  })

  test('too many blocks are refused before any node is asked', async () => {
    const range = (from: number, to: number) => [{ fromBlock: hex(from), toBlock: hex(to) }]
    const world = worldOf(three({ reply: says([]), head: 30_000 }), { quorum: 2 })
    for (const params of [range(10_001, 20_001), range(20, 10)])
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject({ error: { code: -32602 } })
    expect(sends(world)).toBe('')
    expect(await rpc(world, 'eth_getLogs', range(10_001, 20_000))).toMatchObject({ result: [] })
  })
})

describe('finality', () => {
  const notFound = { status: 200, error: { code: -32001 } }

  test('is refused when nodes have none', async () => {
    const world = worldOf(reads, { quorum: 2 })
    for (const tag of ['safe', 'finalized'])
      expect(await rpc(world, 'eth_getBalance', balanceAt(tag))).toMatchObject(notFound)
    expect(sends(world, 'eth_getBalance')).toBe('')
  })

  const final = (finalized: number, weight = 1) => ({ finalized, weight, reply: says('0x1') })
  const at = (block: number) => ({ result: '0x1', ...headersOf({ block }) })
  test.each<[string, readonly Script[], number, object]>([
    ['needs more than half of all weight, at any quorum', [final(900), {}, {}], 1, notFound],
    ['needs two operators', [final(900, 9), {}], 1, notFound],
    ['is what both of these are', [final(900), final(900), {}], 1, at(900)],
    ['is the block that more than half report as final', [final(936), final(904), final(904)], 2, at(904)],
  ])('%s', async (_, scripts, quorum, expected) => {
    const answer = await rpc(worldOf(scripts, { quorum }), 'eth_getBalance', balanceAt('finalized'))
    expect(answer).toMatchObject(expected)
  })
})

describe('a block ahead of the agreed head', () => {
  test('is waited for, at most one stall, when it is one or two ahead', async () => {
    const world = worldOf(reads, { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    for (const block of [1001, 1002]) {
      const answer = await rpc(world, 'eth_getBalance', balanceAt(hex(block)))
      expect(answer).toMatchObject({ ms: 750, error: { code: -32001, message: 'header not found' } })
      expect(sends(world)).toBe('')
    }
    const beyond = await rpc(world, 'eth_getBalance', balanceAt(hex(1003)))
    expect(beyond).toMatchObject({ ms: 0, error: { code: -32001 } })
  })

  const ofBlocks = Object.entries(pinned).filter(([, paramsAt]) => paramsAt('first')[0] === 'first')
  test.each(ofBlocks)('is null at once for %s, as from a node', async (method, paramsAt) => {
    const world = worldOf(three({ reply: says(null) }), { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    for (const number of [1001, 1002, 5000]) {
      const answer = await rpc(world, method, paramsAt(hex(number)))
      expect(answer).toMatchObject({ result: null, ms: 0, ...headersOf({ block: 1000 }) })
    }
    expect(sends(world)).toBe('')
  })

  test('is waited for, at most one stall, when a node has shown that block', async () => {
    const world = worldOf([{ head: 1000 }, { head: 1000 }, { head: 1001 }], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    const block = (number: number) => rpc(world, 'eth_getBlockByNumber', [hex(number), false])
    expect(await block(1001)).toMatchObject({ result: null, ms: 750 })
    const answer = begin(world, 'eth_getBlockByNumber', [hex(1001), false])
    await world.clock.advance(300)
    move(world, { head: 1001 })
    expect(await until(world, answer)).toMatchObject({ result: { number: hex(1001) } })
    expect((await answer.done).ms).toBeLessThan(700)
    expect(await block(1002)).toMatchObject({ result: null, ms: 0 })
  })

  test('is read as soon as a quorum has it, even if a slow node has not replied to the previous poll', async () => {
    const world = worldOf([says('0x1'), says('0x1'), { reply: says('0x1'), stallMs: 2000 }], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    move(world, { on: { eth_getBlockByNumber: late(1500, says(blockAt(1000))) } }, ['c'])
    const answer = begin(world, 'eth_getBalance', balanceAt(hex(1001)))
    await world.clock.advance(300)
    move(world, { head: 1001 })
    expect(await until(world, answer)).toMatchObject({ result: '0x1', ms: 400 })
  })

  test('is refused for a fee history with the message of geth', async () => {
    const { error } = await rpc(worldOf(three({})), 'eth_feeHistory', ['0x1', hex(1010), []])
    const message = 'request beyond head block: requested 1010, head 1000'
    expect(error).toMatchObject({ code: -32001, message })
  })
})

test('one request sees one head, even if the head changes meanwhile', async () => {
  const world = worldOf(three({ reply: late(30, says('0x1')) }), { quorum: 2, headMaxAgeMs: 10 })
  await rpc(world, 'eth_blockNumber')
  await world.clock.advance(20)
  move(world, { head: 1001 })
  const batch = [0, 1, 2, 3].map((id) => callOf('eth_getBalance', uncached(id), id))
  const response = await post(world, [...batch, callOf('eth_blockNumber', [], 9)])
  const results = JSON.parse(response.body) as { result: string }[]
  expect(new Set(requestsOf(world, 'eth_getBalance').map(({ params }) => params[1])).size).toBe(1)
  expect(requestsOf(world, 'eth_getBalance')[0]?.params[1]).toBe(results[4]?.result)
  expect(response.headers['x-quorate-block']).toBe(String(Number(results[4]?.result)))
})

describe('when the chain changes during a call', () => {
  const x = { name: 'x', from: 1000 }
  const y = { name: 'y', from: 1000 }

  test('and a reorg replaces the pinned block, it is asked again, once', async () => {
    const world = worldOf(three({ fork: x, reply: late(100, says('0x1')) }), { quorum: 2, headMaxAgeMs: 10 })
    await rpc(world, 'eth_blockNumber')
    const answer = begin(world, 'eth_getBalance')
    await world.clock.advance(50)
    move(world, { fork: y, head: 1000, reply: late(100, says('0x2')) })
    void world.gateway.refresh(0)
    expect(await until(world, answer)).toMatchObject({ result: '0x2', ms: 200 })
    expect(sends(world)).toBe('a@0 b@0 a@100 b@100')
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'reorg' }))
  })

  test('and a reorg comes between the votes, it is asked again, once', async () => {
    const nodes = [1, 2, 3, 4].map(() => ({ fork: x, reply: says('0x1') }))
    const world = worldOf(nodes, { quorum: 3, headMaxAgeMs: 10 })
    await rpc(world, 'eth_blockNumber')
    move(world, { reply: late(100, says('0x2')) }, ['c', 'd'])
    const answer = begin(world, 'eth_getBalance')
    await world.clock.advance(50)
    move(world, { fork: y, head: 1000, reply: says('0x2') })
    void world.gateway.refresh(0)
    expect(await until(world, answer)).toMatchObject({ result: '0x2', ms: 100 })
    expect(sends(world)).toBe('a@0 b@0 c@0 d@100 a@100 b@100 c@100')
  })

  test('and a reorg removes the pinned block, it is asked again at the new head', async () => {
    const script = { fork: { ...x, from: 999 }, reply: late(100, says('0x1')) }
    const world = worldOf(three(script), { quorum: 2, headMaxAgeMs: 10 })
    await rpc(world, 'eth_blockNumber')
    const answer = begin(world, 'eth_getBalance')
    await world.clock.advance(50)
    move(world, { fork: y, head: 999 })
    for (const node of Object.values(world.nodes))
      node.reply = (received) =>
        Number(received.params[1]) > node.head ? isBehind(received) : late(100, says('0x1'))(received)
    void world.gateway.refresh(0)
    expect(await until(world, answer)).toMatchObject({ result: '0x1', ...headersOf({ block: 999 }) })
    expect(requestsOf(world).map(({ params }) => params[1])).toEqual([1000, 1000, 999, 999].map(hex))
  })

  test('and no node has the block, a tag is read one block lower, once; a number is not', async () => {
    const world = worldOf(three({ reply: isBehind }), { quorum: 2 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ ms: 200, ...noQuorum('silent') })
    expect([...new Set(requestsOf(world).map(({ params }) => params[1]))]).toEqual([hex(1000), hex(999)])
    const answer = await rpc(world, 'eth_getBalance', balanceAt(hex(1000)))
    expect(answer).toMatchObject({ ms: 100, error: { code: -32001, message: 'header not found' } })
    expect([...new Set(requestsOf(world).map(({ params }) => params[1]))]).toEqual([hex(1000)])
  })

  const emptyBlock = (number: number) => ({ ...blockAt(number), transactions: [] })

  describe.each([
    ['eth_getBlockByNumber', [true], emptyBlock],
    ['eth_getBlockReceipts', [], () => []],
    ['eth_getBlockTransactionCountByNumber', [], () => '0x0'],
    ['eth_getUncleCountByBlockNumber', [], () => '0x0'],
  ] as const)('and %s brings null for an agreed block', (method, rest, of) => {
    /** Lacks the head block in reads. `lookOr` still shows it in head polls. */
    const slow: Reply = (received) => {
      const number = Number(received.params[0])
      return says(number === 1000 ? null : of(number))(received)
    }
    const lookOr: Reply = (received) =>
      received.params[1] === false
        ? says(emptyBlock(received.params[0] === 'latest' ? 1000 : Number(received.params[0])))(received)
        : slow(received)
    const behind: Script = { reply: slow, on: { eth_getBlockByNumber: lookOr } }

    test('a tag is read one block lower, a number is an error', async () => {
      const world = worldOf(three(behind), { quorum: 2 })
      const lower = { result: of(999), ...headersOf({ block: 999 }) }
      expect(await rpc(world, method, ['latest', ...rest])).toMatchObject(lower)
      expect(await rpc(world, method, [hex(1000), ...rest])).toMatchObject({ error: { code: -32001 } })
    })

    test('nodes that have it are asked instead', async () => {
      const has: Script = { reply: says(of(1000)), on: { eth_getBlockByNumber: says(emptyBlock(1000)) } }
      const world = worldOf([behind, behind, has, has], { quorum: 2 })
      expect(await rpc(world, method, ['latest', ...rest])).toMatchObject({ result: of(1000) })
    })

    test('null is the result when the block is not an agreed one', async () => {
      const onlyHeads: Reply = (received) =>
        says(received.params[1] === false ? emptyBlock(1000) : null)(received)
      const world = worldOf(three({ reply: says(null), on: { eth_getBlockByNumber: onlyHeads } }))
      expect(await rpc(world, method, [hex(5), ...rest])).toMatchObject({ result: null })
    })
  })

  describe('and no node has the last block of a range', () => {
    const notFound = -32001
    test.each([
      ['both ends go one lower when both were the head', { fromBlock: 'latest' }, '1000-1000 999-999'],
      ['a start given as a number stays', { fromBlock: hex(999) }, '999-1000 999-999'],
      ['and as finality', { fromBlock: 'finalized' }, '936-1000 936-999'],
      ['and an end', { fromBlock: 'latest', toBlock: hex(1000) }, '1000-1000', notFound],
      ['a range that would then run backwards is not found', { fromBlock: hex(1000) }, '1000-1000', notFound],
      ['nor one from finality', { fromBlock: 'safe' }, '1000-1000', notFound],
    ])('%s', async (_, filter, ranges, code = -32010) => {
      const world = worldOf(three({ reply: isBehind, safe: 1000, finalized: 936 }), { quorum: 2 })
      expect(await rpc(world, 'eth_getLogs', [filter])).toMatchObject({ error: { code } })
      const sent = requestsOf(world, 'eth_getLogs').map((request) => rangeOf(request).join('-'))
      expect([...new Set(sent)].join(' ')).toBe(ranges)
    })

    test('callers that gave its start as a tag and as a number do not share an answer', async () => {
      const reply: Reply = (received) =>
        late(20, rangeOf(received)[1] === 999 ? says([]) : isBehind)(received)
      const world = worldOf(three({ reply }), { quorum: 2 })
      await rpc(world, 'eth_blockNumber')
      const both = await post(world, [
        callOf('eth_getLogs', [{ fromBlock: 'latest' }], 1),
        callOf('eth_getLogs', [{ fromBlock: hex(1000) }], 2),
      ])
      expect(JSON.parse(both.body)).toMatchObject([{ result: [] }, { error: { code: -32001 } }])
    })
  })
})

test('nodes behind the pinned block are asked last', async () => {
  const world = worldOf([{ head: 990, reply: says('0x1') }, ...reads], { quorum: 2 })
  await rpc(world, 'eth_getBalance')
  expect(sends(world)).toBe('b@0 c@0')
})
