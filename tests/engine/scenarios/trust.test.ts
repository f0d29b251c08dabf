import { describe, expect, test } from 'vitest'
import { account, begin, protect, rpc, until } from '../../support/gateway-calls.ts'
import { late, type Reply, says } from '../../support/replies.ts'
import { blockAt, type Fork, hashOf, hex, logAt, receiptAt } from '../../support/scripted-chain.ts'
import {
  configWith,
  move,
  requestsOf,
  type Script,
  stateOf,
  statesOf,
  type World,
  worldOf,
} from '../../support/world.ts'
import { cache, eventsOf, headersOf, noQuorum, uncached } from '../support/outcomes.ts'

const finalized = 936
const ofFinal = [{ fromBlock: hex(900), toBlock: hex(900) }]
const truth = [logAt(900, 0)]
const forgery = [logAt(900, 0, { data: '0xbad0' })]

const node = (name: string, weight: number, script: Script = {}): Script => ({
  name,
  weight,
  finalized,
  ...script,
  on: {
    eth_getLogs: says(truth),
    eth_getTransactionReceipt: says(receiptAt(900)),
    eth_getBalance: says('0x1'),
    ...script.on,
  },
})
/** Nodes of these names and a weight of 1 each. */
const of = (names: string, script: Script = {}) => [...names].map((name) => node(name, 1, script))
const lies: Script = {
  on: { eth_getLogs: says(forgery), eth_getTransactionReceipt: says(receiptAt(900, { status: '0x0' })) },
}
const lying = { on: { eth_getBalance: says('0xbad') } }
const liars = (script: Script) => [node('a', 3, script), node('b', 3, script)]
const others = [node('c', 2), node('d', 2), node('e', 1)]
const cordon = (world: World, names: string) => {
  for (const name of names) world.gateway.cordon(1, name, true)
}
const turnHonest = (world: World) => move(world, { on: { ...node('', 1).on } }, ['a', 'b'])
const balanceOf = (world: World, params: readonly unknown[], options = {}) =>
  rpc(world, 'eth_getBalance', params, options)

describe.each([
  ['eth_getLogs', ofFinal, forgery, truth],
  ['eth_getTransactionReceipt', [receiptAt(900).transactionHash], { status: '0x0' }, { status: '0x1' }],
])('what two liars made of a final block, %s,', (method, params, lie, honest) => {
  /** Two poisoned nodes that are more than half of all weight, before three honest ones that are a quorum without them. */
  const believed = async () => {
    const world = worldOf([...liars(lies), ...others], { quorum: 4 })
    await balanceOf(world, [account, 'finalized'])
    expect(await rpc(world, method, params)).toMatchObject({ result: lie })
    expect(await rpc(world, method, params)).toMatchObject({ result: lie, ...cache('hit') })
    // Two operators protect nothing, whatever they weigh.
    expect(await rpc(world, method, params, protect)).toMatchObject(noQuorum())
    return world
  }
  const isGone = async (world: World) => {
    expect(await rpc(world, method, params)).toMatchObject({ result: honest, ...cache('miss') })
    expect((await rpc(world, method, params, protect)).result).not.toMatchObject(lie as object)
  }

  test('is not served once one of them is cordoned, though the other one is not', async () => {
    const world = await believed()
    turnHonest(world)
    cordon(world, 'a')
    await isGone(world)
  })

  test('is not served once they are cordoned, though they go on lying', async () => {
    const world = await believed()
    cordon(world, 'ab')
    expect(await rpc(world, method, params)).toMatchObject({ result: honest, ...cache('miss') })
  })

  test('is not served any more when they are back in use', async () => {
    const world = await believed()
    turnHonest(world)
    for (const isOut of [true, false]) world.gateway.cordon(1, 'a', isOut)
    await isGone(world)
  })

  test('is not served once one of them has been outvoted about an agreed block', async () => {
    const world = await believed()
    turnHonest(world)
    move(world, { on: { ...node('a', 3, lying).on } }, ['a'])
    await balanceOf(world, [account, hex(999)], protect)
    expect(world.events).toContainEqual({ type: 'distrust', chainId: 1, operator: 'a' })
    await isGone(world)
  })

  test('ends after ten minutes where nobody noticed', async () => {
    const world = await believed()
    turnHonest(world)
    await world.clock.advance(599_000)
    expect(await rpc(world, method, params)).toMatchObject(cache('hit'))
    await world.clock.advance(1_000)
    await isGone(world)
  })

  test('is gone after a reload that leaves them out, and stays gone after one that does not', async () => {
    const nodes = Object.entries({ a: 3, b: 3, c: 2, d: 2, e: 1 }).map(([name, weight]) => ({
      ...{ name, weight },
      url: `http://${name}.test/`,
    }))
    const world = await believed()
    turnHonest(world)
    cordon(world, 'a')
    world.gateway.reload(configWith('', { quorum: 4, logsRangeMax: 5000, nodes }))
    await isGone(world)
    const other = await believed()
    other.gateway.reload(configWith('', { quorum: 4, nodes: nodes.slice(2) }))
    expect(await rpc(other, method, params)).toMatchObject({ result: honest })
  })
})

describe('what was kept', () => {
  const byHash = [account, { blockHash: hashOf(990) }]
  const alike = (names: string) => worldOf(of(names), { quorum: 2 })

  test('is served still where the others are a quorum without the cordoned node', async () => {
    const world = alike('abcd')
    await balanceOf(world, byHash, protect)
    expect(requestsOf(world, 'eth_getBalance').map((each) => each.node)).toEqual(['a', 'b', 'c'])
    // Kept for more than half of the weight, of which there are two operators left.
    cordon(world, 'd')
    expect(await balanceOf(world, byHash)).toMatchObject(cache('hit'))
    cordon(world, 'a')
    expect(await balanceOf(world, byHash)).toMatchObject(cache('miss'))
  })

  test('on the word of a minority goes with one of it, and on that of more stays', async () => {
    const world = alike('abcde')
    await balanceOf(world, byHash)
    cordon(world, 'a')
    for (const state of ['miss', 'hit'] as const)
      expect(await balanceOf(world, byHash)).toMatchObject(cache(state))
  })

  test('on the word of a suspect is not kept in the first place', async () => {
    const world = alike('ab')
    cordon(world, 'a')
    for (const state of ['miss', 'miss'] as const)
      expect(await balanceOf(world, byHash)).toMatchObject({ result: '0x1', ...cache(state) })
  })

  test('of two cordoned nodes, one after the other, is gone though each left a quorum', async () => {
    const world = alike('abcd')
    await balanceOf(world, [account, 'latest'], protect)
    cordon(world, 'a')
    expect(await balanceOf(world, [account, 'latest'])).toMatchObject(cache('hit'))
    cordon(world, 'b')
    expect(await balanceOf(world, [account, 'latest'])).toMatchObject(cache('miss'))
  })

  test('in flight is neither kept nor joined once one of those asked is cordoned', async () => {
    const slow = { on: { eth_getBalance: late(300, says('0xbad')) } }
    const world = worldOf([...of('ab', slow), ...of('cd')], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    const first = begin(world, 'eth_getBalance', byHash)
    await world.clock.advance(100)
    cordon(world, 'ab')
    const second = begin(world, 'eth_getBalance', byHash)
    expect(await until(world, second)).toMatchObject({ result: '0x1' })
    expect(await until(world, first)).toMatchObject({ result: '0xbad' })
    expect(await balanceOf(world, byHash)).toMatchObject({ result: '0x1' })
  })
})

describe('a head that two liars showed', () => {
  const forged: Fork = { name: 'forged', from: 990 }
  const heights = { head: 1005, fork: forged }

  const numbered = (world: World) => rpc(world, 'eth_getBlockByNumber', ['0x3e7', false])

  test('is given up as soon as one of them is cordoned', async () => {
    const world = worldOf([...liars(heights), ...others], { quorum: 4 })
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1005) })
    expect(await numbered(world)).toMatchObject({ result: { hash: hashOf(999, forged) } })
    cordon(world, 'ab')
    move(world, { head: 1000, fork: null }, ['a', 'b'])
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
    expect(await numbered(world)).toMatchObject({ result: { hash: hashOf(999) } })
  })

  test('is not brought back by a poll that was under way', async () => {
    const slow: Reply = late(200, says(blockAt(1005, forged)))
    const world = worldOf([...liars({ on: { eth_getBlockByNumber: slow } }), ...others], { quorum: 4 })
    const call = begin(world, 'eth_blockNumber')
    await world.clock.advance(100)
    cordon(world, 'ab')
    expect(await until(world, call)).toMatchObject({ result: hex(1000) })
  })

  test('stays where the others are a quorum for it, and no caller waits', async () => {
    const world = worldOf(of('abc'), { quorum: 2, headMaxAgeMs: 60_000 })
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(10)
    await world.gateway.refresh(0)
    cordon(world, 'c')
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000), ms: 0 })
  })
})

describe('a node that is outvoted', () => {
  const outvote = async (world: World, times: number) => {
    for (let turn = 1; turn <= times; turn++) await balanceOf(world, uncached(turn), protect)
  }

  test('by two operators is not ejected: they may be the liars', async () => {
    const world = worldOf([...of('c'), ...of('ab', lying)], { quorum: 2 })
    await outvote(world, 6)
    expect(eventsOf(world, 'dissent')).toHaveLength(6)
    expect(statesOf(world)).toEqual(['usable', 'usable', 'usable'])
  })

  test('by operators of which one is a suspect is not ejected', async () => {
    const world = worldOf([...of('a', lying), ...of('bcd')], { quorum: 3 })
    cordon(world, 'd')
    await outvote(world, 4)
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('is back as soon as one of those who outvoted it is cordoned', async () => {
    const world = worldOf([...of('c'), ...of('abd', lying)])
    await outvote(world, 3)
    expect(stateOf(world, 'c')).toBe('ejected')
    cordon(world, 'a')
    expect(stateOf(world, 'c')).toBe('usable')
  })
})

test.each(['safe', 'finalized'])(
  'a call at %s whose nodes are distrusted meanwhile is not told of the latest block',
  async (tag) => {
    const script = { finalized: 999, safe: 999, on: { eth_getCode: late(50, says('0x60')) } }
    const world = worldOf(of('abc', script), { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    await balanceOf(world, [account, tag])
    const call = begin(world, 'eth_getCode', [account, tag])
    await world.clock.advance(20)
    cordon(world, 'a')
    expect(await until(world, call)).toMatchObject(headersOf({ block: 999 }))
  },
)

test.each([
  ['wrong where more than half of all weight refutes it', [...of('a', lying), ...of('bcde')], 'a', []],
  [
    'right where those who refuted it lie',
    [...of('a'), ...of('bcd', lying), ...of('e')],
    'b',
    ['a vindicated'],
  ],
])('a dissent was %s, whoever is cordoned later', async (_, scripts, name, after) => {
  const world = worldOf(scripts)
  await rpc(world, 'eth_blockNumber')
  await balanceOf(world, [account, hex(999)], protect)
  const judged = () => eventsOf(world, 'dissent-judged').map(({ node, ended }) => `${node} ${ended}`)
  expect(judged()).toEqual(['a outvoted'])
  cordon(world, name)
  expect(judged()).toEqual(['a outvoted', ...after])
})
