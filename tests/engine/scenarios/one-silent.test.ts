import { describe, expect, test } from 'vitest'
import { account, begin, rpc, until } from '../../support/gateway-calls.ts'
import { answersHttp, hangs, isBehind, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hex, receiptAt } from '../../support/scripted-chain.ts'
import { move, type Script, statesOf, three, type World, worldOf } from '../../support/world.ts'
import { eventsOf, pollHeads } from '../support/outcomes.ts'

/** Quorum 2 of 3: any single node may be silent or lag at any time. */
const silent = { eth_getBlockByNumber: hangs, eth_getBalance: hangs, eth_getTransactionReceipt: hangs }

/** Nodes answer only for blocks that they have; `c` is one block behind. */
function lagging(): World {
  const node = (head: number): Script => {
    const balance: Reply = (received) =>
      (Number(received.params[1]) > head ? isBehind : says(received.params[1]))(received)
    return { head, on: { eth_getBalance: balance } }
  }
  return worldOf([1000, 1000, 999].map(node), { quorum: 2 })
}

describe('one is silent and one lags', () => {
  test('a read at latest is answered at the last block that a quorum has', async () => {
    const world = lagging()
    await rpc(world, 'eth_blockNumber')
    move(world, { on: silent }, ['b'])
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: hex(999), ms: 1600 })
    for (let turn = 0; turn < 6; turn++) {
      await world.clock.advance(500)
      const again = await rpc(world, 'eth_getBalance')
      expect(again).toMatchObject({ result: hex(999) })
      expect(again.ms).toBeLessThan(2000)
    }
  })

  test('a read at a number waits for the nodes that have the block', async () => {
    const world = lagging()
    await rpc(world, 'eth_blockNumber')
    move(world, { on: { eth_getBalance: late(1500, says(hex(1000))) } }, ['b'])
    const answer = await rpc(world, 'eth_getBalance', [account, hex(1000)])
    expect(answer).toMatchObject({ result: hex(1000), ms: 1500 })
  })

  test.each([1, 2, 5, 64, 65, 1000])('the head stays while the other is %i blocks behind', async (blocks) => {
    const world = worldOf([{}, {}, { head: 1000 - blocks }], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    move(world, { on: silent }, ['a'])
    for (let turn = 0; turn < 20; turn++) {
      await world.clock.advance(3000)
      expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
    }
  })
})

const alike = (script: Script = {}) => worldOf(three(script), { quorum: 2, headMaxAgeMs: 1000 })

describe.each([
  ['one has been silent for a long time', silent, 'open'],
  ['none is silent', {}, 'usable'],
])('%s', (_, on, state) => {
  async function worldWith(): Promise<World> {
    const world = alike()
    await rpc(world, 'eth_blockNumber')
    move(world, { on }, ['c'])
    await pollHeads(world, 8, 3000)
    expect(statesOf(world)).toEqual(['usable', 'usable', state])
    return world
  }

  test('after a receipt, eth_blockNumber is at least its block', async () => {
    const world = await worldWith()
    await world.clock.advance(1500)
    // Starts a poll, which may ask the silent node.
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(50)
    move(world, { head: 1001, on: { eth_getTransactionReceipt: says(receiptAt(1001)) } }, ['a', 'b'])
    expect(await rpc(world, 'eth_getTransactionReceipt')).toMatchObject({ ms: 0 })
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1001), ms: 0 })
  })

  test('a block above the head is read as soon as it arrives', async () => {
    const world = await worldWith()
    move(world, { on: { eth_getBalance: says('0x7') } }, ['a', 'b'])
    const begun = begin(world, 'eth_getBalance', [account, hex(1001)])
    await world.clock.advance(200)
    move(world, { head: 1001 })
    expect(await until(world, begun)).toMatchObject({ result: '0x7' })
    expect((await begun.done).ms).toBeLessThanOrEqual(400)
  })
})

describe('looks at heads', () => {
  test('respect Retry-After', async () => {
    const world = alike()
    await rpc(world, 'eth_blockNumber')
    move(world, { on: { eth_getBlockByNumber: answersHttp(429, '', '60') } }, ['c'])
    const from = world.requests.length
    await pollHeads(world, 55, 1100)
    const requests = world.requests.slice(from).filter((each) => each.node === 'c')
    expect(requests.length).toBeLessThan(12)
  })

  test('do not wait behind calls, so a busy node gets no fault', async () => {
    const world = worldOf([{}, {}, { inFlightMax: 1 }], { quorum: 2, headMaxAgeMs: 1000 })
    await rpc(world, 'eth_blockNumber')
    move(world, { on: { eth_getLogs: late(5000, says([])) } }, ['a', 'c'])
    move(world, { on: { eth_getLogs: hangs } }, ['b'])
    const begun = begin(world, 'eth_getLogs')
    await pollHeads(world, 5, 1100)
    expect(await until(world, begun)).toMatchObject({ result: [], ms: 5750 })
    expect(eventsOf(world, 'node-state').filter(({ node }) => node === 'c')).toEqual([])
  })

  test('count no fault for a node without finality', async () => {
    const knowsNone: Reply = (received) =>
      says(received.params[0] === 'finalized' ? null : blockAt(1000))(received)
    const world = alike({ on: { eth_getBlockByNumber: knowsNone } })
    await pollHeads(world, 60, 3000)
    expect(eventsOf(world, 'node-state')).toEqual([])
  })
})

describe('one hangs and one lacks the newest block', () => {
  const history: Reply = (received) => {
    const newest = Number(received.params[1])
    return says({
      oldestBlock: hex(newest),
      baseFeePerGas: ['0x7', '0x7'],
      gasUsedRatio: [0.5],
      reward: [['0x1']],
    })(received)
  }
  /** A node at this height that answers like geth. */
  const geth = (head: number) => {
    const there =
      (reply: Reply): Reply =>
      (received) =>
        (Number(received.params[1]) > head ? isBehind : reply)(received)
    const [eth_estimateGas, eth_call] = [there(says('0x5208')), there(says('0x'))]
    return { head, on: { eth_feeHistory: there(history), eth_estimateGas, eth_call } }
  }
  /** Answers head polls and hangs on everything else. */
  const hung = (head: number) => ({ head, reply: hangs, on: {} })

  test.each([
    ['eth_feeHistory', ['0x1', 'latest', [50]]],
    ['eth_maxPriorityFeePerGas', []],
    ['eth_gasPrice', []],
    ['eth_estimateGas', [{ to: account, data: '0x01' }]],
    ['eth_estimateGas', [{ to: account, data: '0x01' }, 'pending']],
  ] as const)('%s is answered 20 times of 20', async (method, params) => {
    const world = worldOf([geth(1000), hung(1000), geth(999)], { quorum: 2, headMaxAgeMs: 1000 })
    await rpc(world, 'eth_blockNumber')
    let answered = 0
    for (let turn = 1; turn <= 20; turn++) {
      move(world, geth(1000 + turn), ['a'])
      move(world, hung(1000 + turn), ['b'])
      move(world, geth(999 + turn), ['c'])
      await world.clock.advance(2000)
      await world.gateway.refresh(0)
      const { result, ms } = await rpc(world, method, [...params])
      if (result !== undefined && ms < 2000) answered++
    }
    expect(answered).toBe(20)
  })
})
