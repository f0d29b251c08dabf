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
import { cache, noQuorum } from '../support/outcomes.ts'

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
const lies: Script = {
  on: { eth_getLogs: says(forgery), eth_getTransactionReceipt: says(receiptAt(900, { status: '0x0' })) },
}

/** Two poisoned nodes that are more than half of all weight, before three honest ones that are a quorum without them. */
const poisoned = async (options: Parameters<typeof worldOf>[1] = {}) => {
  const world = worldOf([node('a', 3, lies), node('b', 3, lies), node('c', 2), node('d', 2), node('e', 1)], {
    quorum: 4,
    ...options,
  })
  await rpc(world, 'eth_getBalance', [account, 'finalized'])
  return world
}
const turnHonest = ({ nodes }: World) => {
  for (const node of [nodes.a, nodes.b])
    Object.assign(node!.on, { eth_getLogs: says(truth), eth_getTransactionReceipt: says(receiptAt(900)) })
}
const questions: readonly (readonly [string, readonly unknown[], unknown, unknown])[] = [
  ['eth_getLogs', ofFinal, forgery, truth],
  ['eth_getTransactionReceipt', [receiptAt(900).transactionHash], { status: '0x0' }, { status: '0x1' }],
]

describe.each(questions)('what two liars made of a final block, %s,', (method, params, lie, honest) => {
  const believed = async () => {
    const world = await poisoned()
    expect(await rpc(world, method, params)).toMatchObject({ result: lie })
    expect(await rpc(world, method, params)).toMatchObject({ result: lie, ...cache('hit') })
    // Two operators protect nothing, whatever they weigh.
    expect(await rpc(world, method, params, protect)).toMatchObject(noQuorum())
    return world
  }
  const isGone = async (world: World) => {
    const first = await rpc(world, method, params)
    expect(first).toMatchObject({ result: honest, ...cache('miss') })
    expect((await rpc(world, method, params, protect)).result).not.toMatchObject(lie as object)
  }

  test('is not served once one of them is cordoned, though the other one is not', async () => {
    const world = await believed()
    turnHonest(world)
    world.gateway.cordon(1, 'a', true)
    await isGone(world)
  })

  test('is not served once they are cordoned, though they go on lying', async () => {
    const world = await believed()
    for (const name of ['a', 'b']) world.gateway.cordon(1, name, true)
    const after = await rpc(world, method, params)
    expect(after).toMatchObject({ result: honest, ...cache('miss') })
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
    Object.assign(world.nodes.a?.on ?? {}, { eth_getBalance: says('0xbad') })
    await rpc(world, 'eth_getBalance', [account, hex(999)], protect)
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
    const weights = { a: 3, b: 3, c: 2, d: 2, e: 1 }
    const weighed = (names: readonly (keyof typeof weights)[]) =>
      names.map((name) => ({ name, url: `http://${name}.test/`, weight: weights[name] }))
    const world = await believed()
    turnHonest(world)
    world.gateway.cordon(1, 'a', true)
    const nodes = weighed(['a', 'b', 'c', 'd', 'e'])
    world.gateway.reload(configWith('', { quorum: 4, logsRangeMax: 5000, nodes }))
    await isGone(world)
    const other = await believed()
    other.gateway.reload(configWith('', { quorum: 4, nodes: weighed(['c', 'd', 'e']) }))
    expect(await rpc(other, method, params)).toMatchObject({ result: honest })
  })
})

describe('what was kept', () => {
  const byHash = [account, { blockHash: hashOf(990) }]
  const three = (script: Script = {}) => ['a', 'b', 'c', 'd'].map((name) => node(name, 1, script))

  test('is served still where the others are a quorum without the cordoned node', async () => {
    const world = worldOf(three(), { quorum: 2 })
    await rpc(world, 'eth_getBalance', byHash, protect)
    expect(requestsOf(world, 'eth_getBalance').map((each) => each.node)).toEqual(['a', 'b', 'c'])
    // Kept for more than half of the weight, of which there are two operators left.
    world.gateway.cordon(1, 'd', true)
    expect(await rpc(world, 'eth_getBalance', byHash)).toMatchObject(cache('hit'))
    world.gateway.cordon(1, 'a', true)
    expect(await rpc(world, 'eth_getBalance', byHash)).toMatchObject(cache('miss'))
  })

  test('on the word of a minority goes with one of it, and on that of more stays', async () => {
    const world = worldOf([...three(), node('e', 1)], { quorum: 2 })
    await rpc(world, 'eth_getBalance', byHash)
    world.gateway.cordon(1, 'a', true)
    expect(await rpc(world, 'eth_getBalance', byHash)).toMatchObject(cache('miss'))
    expect(await rpc(world, 'eth_getBalance', byHash)).toMatchObject(cache('hit'))
  })

  test('on the word of a suspect is not kept in the first place', async () => {
    const world = worldOf([node('a', 1), node('b', 1)], { quorum: 2 })
    world.gateway.cordon(1, 'a', true)
    for (let turn = 0; turn < 2; turn++)
      expect(await rpc(world, 'eth_getBalance', byHash)).toMatchObject({
        result: '0x1',
        ...cache('miss'),
      })
  })

  test('of two cordoned nodes, one after the other, is gone though each left a quorum', async () => {
    const world = worldOf(three(), { quorum: 2 })
    await rpc(world, 'eth_getBalance', [account, 'latest'], protect)
    world.gateway.cordon(1, 'a', true)
    expect(await rpc(world, 'eth_getBalance', [account, 'latest'])).toMatchObject(cache('hit'))
    world.gateway.cordon(1, 'b', true)
    expect(await rpc(world, 'eth_getBalance', [account, 'latest'])).toMatchObject(cache('miss'))
  })

  test('in flight is neither kept nor joined once one of those asked is cordoned', async () => {
    const slow = { on: { eth_getBalance: late(300, says('0xbad')) } }
    const world = worldOf([node('a', 1, slow), node('b', 1, slow), node('c', 1), node('d', 1)], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    const first = begin(world, 'eth_getBalance', byHash)
    await world.clock.advance(100)
    for (const name of ['a', 'b']) world.gateway.cordon(1, name, true)
    const second = begin(world, 'eth_getBalance', byHash)
    expect((await until(world, second)).result).toBe('0x1')
    expect((await until(world, first)).result).toBe('0xbad')
    expect(await rpc(world, 'eth_getBalance', byHash)).toMatchObject({ result: '0x1' })
  })
})

describe('a head that two liars showed', () => {
  const forged: Fork = { name: 'forged', from: 990 }
  const heights = { head: 1005, fork: forged }

  const numbered = (world: World) => rpc(world, 'eth_getBlockByNumber', ['0x3e7', false])

  test('is given up as soon as one of them is cordoned', async () => {
    const liars = [node('a', 3, heights), node('b', 3, heights)]
    const world = worldOf([...liars, node('c', 2), node('d', 2), node('e', 1)], { quorum: 4 })
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1005) })
    expect(await numbered(world)).toMatchObject({ result: { hash: hashOf(999, forged) } })
    for (const name of ['a', 'b']) world.gateway.cordon(1, name, true)
    move(world, { head: 1000, fork: null }, ['a', 'b'])
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
    expect(await numbered(world)).toMatchObject({ result: { hash: hashOf(999) } })
  })

  test('is not brought back by a poll that was under way', async () => {
    const slow: Reply = late(200, says(blockAt(1005, forged)))
    const liar: Script = { on: { eth_getBlockByNumber: slow } }
    const world = worldOf([node('a', 3, liar), node('b', 3, liar), node('c', 2), node('d', 2)], { quorum: 4 })
    const call = begin(world, 'eth_blockNumber')
    await world.clock.advance(100)
    for (const name of ['a', 'b']) world.gateway.cordon(1, name, true)
    expect(await until(world, call)).toMatchObject({ result: hex(1000) })
  })

  test('stays where the others are a quorum for it, and no caller waits', async () => {
    const world = worldOf(
      ['a', 'b', 'c'].map((name) => node(name, 1)),
      { quorum: 2, headMaxAgeMs: 60_000 },
    )
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(10)
    await world.gateway.refresh(0)
    world.gateway.cordon(1, 'c', true)
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000), ms: 0 })
  })
})

describe('a node that is outvoted', () => {
  const liar = { on: { eth_getBalance: says('0xbad') } }
  const outvote = async (world: World, times: number) => {
    for (let turn = 1; turn <= times; turn++)
      await rpc(world, 'eth_getBalance', [`0x${String(turn).repeat(40)}`, 'latest'], protect)
  }

  test('by two operators is not ejected: they may be the liars', async () => {
    const world = worldOf([node('c', 1), node('a', 1, liar), node('b', 1, liar)], { quorum: 2 })
    await outvote(world, 6)
    expect(world.events.filter(({ type }) => type === 'dissent').length).toBe(6)
    expect(statesOf(world)).toEqual(['usable', 'usable', 'usable'])
  })

  test('by operators of which one is a suspect is not ejected', async () => {
    const world = worldOf([node('a', 1, liar), node('b', 1), node('c', 1), node('d', 1)], { quorum: 3 })
    world.gateway.cordon(1, 'd', true)
    await outvote(world, 4)
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('is back as soon as one of those who outvoted it is cordoned', async () => {
    const world = worldOf([node('c', 1), node('a', 1, liar), node('b', 1, liar), node('d', 1, liar)])
    await outvote(world, 3)
    expect(stateOf(world, 'c')).toBe('ejected')
    world.gateway.cordon(1, 'a', true)
    expect(stateOf(world, 'c')).toBe('usable')
  })
})

test.each(['safe', 'finalized'])(
  'a call at %s whose nodes are distrusted meanwhile is not told of the latest block',
  async (tag) => {
    const world = worldOf(
      ['a', 'b', 'c'].map((name) => node(name, 1, { finalized: 999, safe: 999 })),
      { quorum: 2 },
    )
    await rpc(world, 'eth_blockNumber')
    await rpc(world, 'eth_getBalance', [account, tag])
    for (const { on } of Object.values(world.nodes)) on.eth_getCode = late(50, says('0x60'))
    const call = begin(world, 'eth_getCode', [account, tag])
    await world.clock.advance(20)
    world.gateway.cordon(1, 'a', true)
    const { headers } = await until(world, call)
    expect(headers['x-quorate-block']).toBe('999')
  },
)

describe('a dissent', () => {
  const judged = ({ events }: World) =>
    events.flatMap((event) => (event.type === 'dissent-judged' ? [[event.node, event.ended]] : []))
  const lying = { on: { eth_getBalance: says('0xbad') } }
  const worldWith = async (...scripts: readonly Script[]) => {
    const world = worldOf(scripts.map((script, index) => node('abcde'[index] ?? '', 1, script)))
    await rpc(world, 'eth_blockNumber')
    await rpc(world, 'eth_getBalance', [account, hex(999)], protect)
    return world
  }

  test('was wrong where more than half of all weight refutes it, whoever is cordoned later', async () => {
    const world = await worldWith(lying, {}, {}, {}, {})
    expect(judged(world)).toEqual([['a', 'outvoted']])
    world.gateway.cordon(1, 'a', true)
    expect(judged(world)).toEqual([['a', 'outvoted']])
  })

  test('was right where those who refuted it are found to lie', async () => {
    const world = await worldWith({}, lying, lying, lying, {})
    expect(judged(world)).toEqual([['a', 'outvoted']])
    world.gateway.cordon(1, 'b', true)
    expect(judged(world)).toEqual([
      ['a', 'outvoted'],
      ['a', 'vindicated'],
    ])
  })
})
