import { describe, expect, test } from 'vitest'

import { account, callOf, post, rpc } from '../../support/gateway-calls.ts'
import { answersHttp, fails, hangs, late, type Reply, says, sendFault } from '../../support/replies.ts'
import { blockAt, hex } from '../../support/scripted-chain.ts'
import { requestsOf, type Script, sends, statesOf, three, type World, worldOf } from '../../support/world.ts'
import { eventsOf, noQuorum, readsBlocks, uncached } from '../support/outcomes.ts'

/** A caller chooses how expensive a call is. Expensive calls must not make nodes unusable for other callers. */
const tooLarge = sendFault('too-large')
const lost = sendFault('connection')
const worldWith = (script: Script) => worldOf(three(script), { quorum: 2 })
const usable = ['usable', 'usable', 'usable']
/** An expensive call, another one for each number. */
const work = (world: World, turn: number) =>
  rpc(world, 'eth_call', [{ to: account, data: hex(0x1000 + turn) }, 'latest'])

describe('failures of expensive calls open no breaker', () => {
  const heavy: Readonly<Record<string, (turn: number) => readonly unknown[]>> = {
    eth_getLogs: (turn) => [{ fromBlock: hex(900 + turn), toBlock: hex(950) }],
    eth_call: (turn) => [{ to: account, data: `0x0${turn}` }, 'latest'],
    eth_getProof: (turn) => [account, [hex(turn)], 'latest'],
    eth_getBlockReceipts: (turn) => [hex(900 + turn)],
  }
  describe.each([
    ['an answer over the cap', tooLarge],
    ['a gateway that gave up', answersHttp(504)],
    ['an internal error', fails(-32603, 'Internal error')],
    ['a timeout as a JSON-RPC error', fails(-32002, 'request timed out')],
  ])('with %s', (_, reply) => {
    test.each(Object.entries(heavy))('%s', async (method, params) => {
      const world = worldWith({ reply: says('0x1'), on: { [method]: reply } })
      for (let turn = 0; turn < 4; turn++)
        expect(await rpc(world, method, params(turn))).toMatchObject(noQuorum())
      expect(statesOf(world)).toEqual(usable)
    })
  })

  test('but a node that also fails head polls is found out', async () => {
    const world = worldWith({ reply: says('0x1') })
    await rpc(world, 'eth_blockNumber')
    Object.assign(world.nodes.a!.on, { eth_getBlockByNumber: answersHttp(502), eth_call: answersHttp(502) })
    for (let turn = 0; turn < 4; turn++) {
      await world.clock.advance(5000)
      await rpc(world, 'eth_call')
      await rpc(world, 'eth_blockNumber')
    }
    expect(statesOf(world)).toEqual(['open', 'usable', 'usable'])
  })

  test('a node that fails every balance is found out, though it answers an expensive call after each', async () => {
    const failing = { reply: says('0x'), on: { eth_getBalance: lost } }
    const world = worldOf([failing, { reply: says('0x1') }], { quorum: 1 })
    await rpc(world, 'eth_blockNumber')
    for (let turn = 0; turn < 3; turn++) {
      await rpc(world, 'eth_getBalance', uncached(turn))
      await work(world, turn)
    }
    expect(statesOf(world)).toEqual(['open', 'usable'])
    // It is asked where the other one cannot answer, and that brings it back no sooner.
    world.nodes.b!.on.eth_call = fails(-32601, 'no')
    expect(await work(world, 3)).toMatchObject({ result: '0x' })
    expect(statesOf(world)).toEqual(['open', 'usable'])
  })

  test('a node stays in use that fails a head poll now and then, though callers send it expensive calls alone', async () => {
    const world = worldOf([{ reply: says('0x') }], { headMaxAgeMs: 1000 })
    const { on } = world.nodes.a!
    for (let turn = 0; turn < 30; turn++) {
      if (turn % 5 === 2) on.eth_getBlockByNumber = lost
      else delete on.eth_getBlockByNumber
      await work(world, turn)
      await world.clock.advance(1200)
    }
    expect(eventsOf(world, 'node-state')).toEqual([])
  })

  test('log ranges whose answer exceeds the cap are split', async () => {
    const world = worldWith({ on: { eth_getLogs: readsBlocks(101, tooLarge) } })
    const range = [{ fromBlock: hex(500), toBlock: hex(900), address: account }]
    expect(await rpc(world, 'eth_getLogs', range)).toMatchObject({ result: [] })
  })

  test('when every node is slow, the one that was asked last gets no fault', async () => {
    const world = worldWith({ reply: late(1600, says('0x1')) })
    await rpc(world, 'eth_blockNumber')
    for (let turn = 0; turn < 4; turn++) {
      expect(await rpc(world, 'eth_getBalance', uncached(turn))).toMatchObject({ ms: 1600 })
      expect(sends(world)).toBe('a@0 b@0 c@750')
    }
    expect(statesOf(world)).toEqual(usable)
  })

  test('a node that fails such a call is included in the next head poll', async () => {
    const node = { reply: late(20, says('0x5208')) }
    const world = worldOf([node, node, node, node, node], { quorum: 2, headMaxAgeMs: 1000 })
    await rpc(world, 'eth_blockNumber')
    Object.assign(world.nodes.e!.on, { eth_estimateGas: lost, eth_getBlockByNumber: hangs })
    for (let turn = 0; turn < 4; turn++) {
      await rpc(world, 'eth_estimateGas', [{ to: account, data: `0x0${turn}` }, 'latest'])
      await world.clock.advance(1500)
      await rpc(world, 'eth_blockNumber')
      await world.clock.advance(1000)
    }
    expect(statesOf(world)).toEqual(['usable', 'usable', 'usable', 'usable', 'open'])
  })
})

describe('a caller who chooses work that hurts one node', () => {
  type Received = Parameters<Reply>[0]
  const isAtOther = ({ params: [, block] }: Received) => block !== hex(1000)
  const works: readonly (readonly [string, (turn: number) => readonly unknown[], Reply, typeof isAtOther])[] =
    [
      ['eth_call', (turn) => [{ to: account, data: hex(turn + 16) }, 'latest'], says('0x5208'), () => true],
      ['eth_getLogs', (turn) => [{ fromBlock: hex(800 + turn), toBlock: hex(1000) }], says([]), () => true],
      ['eth_getBalance', (turn) => [account, hex(turn)], says('0x5208'), isAtOther],
      ['eth_getBlockByNumber', (turn) => [hex(turn), true], says(null), ({ params }) => params[1] === true],
    ]
  describe.each([
    ['makes it hang', hangs],
    ['makes it slow', late(3000, says('0x'))],
    ['makes it close the connection', lost],
    ['makes its answer too large', tooLarge],
    ['makes it return an internal error', fails(-32603, 'Internal error')],
    ['makes it return a limit error', fails(-32005, 'limit exceeded')],
    ['makes its gateway return 429', answersHttp(429, '', '60')],
    ['makes its gateway return 504', answersHttp(504)],
    ['makes it return an HTML page', answersHttp(200, '<html>')],
  ])('and %s', (_, hurt) => {
    test.each(works)(
      'by %s, fifty times, changes nothing for others',
      async (method, params, text, isWork) => {
        const world = worldWith({ reply: says('0x5208') })
        await rpc(world, 'eth_blockNumber')
        const usual = method === 'eth_getBlockByNumber' ? says(blockAt(1000)) : text
        for (const [name, { on }] of Object.entries(world.nodes))
          on[method] = (received) => (isWork(received) ? (name === 'a' ? hurt : text) : usual)(received)
        for (let turn = 0; turn < 50; turn++) {
          await rpc(world, method, params(turn))
          await world.clock.advance(100)
        }
        expect(eventsOf(world, 'node-state')).toEqual([])
        await rpc(world, 'eth_getTransactionCount')
        expect(sends(world)).toBe('a@0 b@0')
        await rpc(world, 'eth_estimateGas', [{ to: account, data: '0xff' }, 'latest'])
        expect(sends(world, 'eth_estimateGas')).toBe('a@0 b@0 c@0')
      },
    )
  })

  test('does not affect its measured latency', async () => {
    const node = (pollMs: number, callMs: number): Script => ({
      priority: 1,
      reply: late(callMs, says('0x')),
      on: { eth_getBlockByNumber: late(pollMs, says(blockAt(1000))) },
    })
    const world = worldOf([node(30, 700), node(100, 30)], { quorum: 1 })
    for (let turn = 0; turn < 20; turn++) {
      await world.clock.advance(5000)
      await work(world, turn)
    }
    // The head is looked at first, which takes 30 ms.
    expect(sends(world)).toBe('a@30')
  })

  test('moves it to the end for such calls, for 5 s and doubling, and no caller waits meanwhile', async () => {
    const world = worldWith({ reply: says('0x') })
    await rpc(world, 'eth_blockNumber')
    world.nodes.a!.on.eth_call = hangs
    const waits: number[] = []
    for (let turn = 0; turn < 120; turn++) {
      const { ms } = await work(world, turn)
      if (ms > 0) waits.push(turn)
      await world.clock.advance(1000 - ms)
    }
    // One call in 20 waits for a stall: the one that tries the node again.
    expect(waits).toEqual([0, 1, 7, 18, 39, 80])
    expect(statesOf(world)).toEqual(usable)
    // `0x` is no balance, so the third node is asked too.
    await rpc(world, 'eth_getBalance')
    expect(sends(world)).toBe('a@0 b@0 c@0')
  })

  test('restores its place once it answers such calls again', async () => {
    const world = worldWith({ reply: says('0x') })
    await rpc(world, 'eth_blockNumber')
    const { on } = world.nodes.a!
    on.eth_call = hangs
    for (const turn of [1, 2]) await work(world, turn)
    on.eth_call = says('0x')
    await work(world, 3)
    expect(sends(world)).toBe('b@0 c@0')
    await world.clock.advance(5000)
    await work(world, 4)
    expect(sends(world)).toBe('a@0 b@0')
  })
})

describe('a batch to a node', () => {
  const reads = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => callOf('eth_getBalance', uncached(from + index), index))
  const results = (body: string) =>
    (JSON.parse(body) as { result?: string }[]).map(({ result }) => result ?? null)

  test('that fails as a whole is one fault, not one per call', async () => {
    const failing = { on: { eth_getBalance: answersHttp(503) }, batchCallsMax: 10 }
    const world = worldOf([failing, says('0x1'), says('0x1')], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    await post(world, reads(5))
    // The batch of five, then each call alone.
    expect(requestsOf(world).filter(({ node }) => node === 'a')).toHaveLength(10)
    expect(statesOf(world)).toEqual(usable)
    for (let turn = 5; turn < 7; turn++) await rpc(world, 'eth_getBalance', uncached(turn))
    expect(statesOf(world)).toEqual(['open', 'usable', 'usable'])
  })

  test('whose combined answer exceeds the cap is split, later batches are smaller, and no node gets a fault', async () => {
    const reply: Reply = (received) =>
      (received.batch?.length ?? 1) > 4 ? tooLarge(received) : says('0x1')(received)
    const world = worldWith({ reply, batchCallsMax: 10 })
    await rpc(world, 'eth_blockNumber')
    for (const [from, sizes] of [
      [0, [6, 1]],
      [6, [3]],
    ] as const) {
      const { body } = await post(world, reads(6, from))
      expect(results(body)).toEqual(Array.from({ length: 6 }, () => '0x1'))
      expect(statesOf(world)).toEqual(usable)
      const bodies = requestsOf(world).map(({ body: sent }) => JSON.parse(sent) as unknown)
      expect([...new Set(bodies.map((sent) => (Array.isArray(sent) ? sent.length : 1)))]).toEqual(sizes)
    }
  })
})
