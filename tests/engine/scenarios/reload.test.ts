import { expect, test } from 'vitest'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { hangs, late, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { configWith, requestsOf, statesOf, three, worldOf } from '../../support/world.ts'

const asking = (quorum: number) => configWith('abc', { quorum })

test('a call under the new configuration does not join one from before the reload, even if that one asks later', async () => {
  // Both calls wait for a head first, so the older one asks its nodes after the reload.
  const one = worldOf(three({ reply: late(100, says('0x1')) }), { quorum: 1 })
  const before = begin(one, 'eth_getBalance')
  await one.clock.advance(0)
  one.gateway.reload(asking(3))
  const after = begin(one, 'eth_getBalance')
  const [old, fresh] = [await until(one, before), await until(one, after)]
  expect(old.headers).toMatchObject({ 'x-quorate-agreement': '1/1/3' })
  expect(fresh.headers).toMatchObject({ 'x-quorate-cache': 'miss', 'x-quorate-agreement': '3/3/3' })
})

test('a cordoned node stays cordoned through a reload, unless its url changes', async () => {
  const world = worldOf([says('0x9'), says('0x1'), says('0x1')], { quorum: 1 })
  world.gateway.cordon(1, 'a', true)
  world.gateway.reload(asking(1))
  expect(statesOf(world)).toEqual(['cordoned', 'usable', 'usable'])
  expect((await rpc(world, 'eth_getBalance')).result).toBe('0x1')
  const nodes = ['d', 'b'].map((host, index) => ({ name: 'ab'[index], url: `http://${host}.test/` }))
  world.gateway.reload(configWith('', { quorum: 1, nodes }))
  expect(statesOf(world)).toEqual(['usable', 'usable'])
})

test('a reloaded answer cap applies to every node', async () => {
  const world = worldOf(three(says('0x1')), { quorum: 1 })
  for (const bytesMax of [1_000_000, 2_000_000]) {
    world.gateway.reload(configWith('a', { quorum: 1 }, { limits: { answerBytesMax: bytesMax } }))
    await rpc(world, 'eth_getBalance', [`0x${'ad'.repeat(20)}`, hex(bytesMax / 10_000)])
    expect(requestsOf(world)).toMatchObject([{ bytesMax }])
  }
})

test('a chain that a reload removes gives up its polls when the last call that uses it has ended, not before', async () => {
  const slow = late(100, says('0x1'))
  const world = worldOf([slow, slow, { reply: slow, on: { eth_getBlockByNumber: hangs } }])
  const open = () => world.requests.filter(({ end }) => end === null).length
  const call = begin(world, 'eth_getBalance')
  await world.clock.advance(0)
  expect(open()).toBeGreaterThan(0)
  world.gateway.reload(configWith('e', { id: 5, quorum: 1 }))
  expect(await until(world, call)).toMatchObject({ result: '0x1', ms: 100 })
  await world.clock.advance(0)
  expect(open()).toBe(0)
  expect(world.clock.pending()).toBe(0)
})

test('a chain that stays as it is goes on, though a call of an earlier configuration uses it', async () => {
  const world = worldOf(three({ reply: late(100, says('0x1')) }), { quorum: 1 })
  world.gateway.reload(asking(1))
  const call = begin(world, 'eth_getBalance')
  await world.clock.advance(0)
  world.gateway.reload(asking(1))
  await until(world, call)
  expect((await rpc(world, 'eth_blockNumber')).result).toBe(hex(1000))
  await world.clock.advance(60_000)
  expect((await rpc(world, 'eth_blockNumber')).result).toBe(hex(1000))
})
