import { describe, expect, test } from 'vitest'
import { nodeFields } from '../../../rpc-proxy/config/fields.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { chainOf, type Script, type World, worldOf } from '../../support/world.ts'
import { pollHeads, uncached } from '../support/outcomes.ts'

const start = Date.UTC(2026, 10, 20)
const dayMs = 86_400_000
const headMaxAgeMs = 1000

/** Voters `a`, `b`, `c` in order of priority; `a` has a plan of so many units. */
async function worldWithPlan(plan: Partial<Script>): Promise<World> {
  const other = { reply: says('0xa') }
  const world = worldOf([{ ...other, perMonth: 30, ...plan }, other, other], { headMaxAgeMs })
  await world.clock.advance(start - world.clock.now())
  return world
}

let reads = 0
const read = (world: World) => rpc(world, 'eth_getBalance', uncached(++reads))
/** Reads until the plan of `a` is spent. */
const spend = async (world: World) => {
  while (planOf(world)?.spentMs !== world.clock.now()) await read(world)
}
const planOf = (world: World) => chainOf(world)?.nodes[0]?.plan
const sentTo = (world: World, node: string) => world.requests.filter((each) => each.node === node).length

describe('a node whose plan is spent', () => {
  test('is asked last: the others are enough, and heads are polled without it', async () => {
    const world = await worldWithPlan({})
    await spend(world)
    const before = sentTo(world, 'a')
    expect(before).toBe(30)
    for (let count = 0; count < 20; count++) expect(await read(world)).toMatchObject({ result: '0xa' })
    expect(sentTo(world, 'a')).toBe(before)
    await pollHeads(world, 100, headMaxAgeMs)
    expect(sentTo(world, 'b')).toBeGreaterThan(100)
    // All nodes are polled now and then, so that their heads are known.
    expect(sentTo(world, 'a') - before).toBeLessThan(25)
    expect(chainOf(world)).toMatchObject({ everydayRule: 'everyday', nodes: [{ state: 'usable' }, {}, {}] })
  })

  test('is asked all the same where a quorum needs it', async () => {
    const world = await worldWithPlan({})
    await spend(world)
    world.gateway.cordon(1, 'b', true)
    for (const isOut of [true, false]) world.gateway.cordon(1, 'c', isOut)
    expect(await read(world)).toMatchObject({ result: '0xa', status: 200 })
    expect(sentTo(world, 'a')).toBeGreaterThan(30)
  })

  test('is asked first again when its next month begins', async () => {
    const world = await worldWithPlan({ monthBegins: 25 })
    await spend(world)
    const [fromMs, toMs] = [Date.UTC(2026, 10, 25), Date.UTC(2026, 11, 25)]
    await world.clock.advance(fromMs - world.clock.now())
    expect(planOf(world)).toMatchObject({ units: 0, fromMs, toMs })
    const before = sentTo(world, 'a')
    await read(world)
    expect(sentTo(world, 'a')).toBeGreaterThan(before)
  })
})

const given = { eth_getTransactionCount: 19, eth_estimateGas: 7, default: 0.5 }
test.each([
  ['the configuration', given, given],
  ["its provider's document", 'infura', { eth_chainId: 5, eth_estimateGas: 300, default: 80 }],
])('requests cost what %s says of their method, and others its default', async (_, units, costs) => {
  const world = await worldWithPlan({ perMonth: 1_000_000, units: nodeFields.units.parse(units) ?? {} })
  await rpc(world, 'eth_getTransactionCount')
  await rpc(world, 'eth_estimateGas')
  const own = world.requests.filter(({ node }) => node === 'a').map(({ method }) => method)
  expect(own).toEqual(expect.arrayContaining(['eth_getTransactionCount', 'eth_estimateGas']))
  const costOf = new Map(Object.entries(costs))
  const spent = own.reduce((sum, method) => sum + (costOf.get(method) ?? costs.default), 0)
  expect(planOf(world)?.units).toBe(spent)
})

test('says when the plan will be used up at the pace of the last day, and null where it lasts', async () => {
  const world = await worldWithPlan({ perMonth: 100_000, units: { eth_getBalance: 1000, default: 0 } })
  expect(planOf(world)?.spentMs).toBe(null)
  for (let day = 0; day < 3; day++) {
    for (let count = 0; count < 5; count++) await read(world)
    await world.clock.advance(dayMs)
  }
  // 85,000 units are left, 5,000 of them a day: 17 days, and the month has seven more.
  expect(planOf(world)).toMatchObject({ units: 15_000, unitsMax: 100_000, spentMs: null })
  for (let count = 0; count < 30; count++) await read(world)
  const { spentMs = 0 } = planOf(world) ?? {}
  expect(Number(spentMs)).toBeGreaterThan(world.clock.now() + dayMs)
  expect(Number(spentMs)).toBeLessThan(world.clock.now() + 2 * dayMs)
})

test('nodes with one plan spend it together, and another node does not', async () => {
  const shared = { perMonth: 30, plan: 'account', reply: says('0xa') }
  const world = worldOf([shared, shared, { reply: says('0xa') }], { headMaxAgeMs })
  await world.clock.advance(start - world.clock.now())
  await spend(world)
  expect(sentTo(world, 'a') + sentTo(world, 'b')).toBeGreaterThanOrEqual(30)
  expect(sentTo(world, 'a')).toBeLessThan(30)
  const [a, b, c] = chainOf(world)?.nodes ?? []
  expect(a?.plan).toMatchObject({ units: 30, unitsMax: 30 })
  expect(b?.plan).toEqual(a?.plan)
  expect(c?.plan).toBe(null)
  // Asked first, where a quorum needs one of the others anyway.
  const before = sentTo(world, 'c')
  await read(world)
  expect(sentTo(world, 'c')).toBe(before + 1)
  // Other processes store it by its name.
  world.gateway.hours.learn('2026-11-19T03', [{ 0: { account: { units: 400 } } }])
  expect(planOf(world)?.units).toBeGreaterThanOrEqual(430)
  const metrics = world.gateway.hours.counters().filter(({ name }) => name.endsWith('node_units_total'))
  expect(metrics.map(({ labels }) => labels.node).sort()).toEqual(['a', 'b'])
})

test('what other processes have spent counts too', async () => {
  const world = await worldWithPlan({ perMonth: 1000 })
  const { hours } = world.gateway
  hours.learn('2026-11-19T03', [{ 1: { a: { units: 400 } } }, { 1: { a: { units: 500 } } }])
  // In place of what was known of that hour.
  hours.learn('2026-11-19T03', [{ 1: { a: { units: 600 } } }])
  hours.learn('2026-10-31T23', [{ 1: { a: { units: 10_000 } } }])
  expect(planOf(world)?.units).toBe(600)
  hours.learn('2026-11-01T00', [{ 1: { a: { units: 400 } } }])
  expect(planOf(world)?.spentMs).toBe(world.clock.now())
})
