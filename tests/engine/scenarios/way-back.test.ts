import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { hangs, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, type Fork, hex } from '../../support/scripted-chain.ts'
import { move, type World, worldOf } from '../../support/world.ts'
import { noQuorum, pollHeads } from '../support/outcomes.ts'

/** A node with this head, whose replies on lower blocks take so long; on block 998, another time. */
const node = (lowerMs: number, fork: Fork | null, { latestMs = 0, head = 1000, firstMs = lowerMs } = {}) => {
  const block: Reply = (received) => {
    const [tag] = received.params
    const number = tag === 'latest' ? head : Number(tag)
    // No finality here: `finalized` is not a number.
    if (Number.isNaN(number)) return says(null)(received)
    const ms = tag === 'latest' ? latestMs : number === 998 ? firstMs : lowerMs
    return ms === never ? hangs(received) : late(ms, says(blockAt(number, fork)))(received)
  }
  return { on: { eth_getBlockByNumber: block } }
}
const never = Number.POSITIVE_INFINITY
const branch = (name: string, from = 0) => ({ name, from })

/** Blocks that head polls asked a node for, and when: `latest@0 998@750`. Without finality and genesis. */
const walked = ({ requests, start }: World, name: string) =>
  requests
    .filter((each) => each.node === name && each.method === 'eth_getBlockByNumber')
    .filter(({ params }) => params[0] !== 'finalized' && params[0] !== '0x0')
    .map(({ params, atMs }) => `${params[0] === 'latest' ? 'latest' : Number(params[0])}@${atMs - start.ms}`)
    .join(' ')

test('the walk back ends with the poll: after its deadline no node is asked for a lower block', async () => {
  const strangers = ['x', 'y', 'z'].map((name) => node(500, branch(name), { latestMs: 500 }))
  const world = worldOf(strangers, { quorum: 2, deadlineMs: 2000 })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ ms: 2000, ...noQuorum('heads') })
  await world.clock.advance(60_000)
  for (const name of ['a', 'b', 'c']) expect(walked(world, name)).toBe('latest@0 998@500 996@1000 992@1500')
})

test('a node that stalls on the walk back is waited for once, not at every step', async () => {
  const nodes = [node(0, branch('x', 990)), node(0, branch('y', 990)), node(never, branch('z', 990))]
  const world = worldOf(nodes, { quorum: 2 })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(984), ms: 750 })
  expect(walked(world, 'a')).toBe('latest@0 998@0 996@750 992@750 984@750')
  expect(walked(world, 'c')).toBe('latest@0 998@0')
})

test('a node that stalled on the walk back and has replied since is asked again', async () => {
  const slowOnce = node(100, null, { firstMs: 800 })
  const world = worldOf([node(100, branch('x', 994)), node(100, branch('y')), slowOnce], { quorum: 2 })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(992), ms: 950 })
  expect(walked(world, 'b')).toBe('latest@0 998@0 996@750 992@850')
  expect(walked(world, 'c')).toBe('latest@0 998@0 992@850')
})

test('when all nodes stall, the walk back starts as soon as a quorum has replied', async () => {
  const slow = ['x', 'y', 'z'].map((name) => node(0, branch(name, 990), { latestMs: 900 }))
  const world = worldOf(slow, { quorum: 2 })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(984), ms: 900 })
  expect(walked(world, 'b')).toBe('latest@0 998@900 996@900 992@900 984@900')
})

test('two nodes that reply after their stall agree on a head, even if the second replies during the walk of another branch', async () => {
  const [one, other] = [node(0, null, { latestMs: 900 }), node(0, null, { latestMs: 1450, head: 1004 })]
  const world = worldOf([node(100, branch('x')), one, other], { quorum: 2 })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000), ms: 1500 })
  expect(walked(world, 'c')).toBe('latest@0 1000@1500')
})

test('a head that jumped is not compared with the one before once the blocks between have been read', async () => {
  const world = worldOf([{}, {}, {}])
  const { result: id } = await rpc(world, 'eth_newBlockFilter', [])
  move(world, { head: 1004 })
  await world.clock.advance(3000)
  expect(await rpc(world, 'eth_getFilterChanges', [id])).toMatchObject({ result: { length: 4 } })
  const before = world.requests.length
  await pollHeads(world, 60, 1000)
  expect(world.requests.slice(before).filter(({ params }) => params[0] === hex(1000))).toEqual([])
})
