import { describe, expect, test } from 'vitest'
import { lagOf } from '../../../../rpc-proxy/chain/snapshot.ts'
import { rpc } from '../../../support/gateway-calls.ts'
import { says } from '../../../support/replies.ts'
import { type Script, type World, worldOf } from '../../../support/world.ts'

test.each([
  ['the lag of a node that has caught up follows its head', 17, 237, 241, 4],
  ['a node in sync that was not asked since stays in sync', 0, 237, 241, 0],
  ['a node above the agreed head is in sync', 2, 243, 241, 0],
  ['a node without a comparison has no lag', null, 237, 241, null],
  ['a node that has shown no block keeps its measured lag', 3, null, 241, 3],
] as const)('%s', (_, measured, height, agreed, lag) => {
  expect(lagOf(measured, height, agreed)).toBe(lag)
})

describe('the snapshot of three voters `a`, `b`, `c` and three witnesses `d`, `e`, `f`', () => {
  const roles = ['voter', 'voter', 'voter', 'witness', 'witness', 'witness'] as const
  const six = (change: Partial<Record<number, Partial<Script>>> = {}) =>
    worldOf(roles.map((role, index) => ({ reply: says('0x1'), role, ...change[index] })))

  async function chainWithout(names: string, world: World) {
    await rpc(world, 'eth_blockNumber')
    for (const name of names) world.gateway.cordon(1, name, true)
    // A head that rested on a cordoned node is gone.
    if (names !== '') await rpc(world, 'eth_blockNumber')
    return world.gateway.snapshot().chains[0]
  }

  test('names the roles; an idle witness has shown no head and is no problem', async () => {
    const chain = await chainWithout('', six())
    expect(chain).toMatchObject({ status: 'ok', why: null })
    expect(chain?.nodes.map(({ role }) => role)).toEqual(roles)
    expect(chain?.nodes[3]).toMatchObject({ state: 'usable', head: null, lag: null, requests: 0 })
  })

  test('is ok while only witnesses are unusable', async () => {
    expect(await chainWithout('def', six())).toMatchObject({ status: 'ok', why: null })
  })

  test('is degraded while a voter is unusable, and names voters alone', async () => {
    expect(await chainWithout('ad', six())).toMatchObject({ status: 'degraded', why: 'a is not usable' })
  })

  test('is not down where witnesses complete what one voter cannot', async () => {
    expect(await chainWithout('ab', six())).toMatchObject({ status: 'degraded' })
    expect(await chainWithout('abd', six())).toMatchObject({ status: 'down' })
  })

  test('is not down without a node that must vote: results are thin', async () => {
    expect(await chainWithout('a', six({ 0: { required: true } }))).toMatchObject({ status: 'degraded' })
  })
})

test('a chain whose nodes never agree on a block is down, not unknown', async () => {
  const forks = ['x', 'y', 'z'].map((name) => ({ reply: says('0x1'), fork: { name, from: 1 } }))
  const world = worldOf(forks)
  const status = () => world.gateway.snapshot().chains[0]
  expect(status()).toMatchObject({ status: 'unknown', why: 'no call for this chain has arrived yet' })
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ error: { code: -32010 } })
  expect(status()).toMatchObject({ status: 'down', why: 'no quorum of nodes shows the same block' })
})

test('the counters of alerts begin at 0, also for requests without a chain', () => {
  const { counters } = worldOf([{ reply: says('0x1') }]).gateway.snapshot()
  const of = (name: string) =>
    counters
      .filter((series) => series.name === `quorate_${name}_total`)
      .map(({ labels, value }) => `${Object.values(labels).join(' ')}: ${value}`)
  expect(of('breaches')).toEqual(['0 S1: 0', '0 no surprise: 0', '1 S1: 0', '1 no surprise: 0'])
  expect(of('thin')).toEqual(['1: 0'])
  expect(of('faults')).toEqual(['1 a too-many-files: 0'])
})
