import { describe, expect, test } from 'vitest'
import { account, begin, callOf, post, protect, rpc, until } from '../../support/gateway-calls.ts'
import { hangs, isBehind, late, type Reply, says, sendFault } from '../../support/replies.ts'
import { blockAt, hashOf, hex } from '../../support/scripted-chain.ts'
import {
  chainOf,
  move,
  type Script,
  type ScriptedNode,
  stateOf,
  statesOf,
  type World,
  worldOf,
} from '../../support/world.ts'
import {
  blockOf,
  cache,
  certificateOf,
  eventsOf,
  faultsOf,
  headersOf,
  noQuorum,
  pollHeads,
} from '../support/outcomes.ts'

const five = (): World => worldOf(Array(5).fill(says('0x1')), { quorum: 3 })
const silent = { on: { eth_getBlockByNumber: hangs } }
const slow = (ms: number, stallMs: number): Script => ({
  stallMs,
  on: { eth_getBlockByNumber: late(ms, says(blockAt(1000))) },
})

test.each<[string, Script]>([
  ['hangs and may for long', { ...silent, stallMs: 5000 }],
  ['only replies to earlier polls', slow(1900, 5000)],
])('the next block is found at once beside a node that %s, and one behind', async (_, first) => {
  const world = worldOf([first, isBehind, says('0x1'), says('0x1'), says('0x1')], { quorum: 3 })
  await rpc(world, 'eth_blockNumber')
  await world.clock.advance(100)
  await rpc(world, 'eth_blockNumber', [], protect)
  await world.clock.advance(1850)
  move(world, { head: 1001 }, ['c', 'd', 'e'])
  expect(await rpc(world, 'eth_getBalance', [account, hex(1001)])).toMatchObject({ result: '0x1', ms: 0 })
})

test('a node that replied to a poll only after it had replied to the next one is not late', async () => {
  const world = worldOf([{ ...silent, stallMs: 5000 }, isBehind, says('0x1'), says('0x1')], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  await world.clock.advance(2100)
  move(world, slow(500, 750), ['d'])
  await rpc(world, 'eth_blockNumber')
  await world.clock.advance(100)
  move(world, { on: {} }, ['d'])
  await rpc(world, 'eth_blockNumber', [], protect)
  await world.clock.advance(1400)
  move(world, { head: 1001 }, ['c', 'd'])
  expect(await rpc(world, 'eth_getBalance', [account, hex(1001)])).toMatchObject({ result: '0x1', ms: 0 })
})

/** Five of which a quorum has three, and of which the two that are asked first change. */
async function withTwo(change: Partial<ScriptedNode>, afterMs: number) {
  const world = five()
  for (const how of [{}, protect]) await rpc(world, 'eth_blockNumber', [], how)
  await world.clock.advance(afterMs)
  move(world, change, ['a', 'b'])
  return world
}

test.each([
  ['hang since a moment ago', silent],
  ['do not have it yet', {}],
])('the next block is found though two nodes that are asked first %s', async (_, change) => {
  const world = await withTwo(change, 1000)
  move(world, { head: 1001 }, ['c', 'd', 'e'])
  expect(await rpc(world, 'eth_getBalance', [account, hex(1001)])).toMatchObject({ result: '0x1' })
})

test.each([
  ['protected', 'everyday', protect, {}],
  ['everyday', 'protected', {}, protect],
])('which nodes hang is learned by %s calls for %s ones', async (_, __, one, other) => {
  const world = await withTwo(silent, 5000)
  expect(await rpc(world, 'eth_blockNumber', [], one)).toMatchObject({ ms: 750 })
  expect(await rpc(world, 'eth_blockNumber', [], other)).toMatchObject({ result: hex(1000), ms: 0 })
})

test('a call finds its head at slow nodes, though a protected one has just failed by them', async () => {
  const world = worldOf([{}, slow(2000, 750), slow(2000, 750)], { quorum: 2 })
  expect(await rpc(world, 'eth_blockNumber', [], protect)).toMatchObject(noQuorum('thin'))
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
})

test('the first call waits for no node that hangs where one shows a block that another gets in a moment', async () => {
  const world = worldOf([{ ...silent, stallMs: 5000 }, {}, { head: 1001 }, { head: 1001 }], { quorum: 3 })
  const first = begin(world, 'eth_blockNumber')
  await world.clock.advance(100)
  move(world, { head: 1001 }, ['b'])
  expect(await until(world, first)).toMatchObject({ result: hex(1001), ms: 250 })
})

test('after a call has waited in vain for a block, the next one waits for no node that hangs', async () => {
  const world = worldOf([{ stallMs: 5000 }, {}, {}, {}, {}], { quorum: 3 })
  await rpc(world, 'eth_blockNumber')
  move(world, silent, ['a'])
  move(world, { head: 1001 }, ['b'])
  await rpc(world, 'eth_getBalance', [account, hex(1001)])
  move(world, { head: 1001 })
  await world.clock.advance(3000)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1001), ms: 0 })
})

test('nodes that reply after an outage are not blamed for what they were sent in it', async () => {
  const world = worldOf([...Array(4).fill(says('0x1')), { stallMs: 5000 }], { quorum: 3 })
  await rpc(world, 'eth_blockNumber')
  await world.clock.advance(60_000)
  move(world, silent)
  const call = begin(world, 'eth_blockNumber')
  await world.clock.advance(2100)
  move(world, { on: {} }, ['a', 'b', 'c', 'd'])
  expect(await until(world, call)).toMatchObject({ result: hex(1000), ms: 3000 })
  await world.clock.advance(8000)
  expect(faultsOf(world)).toEqual(faultsOf(world).filter((fault) => fault.startsWith('e ')))
})

test('a late reply to an old poll makes its head no younger', async () => {
  const world = worldOf([says('0x1'), says('0x1'), slow(3500, 5000)], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  move(world, { head: 1001 }, ['a', 'b'])
  await world.clock.advance(4400)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1001), ms: 0 })
})

test.each([
  ['the first head', 0, silent],
  ['the first request', 0, { on: { ...silent.on, eth_chainId: late(6000, sendFault('connection')) } }],
  ['a head too old to be served', 60_000, silent],
])('an outage in which all nodes hung over %s ends for callers a second after it', async (_, ageMs, out) => {
  const world = five()
  if (ageMs > 0) await rpc(world, 'eth_blockNumber')
  await world.clock.advance(ageMs)
  move(world, out)
  const early = begin(world, 'eth_blockNumber')
  await world.clock.advance(3100)
  move(world, { head: 1001, on: {} })
  const later = begin(world, 'eth_blockNumber')
  expect(await until(world, later)).toMatchObject({ result: hex(1001), ms: 900 })
  expect(await until(world, early)).toMatchObject({ result: hex(1001), ms: 4000 })
  await world.clock.advance(10_000)
  expect(statesOf(world)).toEqual(Array(5).fill('usable'))
})

test('beside a node whose breaker is open, one that hangs and may for long holds up the head for a second', async () => {
  const world = worldOf([{}, {}, { stallMs: 5000 }, {}], { quorum: 3, headMaxAgeMs: 500 })
  move(world, silent, ['d'])
  await pollHeads(world, 12, 61_000)
  move(world, { head: 1001, on: {} })
  move(world, silent, ['c'])
  await world.clock.advance(5000)
  expect(stateOf(world, 'd')).toBe('open')
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1001), ms: 1000 })
})

const heads = (...places: readonly number[]) => places.map((head) => ({ head, reply: says('0x1') }))
const headOf = async (world: World) => Number((await rpc(world, 'eth_blockNumber')).result)
const looks = (world: World, name?: string) =>
  world.requests.filter(
    (each) => each.method === 'eth_getBlockByNumber' && (name === undefined || each.node === name),
  )

describe('which block is the head', () => {
  const ofX = { operator: 'x', head: 1005, fork: { name: 'x', from: 1001 } }
  const heavy = { head: 1000, weight: 3 }
  const on = (name: string, head: number, from: number) => ({ head, fork: { name, from } })
  const apart = [on('x', 1000, 996), on('y', 1001, 996), on('z', 999, 996)]
  const [x, y] = [on('x', 105, 105), on('y', 105, 105)]
  const ofBoth = [x, y].map((script) => ({ ...script, operator: 'both' }))
  test.each<[string, readonly Script[], number, number]>([
    ['case 10: the highest block that all three show', heads(1000, 999, 1001), 3, 999],
    ['case 10: the highest that two show, and not that of one', heads(1000, 999, 1001), 2, 1000],
    ['one node alone cannot raise it', heads(9999, 1000, 1000), 2, 1000],
    ['nor where all others are one', heads(9999, 1000), 2, 1000],
    ['a lagging minority does not lower it', heads(10, 1000, 1000), 2, 1000],
    ['weight decides, not the number of nodes', [heavy, { head: 900 }, { head: 900 }], 3, 1000],
    ['two nodes of one operator count once', [ofX, ofX, { head: 1000 }], 2, 1000],
    ['nodes at distant heights are asked for a block that all have', heads(1000, 990, 985), 3, 985],
    ['branches are walked back to their common ancestor', apart, 2, 995],
    ['case 13: two branches of equal height have their common parent', [x, y, { head: 104 }], 2, 104],
    ['an operator whose nodes show two branches counts for neither', [...ofBoth, y, x], 2, 104],
  ])('%s', async (_, scripts, quorum, head) => {
    const world = worldOf(scripts, { quorum })
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(head), ms: 0 })
    const found = eventsOf(world, 'head').map(({ block }) => block)
    expect(found.at(-1)).toEqual(blockOf(head))
    expect(found.filter(({ number }) => number > head)).toEqual([])
  })

  test('after the head jumped to another branch, nodes that fall back on it do not lower the head', async () => {
    const world = worldOf(heads(1000, 1000, 1000), { quorum: 2, headMaxAgeMs: 100 })
    expect(await headOf(world)).toBe(1000)
    const fork = { name: 'x', from: 1000 }
    for (const head of [1002, 1000]) {
      move(world, { head, fork })
      await world.clock.advance(101)
      await headOf(world)
      await world.clock.advance(10)
      expect(await headOf(world)).toBe(1002)
    }
  })

  test('when too few nodes answer, the reason is silence, not disagreement', async () => {
    for (const answering of [[], [{ head: 1000 }]]) {
      const slow = await rpc(worldOf([silent, silent, ...answering], { quorum: 2 }), 'eth_getBalance')
      expect(slow).toMatchObject(noQuorum('silent'))
      expect(slow.ms).toBeLessThanOrEqual(8000)
    }
  })

  test('the certificate of the head lists the nodes that showed it', async () => {
    const world = worldOf(heads(1000, 1000, 999), { quorum: 2 })
    const answer = await rpc(world, 'eth_blockNumber')
    expect(answer).toMatchObject(headersOf({ block: 1000, agreement: '2/2/3' }))
    expect(certificateOf(world, answer)).toMatchObject({
      method: 'eth_blockNumber',
      block: { hash: hashOf(1000) },
      groups: [{ nodes: ['a', 'b'] }],
    })
  })
})

test('in a batch, the certificate matches the head in the result, even when a newer head arrives meanwhile', async () => {
  // In one of these turns, the poll ends between reading the head and reading its certificate.
  for (let turns = 0; turns < 30; turns++) {
    const world = worldOf(heads(1000, 1000, 1000), { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    move(world, { head: 1001 })
    await world.clock.advance(10)
    void world.gateway.refresh(0)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    const batch = [callOf('eth_blockNumber', [], 1), callOf('eth_chainId', [], 2)]
    const { body } = await post(world, batch, { headers: { 'x-quorate-explain': '1' } })
    const [{ result, quorate }] = JSON.parse(body) as [{ result: string; quorate: { answer: string } }]
    expect(world.gateway.certificate(quorate.answer)?.block?.number, `${turns} turns`).toBe(Number(result))
  }
})

describe('looking at heads', () => {
  test('there are no looks without calls', async () => {
    const world = worldOf(heads(1000, 1000, 1000), { quorum: 2 })
    await rpc(world, 'eth_getBalance')
    await world.clock.advance(100)
    const before = world.requests.length
    await world.clock.advance(3_600_000)
    expect(world.requests.length).toBe(before)
    expect(world.clock.pending()).toBe(0)
  })

  test('a fresh head starts no poll; an older one is served while a poll runs in the background', async () => {
    const nodes = [0, 1, 2].map((index) => ({
      reply: says('0x1'),
      on: { eth_getBlockByNumber: slowly(index) },
    }))
    const world = worldOf(nodes, { headMaxAgeMs: 1000 })
    await rpc(world, 'eth_getBalance')
    await world.clock.advance(600)
    const first = looks(world).length
    await rpc(world, 'eth_getBalance')
    expect(looks(world).length).toBe(first)
    await world.clock.advance(600)
    const meanwhile = { ms: 0, ...headersOf({ block: 1000 }) }
    expect(await rpc(world, 'eth_getTransactionCount')).toMatchObject(meanwhile)
    expect(looks(world).length).toBeGreaterThan(first)
    await world.clock.advance(300)
    expect(await rpc(world, 'eth_getTransactionCount')).toMatchObject(headersOf({ block: 1001 }))
  })

  test.each([
    [100, 4000],
    [1000, 4000],
    [2000, 8000],
  ])('with headMaxAgeMs %i a head is served for %i ms at most', async (headMaxAgeMs, oldestMs) => {
    const world = worldOf(heads(1000, 1000, 1000), { quorum: 2, headMaxAgeMs })
    await headOf(world)
    move(world, silent)
    await world.clock.advance(oldestMs)
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000), ms: 0 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: '0x1', ...headersOf({ block: 1000 }) })
    await world.clock.advance(1)
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject(noQuorum('silent'))
    const late = await rpc(world, 'eth_getTransactionCount')
    expect(late).toMatchObject(noQuorum('silent'))
    expect(late.headers).not.toHaveProperty('x-quorate-block')
  })

  test('a poll asks a quorum and one more node; the others are asked every 10 s', async () => {
    const world = worldOf(heads(1000, 1000, 1000, 1000, 1000), { quorum: 2, headMaxAgeMs: 1000 })
    await headOf(world)
    await pollHeads(world, 8, 1001)
    const latest = (name: string) => looks(world, name).filter(({ params }) => params[0] === 'latest').length
    expect(['a', 'b', 'c'].map(latest).every((count) => count >= 8)).toBe(true)
    expect(['d', 'e'].map(latest)).toEqual([1, 1])
    await pollHeads(world, 3, 1001)
    expect(['d', 'e'].map(latest)).toEqual([2, 2])
  })

  test('a hung node does not delay the head, and after a few looks it is not waited for', async () => {
    const world = worldOf(heads(1000, 1000, 1000), { quorum: 2, headMaxAgeMs: 100 })
    world.nodes.a!.on.eth_getBlockByNumber = hangs
    let waited = 0
    for (let turn = 0; turn < 20; turn++) {
      move(world, { head: 1000 + turn }, ['b', 'c'])
      const { ms } = await rpc(world, 'eth_blockNumber')
      if (ms > 0) waited++
      await world.clock.advance(1100)
    }
    expect(waited).toBeLessThanOrEqual(5)
    expect(await headOf(world)).toBeGreaterThanOrEqual(1018)
  })
})

describe('the head never goes back', () => {
  const x = { name: 'x', from: 1000 }
  const y = { name: 'y', from: 1000 }

  test('when nodes fall behind or restart', async () => {
    const world = worldOf(heads(1000, 1000, 1000), { quorum: 2, headMaxAgeMs: 10 })
    let highest = await headOf(world)
    for (const place of [999, 1001, 990, 1002, 500, 1001, 1003, 0]) {
      move(world, { head: place })
      await world.clock.advance(50)
      await headOf(world)
      const now = await headOf(world)
      expect(now).toBeGreaterThanOrEqual(highest)
      highest = now
    }
    expect(highest).toBe(1003)
    expect(eventsOf(world, 'reorg')).toEqual([])
  })

  test('when one node shows another branch', async () => {
    const world = worldOf(heads(1000, 1000, 1000), { quorum: 2, headMaxAgeMs: 10 })
    await headOf(world)
    move(world, { fork: y, head: 1001 }, ['a'])
    await pollHeads(world, 1, 50)
    await world.clock.advance(50)
    expect(await headOf(world)).toBe(1000)
    expect(eventsOf(world, 'reorg')).toEqual([])
  })

  test('except for a reorg that a quorum shows, after which nothing of the old branch is served', async () => {
    const world = worldOf(heads(1001, 1001, 1001), { quorum: 2, headMaxAgeMs: 10 })
    move(world, { fork: x })
    for (const state of ['miss', 'hit'] as const)
      expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: '0x1', ...cache(state) })
    move(world, { fork: y, head: 1000, reply: says('0x2') })
    await world.clock.advance(20)
    await world.gateway.refresh(0)
    expect(await headOf(world)).toBe(1000)
    const reorg = { type: 'reorg', chainId: 1, from: blockOf(1001, x), to: blockOf(1000, y) }
    expect(eventsOf(world, 'reorg')).toEqual([reorg])
    move(world, { head: 1001 })
    await world.clock.advance(20)
    await world.gateway.refresh(0)
    const found = { result: '0x2', ...headersOf({ block: 1001, cache: 'miss' }) }
    expect(await rpc(world, 'eth_getBalance')).toMatchObject(found)
  })

  test.each([
    ['with half of the weight on each branch, the one agreed first stays', {}, 'ab', 50, x, 0],
    ['a silent node counts for neither branch', silent, 'cd', 5000, y, 1],
  ])('and %s', async (_, first, others, everyMs, fork, reorgs) => {
    const world = worldOf(heads(1000, 1000, 1000, 1000), { quorum: 2, headMaxAgeMs: 10 })
    move(world, { fork: x })
    await headOf(world)
    move(world, first, ['a'])
    move(world, { fork: y }, [...others])
    await pollHeads(world, 5, everyMs)
    expect(eventsOf(world, 'reorg')).toHaveLength(reorgs)
    expect(chainOf(world)?.head?.hash).toBe(hashOf(1000, fork))
  })
})

function slowly(index: number): Reply {
  let turn = 0
  return late(index + 200, (received) => {
    const number = received.params[0] === 'latest' ? (turn++ === 0 ? 1000 : 1001) : Number(received.params[0])
    return says(blockAt(number))(received)
  })
}

test('when the head jumps, cached results of the blocks below it are dropped', async () => {
  const world = worldOf([says('0x1'), says('0x1'), says('0x1')], { quorum: 2 })
  expect(await rpc(world, 'eth_getBalance', [account, hex(1000)])).toMatchObject({ result: '0x1' })
  move(world, { head: 1010, fork: { name: 'y', from: 1000 }, reply: says('0x2') })
  await world.clock.advance(10_000)
  await world.gateway.refresh(0)
  const again = await rpc(world, 'eth_getBalance', [account, hex(1000)])
  expect(again).toMatchObject({ result: '0x2', ...cache('miss') })
})

test('a node that a poll did not ask is not reported as lagging', async () => {
  const world = worldOf([{}, {}, {}, {}, {}], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  await world.clock.advance(1_000)
  for (let second = 1; second <= 20; second++) {
    move(world, { head: 1000 + second })
    await world.clock.advance(1_000)
    await rpc(world, 'eth_blockNumber')
  }
  const { head, nodes } = chainOf(world) ?? {}
  expect(nodes).toMatchObject(Array(5).fill({ lag: 0, head: head?.number }))
})

test('a result read one block lower for a tag is not shared with a caller that named the number', async () => {
  const world = worldOf([{ head: 105 }, { head: 105 }, { head: 105 }], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  const reply: Reply = (received) => (received.params[1] === hex(105) ? isBehind : says('0x1'))(received)
  move(world, { head: 104, reply })
  await world.clock.advance(60_000)
  await rpc(world, 'eth_blockNumber')
  const tagged = begin(world, 'eth_getBalance', [account, 'latest'])
  const named = begin(world, 'eth_getBalance', [account, hex(105)])
  expect(await until(world, tagged)).toMatchObject({ result: '0x1', ...headersOf({ block: 104 }) })
  expect(await until(world, named)).toMatchObject({ error: { code: -32001 } })
})

test('headers from nodes that are now silent do not confirm the head', async () => {
  const world = worldOf([{}, {}, {}])
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: '0x3e8' })
  move(world, silent, ['b', 'c'])
  await world.clock.advance(10_000)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject(noQuorum('silent'))
})
