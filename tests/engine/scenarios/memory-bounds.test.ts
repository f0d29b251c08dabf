import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { blockAt, hex, logAt } from '../../support/scripted-chain.ts'
import { configWith, move, three, type World, worldOf } from '../../support/world.ts'
import { accountOf, cache, certificateOf, noQuorum, uncached } from '../support/outcomes.ts'

const cached = ({ gateway }: World) => gateway.snapshot().cache
const megabyte = 1 << 20

describe('long answers of outvoted nodes', () => {
  const lie = `0x${'ab'.repeat(megabyte / 2)}`
  const calls = 20

  /** The liar is asked first; the honest answer has 4 characters. */
  const lied = async () => {
    const shouted = `0x${lie.slice(2).toUpperCase()}`
    const world = worldOf([says(shouted), says('0x01'), says('0x01')], { quorum: 2 })
    for (let index = 0; index < calls; index++)
      await rpc(world, 'eth_call', [{ to: accountOf(index), data: '0x' }, hex(1000)])
    return world
  }

  test('take only a few kilobytes of the cache each, and are accounted for', async () => {
    const { entries, bytes } = cached(await lied())
    expect(entries).toBe(calls)
    expect(bytes).toBeGreaterThan(calls * 4096)
    expect(bytes).toBeLessThan(calls * 20_000)
  })

  test('are shown as an excerpt, a digest and the first difference', async () => {
    const world = await lied()
    const shown = {
      // A long answer is read in slices, so the short ones vote first.
      groups: [
        { text: '"0x01"', nodes: ['b', 'c'] },
        {
          text: `"0x${lie.slice(2, 4095).toUpperCase()}…`,
          // Of what it means, however it is written.
          sha256: createHash('sha256').update(JSON.stringify(lie)).digest('hex'),
          nodes: ['a'],
        },
      ],
      difference: [{ path: '', values: ['0x01', `0x${lie.slice(2, 200).toUpperCase()}…`] }],
    }
    const hit = await rpc(world, 'eth_call', [{ to: accountOf(0), data: '0x' }, hex(1000)])
    expect(hit).toMatchObject(cache('hit'))
    const [[last], [dispute]] = [world.gateway.certificates(1), world.gateway.disputes(1)]
    for (const each of [last, dispute, certificateOf(world, hit)]) expect(each).toMatchObject(shown)
  })

  test('are shortened in a dispute too', async () => {
    const world = worldOf([says(lie), says(lie.replace('ab', 'cd'))], { quorum: 2 })
    expect(await rpc(world, 'eth_call')).toMatchObject(noQuorum())
    const [dispute] = world.gateway.disputes(1)
    expect(dispute?.groups.map(({ text }) => text.length)).toEqual([4097, 4097])
    expect(new Set(dispute?.groups.map(({ sha256 }) => sha256)).size).toBe(2)
    expect(dispute?.difference.length).toBe(1)
  })

  test('show the field that differs, at any length', async () => {
    const logs = Array.from({ length: 2000 }, (_, index) => logAt(1000, index))
    const others = logs.with(1500, { ...(logs[1500] as (typeof logs)[0]), data: '0xdead' })
    const world = worldOf([says(others), says(logs), says(logs)], { quorum: 2 })
    await rpc(world, 'eth_getLogs', [{ fromBlock: hex(1000), toBlock: hex(1000) }])
    expect(world.gateway.certificates(1)[0]?.difference).toEqual([
      { path: '[1500].data', values: ['0xdead', logs[1500]?.data] },
    ])
  })
})

describe('the cache drops entries that no caller can reach', () => {
  const balances = async (world: World, count: number) => {
    for (let index = 0; index < count; index++) await rpc(world, 'eth_getBalance', uncached(index))
  }

  test('of a previous head', async () => {
    const world = worldOf(three(says('0x1')))
    await balances(world, 50)
    expect(cached(world).entries).toBe(50)
    move(world, { head: 1001 })
    await world.clock.advance(10)
    await world.gateway.refresh(0)
    await balances(world, 1)
    expect(cached(world).entries).toBe(1)
  })

  test('of a chain that is no longer configured', async () => {
    const world = worldOf(three(says('0x1')))
    await balances(world, 3)
    world.gateway.reload(configWith('z', { id: 5, quorum: 1 }))
    expect(cached(world)).toMatchObject({ entries: 0, bytes: 0 })
  })
})

test('a block with long, different vendor fields is cached once, not once per node', async () => {
  const blocks = ['x', 'y', 'z'].map((filler) => ({ ...blockAt(1000), vendor: filler.repeat(100_000) }))
  const world = worldOf(blocks.map(says), { quorum: 3 })
  await rpc(world, 'eth_getBlockByNumber', [hex(1000), false])
  expect(cached(world).bytes).toBeLessThan(20_000)
})
