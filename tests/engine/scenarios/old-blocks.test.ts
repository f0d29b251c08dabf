import { expect, test } from 'vitest'
import { lineOf } from '#lib/observe/lines.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { chainOf, move, type World, type WorldOptions, worldOf } from '../../support/world.ts'

/** Block 1000 is of this time after the start of the clock. */
const blockMs = 2_000_000
const day = 86_400_000

/** Nodes that agree on block 1000, so long after its time. */
async function standing(ageMs: number, options: WorldOptions = {}): Promise<World> {
  const script = { head: 1000, reply: says('0x1') }
  const world = worldOf([script, script, script], { quorum: 2, ...options })
  await world.clock.advance(blockMs + ageMs)
  return world
}
const told = ({ events }: World) => events.filter(({ type }) => type === 'head-lag')

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

test('a block of exactly the bound is not old', async () => {
  const world = await standing(600_000)
  await rpc(world, 'eth_blockNumber')
  expect(chainOf(world)).toMatchObject({ status: 'ok', why: null, blockAgeMs: 600_000 })
  expect(told(world)).toEqual([])
  const later = await standing(600_001)
  await rpc(later, 'eth_blockNumber')
  expect(chainOf(later)).toMatchObject({
    status: 'degraded',
    why: 'the block that nodes agree on is 10 min old',
  })
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
  expect(told(world)).toMatchObject([
    { isOld: true },
    { isOld: false, block: { number: 1600 }, blockAgeMs: 0 },
  ])
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

test('a chain where blocks come at any time is not held to a clock, nor a development chain', async () => {
  for (const options of [{ headLagMaxMs: null }, { chainId: 31_337 }, { chainId: 1337 }]) {
    const world = await standing(2 * day, options)
    await rpc(world, 'eth_blockNumber')
    expect(chainOf(world)).toMatchObject({ status: 'ok', blockAgeMs: 2 * day, headLagMaxMs: null })
    expect(told(world)).toEqual([])
  }
})

test('a clock behind the chain’s is said once, and once more when it is right again', async () => {
  const world = await standing(-15_001)
  const said = () => world.events.filter(({ type }) => type === 'clock-behind').map(lineOf)
  await rpc(world, 'eth_blockNumber')
  await rpc(world, 'eth_getBalance', ['0x00000000000000000000000000000000000000aa', 'latest'])
  await rpc(world, 'eth_blockNumber')
  const fields = { chain: 1, block: 1000 }
  expect(said()).toMatchObject([
    { level: 'error', event: 'clock-behind', fields: { ...fields, behind_s: 15 } },
  ])
  await world.clock.advance(60_000)
  await rpc(world, 'eth_blockNumber')
  expect(said()).toMatchObject([
    { level: 'error' },
    { level: 'info', event: 'clock-behind', fields: { ...fields, behind_s: 0 } },
  ])

  const bearable = await standing(-15_000)
  await rpc(bearable, 'eth_blockNumber')
  expect(bearable.events.filter(({ type }) => type === 'clock-behind')).toEqual([])
  const undated = await standing(-60_000, { headLagMaxMs: null })
  await rpc(undated, 'eth_blockNumber')
  expect(undated.events.filter(({ type }) => type === 'clock-behind')).toEqual([])
})

test('a block from the future is of no age: this machine’s clock is behind by that', async () => {
  const world = await standing(-60_000)
  await rpc(world, 'eth_blockNumber')
  expect(chainOf(world)).toMatchObject({ status: 'ok', blockAgeMs: 0, clockBehindMs: 60_000 })
  const current = await standing(0)
  await rpc(current, 'eth_blockNumber')
  expect(chainOf(current)).toMatchObject({ clockBehindMs: 0 })
})
