import { describe, expect, test } from 'vitest'
import { account, rpc } from '../../support/gateway-calls.ts'
import { hangs, isBehind, says } from '../../support/replies.ts'
import { type Fork, hex } from '../../support/scripted-chain.ts'
import {
  chainOf,
  move,
  type Script,
  type ScriptedNode,
  three,
  type World,
  worldOf,
} from '../../support/world.ts'
import { type Signed, unsent } from '../sim/signed.ts'
import { blockOf, cache, eventsOf, headersOf, pollHeads } from '../support/outcomes.ts'

/** A dev chain after a restart or reset. */
const restarted: Fork = { name: 'new', from: 0 }
const resetMs = 30_000

const resettable = (script: Script = {}) => worldOf(three(script), { quorum: 2, headMaxAgeMs: 1000 })
const headOf = async (world: World) => Number((await rpc(world, 'eth_blockNumber')).result)
/** Asks for the head every second and returns the last one. */
async function headAfter(world: World, ms: number): Promise<number> {
  await pollHeads(world, ms / 1000, 1000)
  // A stale head is answered once more while a poll runs.
  return headOf(world)
}
/** A world at block 5000, whose chain was then reset to block 3, all its nodes or these. */
async function wasReset(names?: string[]): Promise<World> {
  const world = resettable({ head: 5000 })
  expect(await headOf(world)).toBe(5000)
  move(world, { head: 3, fork: restarted }, names)
  return world
}
const reorgs = (world: World) => eventsOf(world, 'reorg')

describe('a chain that was reset far below the head', () => {
  test('is followed after its time, and not earlier', async () => {
    const world = await wasReset()
    expect(await headAfter(world, resetMs - 2000)).toBe(5000)
    expect(reorgs(world)).toEqual([])
    expect(await headAfter(world, 4000)).toBe(3)
    const [from, to] = [blockOf(5000), blockOf(3, restarted)]
    expect(reorgs(world)).toEqual([{ type: 'reorg', chainId: 1, from, to }])
    move(world, { head: 4 })
    expect(await headAfter(world, 2000)).toBe(4)
  })

  test('is reported as degraded meanwhile, with the age of the head', async () => {
    const world = await wasReset()
    await headAfter(world, 20_000)
    expect(chainOf(world)).toMatchObject({ status: 'degraded', why: 'no quorum shows the head any more' })
    expect(chainOf(world)?.headAgeMs).toBeGreaterThanOrEqual(20_000)
    await headAfter(world, 12_000)
    expect(chainOf(world)).toMatchObject({ status: 'ok', head: { number: 3 } })
    expect(chainOf(world)?.headAgeMs).toBeLessThanOrEqual(1000)
  })

  test('serves no cache entry of the old chain, not even of its final blocks', async () => {
    const world = resettable({ head: 5000, safe: 4900, finalized: 4800, reply: says('0x1') })
    const at = (block: string) => rpc(world, 'eth_getBalance', [account, block])
    await at('finalized')
    expect(await at(hex(2))).toMatchObject({ result: '0x1' })
    expect(await at(hex(2))).toMatchObject(cache('hit'))
    move(world, { head: 3, fork: restarted, safe: 1, finalized: 0, reply: says('0x2') })
    await headAfter(world, resetMs + 3000)
    expect(await at(hex(2))).toMatchObject({ result: '0x2', ...cache('miss') })
    expect(await at('finalized')).toMatchObject(headersOf({ block: 0 }))
  })

  test('needs a quorum on the new chain: one node on it, and another that is silent, reset nothing', async () => {
    const single = await wasReset(['a'])
    expect(await headAfter(single, 90_000)).toBe(5000)
    move(single, { on: { eth_getBlockByNumber: hangs } }, ['b'])
    await headAfter(single, 90_000)
    expect(reorgs(single)).toEqual([])
  })

  test('is followed although one node still shows the old head', async () => {
    const world = await wasReset(['a', 'b'])
    expect(await headAfter(world, resetMs + 3000)).toBe(3)
  })

  test('is found with infrequent calls too, but never by two polls alone', async () => {
    const world = await wasReset()
    for (let turn = 0; turn < 2; turn++) {
      await world.clock.advance(3_600_000)
      expect(await headOf(world)).toBe(5000)
    }
    await pollHeads(world, 3, 20_000)
    expect(await headOf(world)).toBe(3)
  })

  test('and soon passes the old head with other blocks is a reorg too', async () => {
    const world = await wasReset()
    expect(await headAfter(world, 5000)).toBe(5000)
    move(world, { head: 5100 })
    expect(await headAfter(world, 2000)).toBe(5100)
    expect(reorgs(world)).toMatchObject([{ from: blockOf(5000), to: { number: 5100 } }])
  })

  test('is a reorg even if it passed the old head between polls', async () => {
    const world = resettable({ head: 5000, safe: 4900, finalized: 4800, reply: says('0x1') })
    await rpc(world, 'eth_getBalance', [account, 'finalized'])
    await rpc(world, 'eth_getBalance', [account, hex(2)])
    await world.clock.advance(600_000)
    move(world, { head: 9000, fork: restarted, reply: says('0x2') })
    expect(await headAfter(world, 2000)).toBe(9000)
    expect(reorgs(world)).toMatchObject([{ from: { number: 5000 }, to: { number: 9000 } }])
    expect(await rpc(world, 'eth_getBalance', [account, hex(2)])).toMatchObject({ result: '0x2' })
  })

  test('a head that jumps along its own chain is no reorg, and only some jumps are verified', async () => {
    const world = resettable({ head: 5000 })
    await headOf(world)
    for (let turn = 1; turn <= 60; turn++) {
      move(world, { head: 5000 + turn * 10 })
      await headAfter(world, 1000)
    }
    expect(reorgs(world)).toEqual([])
    const again = world.requests.filter(
      ({ node, params }) => node === 'a' && typeof params[0] === 'string' && Number(params[0]) >= 5000,
    )
    expect(again.length).toBeLessThanOrEqual(2)
  })
})

describe('a chain that was rewound on its own branch', () => {
  const setBack = (head: number): Partial<ScriptedNode> => ({
    head,
    reply: (received) => (Number(received.params[1]) > head ? isBehind(received) : says('0x1')(received)),
  })

  test('is followed after its time, and not when nodes only lag for a while', async () => {
    const world = resettable({ head: 105 })
    await headOf(world)
    move(world, setBack(104))
    expect(await headAfter(world, resetMs - 2000)).toBe(105)
    expect(await rpc(world, 'eth_getBalance')).toMatchObject(headersOf({ block: 104 }))
    move(world, { head: 105 })
    expect(await headAfter(world, 2000)).toBe(105)
    // The time starts again.
    move(world, setBack(104))
    expect(await headAfter(world, resetMs - 2000)).toBe(105)
    expect(reorgs(world)).toEqual([])
    expect(await headAfter(world, 4000)).toBe(104)
    expect(reorgs(world)).toMatchObject([{ from: { number: 105 }, to: blockOf(104) }])
  })

  test('is not followed while one node still shows the head: the others may only lag', async () => {
    const world = resettable({ head: 105 })
    await headOf(world)
    move(world, { head: 104 }, ['a', 'b'])
    expect(await headAfter(world, 120_000)).toBe(105)
    move(world, { head: 400 }, ['c'])
    expect(await headAfter(world, 120_000)).toBe(105)
    expect(reorgs(world)).toEqual([])
    expect(chainOf(world)).toMatchObject({ status: 'degraded' })
  })
})

test('a nonce sent before a reset does not affect the next nonce after it', async () => {
  const { raw, hash, object: sent } = (unsent.get(1) ?? [])[0] as Signed
  const { from, nonce } = sent as unknown as { from: string; nonce: string }
  const on = { eth_sendRawTransaction: says(hash), eth_getTransactionCount: says(nonce) }
  const world = resettable({ head: 5000, on })
  const next = async () => Number((await rpc(world, 'eth_getTransactionCount', [from, 'pending'])).result)
  await rpc(world, 'eth_sendRawTransaction', [raw])
  expect(await next()).toBe(Number(nonce) + 1)
  move(world, { head: 3, fork: restarted })
  await headAfter(world, 40_000)
  expect(await next()).toBe(Number(nonce))
})

test('nodes of a chain that was restarted with another genesis stay usable, even an hour later', async () => {
  const world = await wasReset()
  expect(await headAfter(world, 40_000)).toBe(3)
  await world.clock.advance(3_600_000)
  await headAfter(world, 3000)
  expect(eventsOf(world, 'node-state').filter(({ to }) => to === 'rate-limited')).toEqual([])
})

test('all nodes are asked before the head is given up: the nodes that show it may not be the first', async () => {
  const world = worldOf([...three({ head: 5000 }), { head: 5000 }], { quorum: 2, headMaxAgeMs: 1000 })
  await headOf(world)
  move(world, { head: 3, fork: restarted }, ['a', 'b'])
  expect(await headAfter(world, 120_000)).toBe(5000)
  expect(reorgs(world)).toEqual([])
})

test('nodes that catch up from far below reset nothing while one node shows the head they reach', async () => {
  const world = resettable({ head: 5000 })
  await headOf(world)
  move(world, { on: { eth_getBlockByNumber: hangs } }, ['a'])
  move(world, { head: 100 }, ['c'])
  expect(await headAfter(world, 120_000)).toBe(5000)
  expect(reorgs(world)).toEqual([])
})
