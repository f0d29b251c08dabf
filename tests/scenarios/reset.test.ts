import { describe, expect, test } from 'vitest'
import { type Signed, unsent } from '../sim/signed.ts'
import { ask } from '../support/ask.ts'
import { hangs, isBehind, type Reply, says } from '../support/replies.ts'
import { type Fork, hashOf, hex, logAt } from '../support/scripted-chain.ts'
import { type Script, type ScriptedNode, type World, worldOf } from '../support/world.ts'

/** A chain that begins anew, as a dev chain does that is restarted or reset. */
const anew: Fork = { name: 'new', from: 0 }
const account = `0x${'ac'.repeat(20)}`
const resetMs = 30_000

const three = (script: Script = {}) => [script, script, script]
const chainOf = (script?: Script) => worldOf(three(script), { quorum: 2, headMaxAgeMs: 1000 })
const move = (world: World, place: Partial<ScriptedNode>, names = Object.keys(world.nodes)) => {
  for (const name of names) Object.assign(world.nodes[name] as ScriptedNode, place)
}
const headOf = async (world: World) => Number((await ask(world, 'eth_blockNumber')).result)
/** Asks for the head each second, and what it was at last. */
async function watched(world: World, ms: number): Promise<number> {
  for (let passed = 0; passed < ms; passed += 1000) {
    await world.clock.advance(1000)
    await headOf(world)
  }
  // What is stale is answered once more while a look goes on.
  return headOf(world)
}
const reorgs = (world: World) => world.events.filter(({ type }) => type === 'reorg')
const shown = (world: World) => world.gateway.snapshot().chains[0]

describe('a chain that was reset far below the head', () => {
  test('is the chain after the stated time, and not before', async () => {
    const world = chainOf({ head: 5000 })
    expect(await headOf(world)).toBe(5000)
    move(world, { head: 3, fork: anew })
    expect(await watched(world, resetMs - 2000)).toBe(5000)
    expect(reorgs(world)).toEqual([])
    expect(await watched(world, 4000)).toBe(3)
    expect(reorgs(world)).toEqual([
      {
        type: 'reorg',
        chainId: 1,
        from: { number: 5000, hash: hashOf(5000) },
        to: { number: 3, hash: hashOf(3, anew) },
      },
    ])
    move(world, { head: 4 })
    expect(await watched(world, 2000)).toBe(4)
  })

  test('tells its age meanwhile, and that no quorum shows the head', async () => {
    const world = chainOf({ head: 5000 })
    await headOf(world)
    move(world, { head: 3, fork: anew })
    await watched(world, 20_000)
    expect(shown(world)).toMatchObject({ status: 'degraded', why: 'no quorum shows the head any more' })
    expect(shown(world)?.headAgeMs).toBeGreaterThanOrEqual(20_000)
    await watched(world, 12_000)
    expect(shown(world)).toMatchObject({ status: 'ok', head: { number: 3 } })
    expect(shown(world)?.headAgeMs).toBeLessThanOrEqual(1000)
  })

  test('serves nothing that was kept of the old one, not even of its final blocks', async () => {
    const world = chainOf({ head: 5000, safe: 4900, finalized: 4800, reply: says('0x1') })
    const at = (block: string) => ask(world, 'eth_getBalance', [account, block])
    await at('finalized')
    expect(await at(hex(2))).toMatchObject({ result: '0x1' })
    expect(await at(hex(2))).toMatchObject({ headers: { 'x-quorate-cache': 'hit' } })
    move(world, { head: 3, fork: anew, safe: 1, finalized: 0, reply: says('0x2') })
    await watched(world, resetMs + 3000)
    expect(await at(hex(2))).toMatchObject({ result: '0x2', headers: { 'x-quorate-cache': 'miss' } })
    expect(await at('finalized')).toMatchObject({ headers: { 'x-quorate-block': '0' } })
  })

  test('is told to filters: what was there is removed', async () => {
    const own =
      (world: World): Reply =>
      (heard) => {
        const { fromBlock, toBlock } = heard.params[0] as { fromBlock: string; toBlock: string }
        const { head, fork } = world.nodes.a as ScriptedNode
        const found = []
        for (let number = Number(fromBlock); number <= Math.min(head, Number(toBlock)); number++)
          found.push(logAt(number, 0, { blockHash: hashOf(number, fork) }))
        return says(found)(heard)
      }
    const world = chainOf({ head: 5000 })
    move(world, { on: { eth_getLogs: own(world) } })
    const id = (await ask(world, 'eth_newFilter', [{}])).result
    const told = async () =>
      (
        (await ask(world, 'eth_getFilterChanges', [id])).result as { blockNumber: string; removed: boolean }[]
      ).map(({ blockNumber, removed }) => `${removed ? '-' : '+'}${Number(blockNumber)}`)
    move(world, { head: 5001 })
    await watched(world, 2000)
    expect(await told()).toEqual(['+5001'])
    move(world, { head: 3, fork: anew })
    await watched(world, resetMs + 3000)
    expect(await told()).toEqual(['-5001'])
    move(world, { head: 4 })
    await watched(world, 2000)
    expect(await told()).toEqual(['+4'])
  })

  test('needs a quorum that shows another chain: one node alone, or one that is silent, resets nothing', async () => {
    const lonely = chainOf({ head: 5000 })
    await headOf(lonely)
    move(lonely, { head: 3, fork: anew }, ['a'])
    expect(await watched(lonely, 90_000)).toBe(5000)
    move(lonely, { on: { eth_getBlockByNumber: hangs } }, ['b'])
    await watched(lonely, 90_000)
    expect(reorgs(lonely)).toEqual([])
  })

  test('wins though one node still shows the old head', async () => {
    const world = chainOf({ head: 5000 })
    await headOf(world)
    move(world, { head: 3, fork: anew }, ['a', 'b'])
    expect(await watched(world, resetMs + 3000)).toBe(3)
  })

  test('is found in time by whoever asks seldom, but never by two looks', async () => {
    const world = chainOf({ head: 5000 })
    await headOf(world)
    move(world, { head: 3, fork: anew })
    await world.clock.advance(3_600_000)
    expect(await headOf(world)).toBe(5000)
    await world.clock.advance(3_600_000)
    expect(await headOf(world)).toBe(5000)
    for (let turn = 0; turn < 3; turn++) {
      await world.clock.advance(20_000)
      await headOf(world)
    }
    expect(await headOf(world)).toBe(3)
  })

  test('that soon passes the old head with other blocks is a reorg too', async () => {
    const world = chainOf({ head: 5000 })
    await headOf(world)
    move(world, { head: 3, fork: anew })
    expect(await watched(world, 5000)).toBe(5000)
    move(world, { head: 5100 })
    expect(await watched(world, 2000)).toBe(5100)
    expect(reorgs(world)).toMatchObject([
      { from: { number: 5000, hash: hashOf(5000) }, to: { number: 5100 } },
    ])
  })

  test('is a reorg though it passed the old head while nobody looked', async () => {
    const world = chainOf({ head: 5000, safe: 4900, finalized: 4800, reply: says('0x1') })
    await ask(world, 'eth_getBalance', [account, 'finalized'])
    await ask(world, 'eth_getBalance', [account, hex(2)])
    await world.clock.advance(600_000)
    move(world, { head: 9000, fork: anew, reply: says('0x2') })
    expect(await watched(world, 2000)).toBe(9000)
    expect(reorgs(world)).toMatchObject([{ from: { number: 5000 }, to: { number: 9000 } }])
    expect(await ask(world, 'eth_getBalance', [account, hex(2)])).toMatchObject({ result: '0x2' })
  })

  test('a head that jumps along its own chain is no reorg, and is looked at twice only now and then', async () => {
    const world = chainOf({ head: 5000 })
    await headOf(world)
    for (let turn = 1; turn <= 60; turn++) {
      move(world, { head: 5000 + turn * 10 })
      await watched(world, 1000)
    }
    expect(reorgs(world)).toEqual([])
    const again = world.asks.filter(
      ({ node, params }) => node === 'a' && typeof params[0] === 'string' && Number(params[0]) >= 5000,
    )
    expect(again.length).toBeLessThanOrEqual(2)
  })
})

describe('a chain that was set back on its own branch', () => {
  const setBack = (head: number): Partial<ScriptedNode> => ({
    head,
    reply: (heard) => (Number(heard.params[1]) > head ? isBehind(heard) : says('0x1')(heard)),
  })

  test('is followed after the stated time, and not while nodes only fall behind for a while', async () => {
    const world = chainOf({ head: 105 })
    await headOf(world)
    move(world, setBack(104))
    expect(await watched(world, resetMs - 2000)).toBe(105)
    expect(await ask(world, 'eth_getBalance')).toMatchObject({ headers: { 'x-quorate-block': '104' } })
    move(world, { head: 105 })
    expect(await watched(world, 2000)).toBe(105)
    // The time begins anew.
    move(world, setBack(104))
    expect(await watched(world, resetMs - 2000)).toBe(105)
    expect(reorgs(world)).toEqual([])
    expect(await watched(world, 4000)).toBe(104)
    expect(reorgs(world)).toMatchObject([{ from: { number: 105 }, to: { number: 104, hash: hashOf(104) } }])
  })

  test('is not believed while one node still shows the head: the others may only lag', async () => {
    const world = chainOf({ head: 105 })
    await headOf(world)
    move(world, { head: 104 }, ['a', 'b'])
    expect(await watched(world, 120_000)).toBe(105)
    move(world, { head: 400 }, ['c'])
    expect(await watched(world, 120_000)).toBe(105)
    expect(reorgs(world)).toEqual([])
    expect(shown(world)).toMatchObject({ status: 'degraded' })
  })
})

test('a nonce that went out before a reset holds nothing back after it', async () => {
  const { raw, hash, shown: sent } = (unsent.get(1) ?? [])[0] as Signed
  const { from, nonce } = sent as unknown as { from: string; nonce: string }
  const count = (reply: Reply) => ({ eth_sendRawTransaction: says(hash), eth_getTransactionCount: reply })
  const world = worldOf(three({ head: 5000, on: count(says(nonce)) }), {
    quorum: 2,
    headMaxAgeMs: 1000,
    headResetMs: 5000,
  })
  const next = async () => Number((await ask(world, 'eth_getTransactionCount', [from, 'pending'])).result)
  await ask(world, 'eth_sendRawTransaction', [raw])
  expect(await next()).toBe(Number(nonce) + 1)
  move(world, { head: 3, fork: anew })
  await watched(world, 8000)
  expect(await next()).toBe(Number(nonce))
})

test('before the head is given up everybody is heard: those who show it may not be the first', async () => {
  const world = worldOf([...three({ head: 5000 }), { head: 5000 }], { quorum: 2, headMaxAgeMs: 1000 })
  await headOf(world)
  move(world, { head: 3, fork: anew }, ['a', 'b'])
  expect(await watched(world, 120_000)).toBe(5000)
  expect(reorgs(world)).toEqual([])
})

test('nodes that catch up from far below reset nothing while one shows the head that they come to', async () => {
  const world = chainOf({ head: 5000 })
  await headOf(world)
  move(world, { on: { eth_getBlockByNumber: hangs } }, ['a'])
  move(world, { head: 100 }, ['c'])
  expect(await watched(world, 120_000)).toBe(5000)
  expect(reorgs(world)).toEqual([])
})
