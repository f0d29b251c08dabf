import { describe, expect, test } from 'vitest'
import { createChance } from '../../support/chance.ts'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, inTurn, isBehind, late, says, waitsForRoom } from '../../support/replies.ts'
import { move, requestsOf, sends, stateOf, worldOf } from '../../support/world.ts'
import { agreement, noQuorum, pollHeads, uncached } from '../support/outcomes.ts'

const [A, B] = ['0xa', '0xb'] as const
const broken = fails(-32099, 'server error')

describe('what a quorum is', () => {
  test('by default half of all weight, not rounded', async () => {
    const three = worldOf([says(A), says(A), says(A)])
    expect((await rpc(three, 'eth_getBalance')).headers['x-quorate-agreement']).toBe('2/1.5/3')
    const two = worldOf([says(A), says(B)])
    const answer = await rpc(two, 'eth_getBalance')
    expect(answer).toMatchObject({ result: A, ...agreement('1/1/2') })
    expect(sends(two)).toBe('a@0')
  })

  test('an operator has the weight of its heaviest node, counted once', async () => {
    const nodes = [
      { name: 'x1', operator: 'x', weight: 1, reply: says(A) },
      { name: 'x2', operator: 'x', weight: 3, reply: says(A) },
      { name: 'y', reply: says(A) },
    ]
    const world = worldOf(nodes, { quorum: 3 })
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject({ result: A, ...agreement('3/3/4') })
    expect(sends(world)).toBe('x1@0')
  })

  test('a second node of an operator is asked when the first did not vote', async () => {
    const world = worldOf(
      [
        { name: 'x1', operator: 'x', reply: late(7, broken) },
        { name: 'x2', operator: 'x', reply: says(A) },
        { name: 'y', reply: says(A) },
        { name: 'z', reply: says(A) },
      ],
      { quorum: 3 },
    )
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 7 })
    expect(sends(world)).toBe('x1@0 y@0 z@0 x2@7')
  })

  test('weight without enough operators is no quorum', async () => {
    const nodes = [{ weight: 5, reply: says(A) }, { reply: says(B) }]
    const world = worldOf(nodes, { quorum: 2, operatorsMin: 2 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ ms: 0, ...noQuorum() })
    expect(sends(world)).toBe('a@0 b@0')
  })

  test('unusable nodes do not shrink the quorum', async () => {
    const world = worldOf([says(A), says(A), says(A), says(A)], { quorum: 3 })
    move(world, { reply: broken }, ['b', 'c', 'd'])
    for (const name of ['b', 'c', 'd']) world.gateway.cordon(1, name, true)
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject({ ...noQuorum('silent'), ...agreement('1/3/4') })
  })
})

describe('which nodes are asked, and when', () => {
  test('priority decides before speed', async () => {
    const world = worldOf([
      { reply: says(A), priority: 3 },
      { reply: says(A), priority: 1 },
      { reply: says(A), priority: 2 },
    ])
    await rpc(world, 'eth_getBalance')
    expect(sends(world)).toBe('b@0 c@0')
  })

  test('at equal priority the faster node is asked first, once latencies are known', async () => {
    const nodes = [500, 40, 5].map((ms) => ({ priority: 1, reply: late(ms, says(A)) }))
    const world = worldOf(nodes, { quorum: 3 })
    for (let block = 0; block < 40; block++) await rpc(world, 'eth_getBalance', uncached(block))
    expect(sends(world)).toBe('c@0 b@0 a@0')
  })

  test('the order of equal nodes is random', async () => {
    const nodes = ['a', 'b', 'c', 'd'].map(() => ({ priority: 1, reply: says(A) }))
    const first = new Set<string>()
    for (let turn = 0; turn < 40; turn++) {
      const random = createChance(turn + 1).next
      const world = worldOf(nodes, { quorum: 1, random })
      await rpc(world, 'eth_getBalance')
      first.add(sends(world).slice(0, 1))
    }
    expect([...first].sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a community node stalls only after two seconds', async () => {
    const world = worldOf([{ reply: hangs, community: true }, says(A)], { quorum: 1 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 2000 })
    expect(sends(world)).toBe('a@0 b@2000')
  })

  test('a slow answer still counts after another node was asked', async () => {
    const world = worldOf([late(1000, says(A)), says(A), hangs], { quorum: 2 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 1000 })
    expect(sends(world)).toBe('a@0 b@0 c@750')
    expect(requestsOf(world).map(({ end }) => end)).toEqual(['answered', 'answered', 'aborted'])
  })

  test('each of two slow nodes is replaced', async () => {
    const world = worldOf([hangs, hangs, says(A), late(10, says(A))], { quorum: 2 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 760 })
    expect(sends(world)).toBe('a@0 b@0 c@750 d@750')
  })

  test('cordoned nodes are asked last when the others are too few', async () => {
    const world = worldOf([says(A), says(A), says(A)], { quorum: 2 })
    world.gateway.cordon(1, 'a', true)
    world.gateway.cordon(1, 'b', true)
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
    expect(sends(world)).toBe('c@0 a@0')
  })

  test('one call in a hundred asks an extra node: no caller waits for it, and its dissent is reported', async () => {
    const world = worldOf([says(A), says(A), late(300, says(B)), says(A)], {
      quorum: 2,
      random: () => 0.001,
    })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 0 })
    expect(sends(world)).toBe('a@0 b@0 c@0')
    await world.clock.advance(400)
    expect(requestsOf(world).map(({ end }) => end)).toEqual(['answered', 'answered', 'answered'])
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'dissent', node: 'c' }))
  })

  test('the extra node is aborted at its stall or at the deadline, whichever comes first', async () => {
    const scripts = [says(A), says(A), hangs]
    for (const [deadlineMs, endMs] of [
      [8000, 750],
      [500, 500],
    ] as const) {
      const world = worldOf(scripts, { quorum: 2, deadlineMs, random: () => 0.001 })
      expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 0 })
      await world.clock.advance(endMs - 1)
      expect(requestsOf(world)[2]?.end).toBeNull()
      await world.clock.advance(1)
      expect(requestsOf(world)[2]?.end).toBe('aborted')
      expect(world.clock.pending()).toBe(0)
    }
  })
})

describe('when it ends', () => {
  test('it fails as soon as no answer can win, even with replies outstanding', async () => {
    const world = worldOf([says(A), says(B), late(4, says('0xc')), late(500, says(A))], { quorum: 3 })
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject({ ms: 4, ...noQuorum('disagree') })
    expect(requestsOf(world).map(({ end }) => end)).toEqual(['answered', 'answered', 'answered', 'aborted'])
  })

  test('it gives up at the deadline', async () => {
    const world = worldOf([hangs, hangs, hangs])
    await rpc(world, 'eth_blockNumber')
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject({ ms: 8000, status: 200, ...noQuorum('silent') })
    expect(sends(world)).toBe('a@0 b@0 c@750')
    expect(requestsOf(world).map(({ end }) => end)).toEqual(['aborted', 'aborted', 'aborted'])
    expect(world.clock.pending()).toBe(0)
  })

  test('it does not wait for nodes that are known to hang', async () => {
    const hangsSoon = () => inTurn(broken, broken, broken, hangs)
    const world = worldOf([hangsSoon(), hangsSoon(), says(A)], { quorum: 2 })
    for (let block = 0; block < 3; block++) await rpc(world, 'eth_getBalance', uncached(block))
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject({ ms: 1500, ...noQuorum('silent') })
    expect(sends(world)).toBe('c@0 a@0 b@750')
  })

  test('aborting a node after its stall is a fault when others answered; aborting it earlier is not', async () => {
    const silent = worldOf([hangs, says(A), says(A)], { quorum: 2 })
    for (let block = 0; block < 3; block++) await rpc(silent, 'eth_getBalance', uncached(block))
    expect(stateOf(silent, 'a')).toBe('open')
    // d replaces the missing weight of a, so b is aborted before its stall.
    const scripts = [{ weight: 2, reply: broken }, late(200, says(A)), says(A), { weight: 2, reply: says(A) }]
    const prompt = worldOf(scripts, { quorum: 3 })
    for (let block = 0; block < 8; block++) {
      expect(await rpc(prompt, 'eth_getBalance', uncached(block))).toMatchObject({ result: A, ms: 0 })
      expect(requestsOf(prompt).find(({ node }) => node === 'b')?.end).toBe('aborted')
    }
    expect(stateOf(prompt, 'b')).toBe('usable')
  })

  test('a node whose reply waits for our own buffer has no fault, in calls or in head polls', async () => {
    const world = worldOf([waitsForRoom, says(A), says(A)], { quorum: 2 })
    for (let block = 0; block < 3; block++) await rpc(world, 'eth_getBalance', uncached(block))
    expect(stateOf(world, 'a')).toBe('usable')
    const looked = worldOf([{ on: { eth_getBlockByNumber: waitsForRoom } }, says(A), says(A)], { quorum: 2 })
    await rpc(looked, 'eth_blockNumber')
    await pollHeads(looked, 4, 40_000)
    expect(stateOf(looked, 'a')).toBe('usable')
  })

  test('a node that is asked once more for a block has no new stall', async () => {
    const world = worldOf([inTurn(isBehind, hangs), says(A), says(A)], { quorum: 2 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 750 })
    expect(sends(world)).toBe('a@0 b@0 a@100 c@750')
  })

  test('when the caller disconnects, its requests are aborted', async () => {
    const world = worldOf([late(500, says(A)), late(500, says(A))], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    const call = begin(world, 'eth_getBalance')
    await world.clock.advance(100)
    call.leave()
    expect(await until(world, call)).toMatchObject({ status: 499 })
    expect(requestsOf(world).map(({ end }) => end)).toEqual(['aborted', 'aborted'])
    expect(world.clock.pending()).toBe(0)
  })
})
