import { expect, test } from 'vitest'
import { protect, rpc } from '../../support/gateway-calls.ts'
import { fails, says } from '../../support/replies.ts'
import { chainOf, nodeOf, type World, worldOf } from '../../support/world.ts'
import { agreement, pollHeads, thin, uncached, witnesses } from '../support/outcomes.ts'

const perDay = 200

/** One of three voters is cordoned for a day, and three witnesses have 200 requests each. */
async function worldWithoutA(): Promise<World> {
  const reply = says('0xa')
  const world = worldOf([reply, reply, reply, ...witnesses(3, { reply, perDay })])
  await rpc(world, 'eth_blockNumber')
  world.gateway.cordon(1, 'a', true)
  return world
}

let reads = 0
const read = (world: World, options = {}) => rpc(world, 'eth_getBalance', uncached(++reads), options)

/** What the day of the witness that was sent most still allows. */
const leftOf = (world: World) =>
  Math.min(...['d', 'e', 'f'].map((name) => nodeOf(world, name)?.leftToday ?? 0))

test('tightened reads use half of the day of each witness, then results are thin, and protected calls have the rest', async () => {
  const world = await worldWithoutA()
  let firm = 0
  while ((await read(world)).headers['x-quorate-thin'] === undefined) firm += 1
  // Two witnesses confirm each read, beside head polls: three times a hundred requests.
  expect(firm).toBeGreaterThan(90)
  expect(leftOf(world)).toBeGreaterThanOrEqual(perDay / 2 - 2)
  expect(chainOf(world)).toMatchObject({
    everydayRule: 'thin',
    quorum: { inReach: { everyday: true, tightened: false, protected: true } },
  })
  for (let count = 0; count < 120; count++) await read(world)
  expect(leftOf(world)).toBeGreaterThanOrEqual(perDay / 2 - 2)
  for (let count = 0; count < 20; count++)
    expect(await read(world, protect)).toMatchObject({ result: '0xa', status: 200 })
  // The next day is whole again.
  await world.clock.advance(86_400_000)
  expect((await read(world)).headers['x-quorate-thin']).toBe(undefined)
})

test('heads of a day without a voter use no more than that either', async () => {
  const world = await worldWithoutA()
  await pollHeads(world, 400, 5000)
  expect(leftOf(world)).toBeGreaterThanOrEqual(perDay / 2 - 2)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject(thin)
  const guarded = await rpc(world, 'eth_blockNumber', [], protect)
  expect(guarded).toMatchObject(agreement('4/4/6; policy=protected'))
})

test('where the voters alone cannot decide, witnesses are sent what is left of their day', async () => {
  const world = await worldWithoutA()
  while ((await read(world)).headers['x-quorate-thin'] === undefined);
  Object.assign(world.nodes.b ?? {}, { reply: fails(-32603, 'broken') })
  expect(await read(world)).toMatchObject({ result: '0xa', ...agreement('4/4/6; policy=tightened') })
})
