import { describe, expect, test } from 'vitest'
import { createHealth } from '#lib/engine/health-report.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { type Fork, hashOf, hex } from '../../support/scripted-chain.ts'
import { chainOf, move, type World, worldOf } from '../../support/world.ts'
import { certificateOf, eventsOf, noQuorum } from '../support/outcomes.ts'

const [A, B] = ['0xa', '0xb'] as const
/** A branch that liars extend. */
const lie: Fork = { name: 'lie', from: 985 }
const signed = { number: 990, hash: hashOf(990) }
const honest = { reply: says(A) }
const lying = { reply: says(B), fork: lie }

/** Heads that nodes have shown one by one, from 980 to 1000. */
async function grown(world: World): Promise<World> {
  for (let head = 980; head <= 1000; head++) {
    move(world, { head })
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(3000)
  }
  return world
}
const balance = (world: World, of = 1) => rpc(world, 'eth_getBalance', [hex(of).padEnd(42, '0'), 'latest'])
const sign = (world: World, block: typeof signed | null = signed, faults: readonly string[] = []) =>
  world.gateway.sign(1, { block, timeMs: block && world.clock.now(), faults })

describe('a block that is signed as final', () => {
  test('takes from liars the head that they agree on, and their word', async () => {
    const world = await grown(worldOf([lying, lying, honest, honest], { quorum: 2 }))
    expect(await balance(world)).toMatchObject({ result: B })
    sign(world)
    expect(await balance(world)).toMatchObject({ result: A })
    const why = 'shows another block at the checkpoint'
    expect(chainOf(world)?.nodes.map((node) => node.why)).toEqual([why, why, null, null])
  })

  test('is no head’s where all nodes deny it', async () => {
    const world = await grown(worldOf([lying, lying], { quorum: 2 }))
    sign(world)
    expect(await balance(world)).toMatchObject(noQuorum())
    expect(chainOf(world)).toMatchObject({ status: 'down' })
  })

  test('changes nothing for heads that descend from it, and their evidence has it', async () => {
    const world = await grown(worldOf([honest, honest, honest], { quorum: 2 }))
    const certificate = async () => certificateOf(world, await rpc(world, 'eth_blockNumber'))
    expect(await certificate()).not.toHaveProperty('signed')
    sign(world)
    expect(await certificate()).toMatchObject({ outcome: 'agreed', signed })
    expect(await balance(world)).toMatchObject({ result: A })
    sign(world, { number: 991, hash: hashOf(991) })
    expect(await certificate()).toMatchObject({ signed: { number: 991 } })
    expect([...eventsOf(world, 'reorg'), ...eventsOf(world, 'node-state')]).toEqual([])
  })

  test('is no evidence of a head that is not known to descend from it', async () => {
    const world = worldOf([honest, honest, honest], { quorum: 2 })
    sign(world)
    expect(certificateOf(world, await rpc(world, 'eth_blockNumber'))).not.toHaveProperty('signed')
  })

  test('is asked of each node once, with its chain id, when it is next used', async () => {
    const world = await grown(worldOf([honest, honest, honest], { quorum: 2 }))
    const asks = () => world.requests.filter(({ params }) => params[0] === hex(990)).length
    sign(world)
    expect(asks()).toBe(0)
    for (let second = 0; second < 10; second++) {
      await world.clock.advance(3000)
      await rpc(world, 'eth_blockNumber')
      sign(world)
    }
    expect(asks()).toBe(3)
  })
})

test('a light client that stands still for an hour, or has never seen a signature, is a fault in health', async () => {
  const world = await grown(worldOf([honest, honest, honest], { quorum: 2, headLagMaxMs: null }))
  const health = () =>
    createHealth(world.gateway, () => world.clock.now())().then(({ body }) => JSON.parse(String(body)))
  sign(world)
  await world.clock.advance(3_600_000)
  expect(await health()).toMatchObject({ status: 'ok' })
  await world.clock.advance(1000)
  expect(await health()).toMatchObject({ status: 'degraded', chains: [{ status: 'degraded' }] })
  expect(chainOf(world)?.why).toBe('the last block that was signed as final is 60 min old')
  sign(world, null, ['beacon API 1: it cannot be reached'])
  expect(chainOf(world)?.why).toBe('no block is known to be signed as final')
  sign(world, null)
  expect(chainOf(world)?.why).toBeNull()
})

test('what keeps the host from signatures is in the snapshot, and no result changes', async () => {
  const world = worldOf([honest, honest, honest], { quorum: 2 })
  expect(chainOf(world)?.signed).toBeNull()
  const unreachable = { block: null, faults: ['beacon.test: cannot be reached'] }
  sign(world, null, unreachable.faults)
  expect(chainOf(world)?.signed).toEqual({ ...unreachable, timeMs: null })
  expect(await balance(world)).toMatchObject({ result: A })
})
