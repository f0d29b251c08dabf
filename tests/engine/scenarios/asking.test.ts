import { describe, expect, test } from 'vitest'
import { createChance } from '../../support/chance.ts'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, inTurn, late, type Reply, says, waitsForRoom } from '../../support/replies.ts'
import { move, requestsOf, type Script, sends, stateOf, worldOf } from '../../support/world.ts'
import { agreement, noQuorum, pollHeads, uncached } from '../support/outcomes.ts'

const [A, B] = ['0xa', '0xb'] as const
const broken = fails(-32099, 'server error')
const ofX = (name: string, reply: Reply): Script => ({ name, operator: 'x', reply })

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
    const world = worldOf([ofX('x1', says(A)), { ...ofX('x2', says(A)), weight: 3 }, says(A)], { quorum: 3 })
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject({ result: A, ...agreement('3/3/4') })
    expect(sends(world)).toBe('x1@0')
  })

  test('a second node of an operator is asked when the first did not vote', async () => {
    const x = [ofX('x1', late(7, broken)), ofX('x2', says(A))]
    const world = worldOf([...x, says(A), says(A)], { quorum: 3 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 7 })
    expect(sends(world)).toBe('x1@0 c@0 d@0 x2@7')
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
    const world = worldOf([3, 1, 2].map((priority) => ({ reply: says(A), priority })))
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
    const nodes = [1, 2, 3, 4].map(() => ({ priority: 1, reply: says(A) }))
    const first = new Set<string>()
    for (let turn = 1; turn <= 40; turn++) {
      const world = worldOf(nodes, { quorum: 1, random: createChance(turn).next })
      await rpc(world, 'eth_getBalance')
      first.add(sends(world).slice(0, 1))
    }
    expect([...first].sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a slow answer still counts after another node was asked', async () => {
    const world = worldOf([late(1000, says(A)), says(A), hangs], { quorum: 2 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 1000 })
    expect(sends(world)).toBe('a@0 b@0 c@750')
    expect(requestsOf(world).map(({ end }) => end)).toEqual(['answered', 'answered', 'aborted'])
  })

  test('cordoned nodes are asked last when the others are too few', async () => {
    const world = worldOf([says(A), says(A), says(A)], { quorum: 2 })
    world.gateway.cordon(1, 'a', true)
    world.gateway.cordon(1, 'b', true)
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
    expect(sends(world)).toBe('c@0 a@0')
  })

  test('one call in a hundred asks an extra node: no caller waits for it, and its dissent is reported', async () => {
    const world = worldOf([says(A), says(A), late(300, says(B)), says(A)], { random: () => 0.001 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 0 })
    expect(sends(world)).toBe('a@0 b@0 c@0')
    await world.clock.advance(400)
    expect(requestsOf(world).map(({ end }) => end)).toEqual(['answered', 'answered', 'answered'])
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'dissent', node: 'c' }))
  })

  test.each([
    ['its stall', 8000, 750],
    ['the deadline', 500, 500],
  ])('the extra node is aborted at %s, where that comes first', async (_, deadlineMs, endMs) => {
    const world = worldOf([says(A), says(A), hangs], { quorum: 2, deadlineMs, random: () => 0.001 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 0 })
    await world.clock.advance(endMs - 1)
    expect(requestsOf(world)[2]?.end).toBeNull()
    await world.clock.advance(1)
    expect(requestsOf(world)[2]?.end).toBe('aborted')
    expect(world.clock.pending()).toBe(0)
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
