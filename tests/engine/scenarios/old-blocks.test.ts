import { expect, test } from 'vitest'
import { lineOf } from '#lib/observe/lines.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { chainOf, move, three, type World, type WorldOptions, worldOf } from '../../support/world.ts'
import { eventsOf } from '../support/outcomes.ts'

/** Block 1000 is of this time after the start of the clock. */
const blockMs = 2_000_000
const day = 86_400_000

/** Nodes that agree on block 1000, so long after its time. */
async function standing(ageMs: number, options: WorldOptions = {}): Promise<World> {
  const world = worldOf(three(says('0x1')), { quorum: 2, ...options })
  await world.clock.advance(blockMs + ageMs)
  return world
}
const told = (world: World) => eventsOf(world, 'head-lag')

test('nodes that stand at a block two days old are answered, and the chain is degraded at once', async () => {
  const world = await standing(2 * day)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
  expect(chainOf(world)).toMatchObject({
    status: 'degraded',
    why: 'the block that nodes agree on is 48 h old',
    headAgeMs: 0,
    blockAgeMs: 2 * day,
  })
  expect(told(world)).toMatchObject([{ block: { number: 1000 }, blockAgeMs: 2 * day, isOld: true }])
})

test('the health check alone finds out, without calls', async () => {
  const world = await standing(2 * day)
  const looked = world.gateway.refresh(0)
  await world.clock.advance(0)
  await looked
  expect(told(world)).toHaveLength(1)
})

const undated = { status: 'ok', blockAgeMs: 2 * day, headLagMaxMs: null }
test.each([
  ['a block of exactly the bound is not old', 600_000, {}, { status: 'ok', why: null, blockAgeMs: 600_000 }],
  ['a chain where blocks come at any time is not held to a clock', 2 * day, { headLagMaxMs: null }, undated],
  ['nor a development chain', 2 * day, { chainId: 31_337 }, undated],
  ['nor one of another tool', 2 * day, { chainId: 1337 }, undated],
  ['a block of the future has no age', -60_000, {}, { status: 'ok', blockAgeMs: 0, clockBehindMs: 60_000 }],
  ['the clock is not behind a block of now', 0, {}, { clockBehindMs: 0 }],
])('%s', async (_, ageMs, options, expected) => {
  const world = await standing(ageMs, options)
  await rpc(world, 'eth_blockNumber')
  expect(chainOf(world)).toMatchObject(expected)
  expect(told(world)).toEqual([])
})

test('a block older than the bound is old', async () => {
  const world = await standing(600_001)
  await rpc(world, 'eth_blockNumber')
  const why = 'the block that nodes agree on is 10 min old'
  expect(chainOf(world)).toMatchObject({ status: 'degraded', why })
})

test('it is said once, and once more when nodes follow the chain again', async () => {
  const world = await standing(0)
  for (let minute = 0; minute < 20; minute++) {
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(60_000)
  }
  expect(told(world)).toMatchObject([{ isOld: true, blockAgeMs: 660_000 }])
  move(world, { head: 1600 })
  await rpc(world, 'eth_blockNumber')
  await rpc(world, 'eth_blockNumber')
  const young = { isOld: false, block: { number: 1600 }, blockAgeMs: 0 }
  expect(told(world)).toMatchObject([{ isOld: true }, young])
  expect(chainOf(world)?.status).toBe('ok')
})

test('one node cannot make a block look young or old', async () => {
  const world = await standing(2 * day)
  move(world, { head: 1000 + day / 1000 }, ['a'])
  await rpc(world, 'eth_blockNumber')
  expect(chainOf(world)).toMatchObject({ status: 'degraded', blockAgeMs: 2 * day })
  const current = await standing(0)
  move(current, { head: 1 }, ['a'])
  await rpc(current, 'eth_blockNumber')
  expect(chainOf(current)).toMatchObject({ status: 'ok', blockAgeMs: 0 })
})

test('a clock behind the chain’s is said once, and once more when it is right again', async () => {
  const world = await standing(-15_001)
  const lines = () => eventsOf(world, 'clock-behind').map(lineOf)
  const line = (level: string, behind_s: number) => ({
    level,
    event: 'clock-behind',
    fields: { chain: 1, block: 1000, behind_s },
  })
  await rpc(world, 'eth_blockNumber')
  await rpc(world, 'eth_getBalance')
  await rpc(world, 'eth_blockNumber')
  expect(lines()).toMatchObject([line('error', 15)])
  await world.clock.advance(60_000)
  await rpc(world, 'eth_blockNumber')
  expect(lines()).toMatchObject([line('error', 15), line('info', 0)])
})

test.each([
  ['by a little', -15_000, {}],
  ['where the chain’s is not to be trusted', -60_000, { headLagMaxMs: null }],
])('a clock behind the chain’s is not said %s', async (_, ageMs, options) => {
  const world = await standing(ageMs, options)
  await rpc(world, 'eth_blockNumber')
  expect(eventsOf(world, 'clock-behind')).toEqual([])
})
