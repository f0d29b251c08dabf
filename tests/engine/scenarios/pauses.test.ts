import { describe, expect, test } from 'vitest'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { hangs, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex } from '../../support/scripted-chain.ts'
import { move, type ScriptedNode, type World, worldOf } from '../../support/world.ts'
import { cache, certificateOf, eventsOf, headersOf } from '../support/outcomes.ts'

/** So many nodes at block 1000, of which two must agree. */
const worldOfHeads = (count: number, quorum = 2) =>
  worldOf(Array(count).fill(says('0x1')), { quorum, headMaxAgeMs: 1000 })
const headOf = (world: World) => rpc(world, 'eth_blockNumber')
/** Replies with its head, or with the block that it is asked for, after a time. */
const slowly =
  (ms: number, head: number): Reply =>
  (received) =>
    late(ms, says(blockAt(Number(received.params[0]) || head)))(received)

describe('after a pause', () => {
  /** A world that agreed on block 1000, and whose callers then paused for ten seconds while nodes moved to these heights. */
  async function paused(heights: readonly number[], on: Readonly<Record<string, Reply>> = {}) {
    const world = worldOfHeads(heights.length)
    expect(await headOf(world)).toMatchObject({ result: hex(1000) })
    for (const [index, name] of Object.keys(world.nodes).entries())
      move(world, { head: heights[index]! }, [name])
    for (const [name, reply] of Object.entries(on))
      move(world, { on: { eth_getBlockByNumber: reply } }, [name])
    await world.clock.advance(10_000)
    return world
  }

  test('the head is not the one from before it because a current node and a late node have both passed it', async () => {
    // The late node is two blocks behind: neither its block nor the one before is in the reply of the current node.
    const world = await paused([1003, 1005, 1005])
    expect(await headOf(world)).toMatchObject({ result: hex(1005), ms: 0 })
    const slow = await paused([1003, 1005, 1005], { c: slowly(200, 1005) })
    expect(await rpc(slow, 'eth_blockNumber')).toMatchObject({ result: hex(1005), ms: 200 })
  })

  test('where only a current node and a late node answer, the head is the late node’s block', async () => {
    const world = await paused([1003, 1005, 1000], { c: hangs })
    expect(await headOf(world)).toMatchObject({ result: hex(1003), ms: 750 })
    const [, last] = eventsOf(world, 'head').map(({ block }) => block)
    expect(last).toEqual({ number: 1003, hash: hashOf(1003) })
  })

  test.each([
    ['late', [1003, 1004, 1005, 1005]],
    ['behind the head', [999, 999, 1005, 1005]],
  ])('two nodes that are %s and reply first do not end the wait for the head', async (_, heights) => {
    const world = await paused(heights, { c: slowly(50, 1005), d: slowly(80, 1005) })
    const first = begin(world, 'eth_blockNumber')
    await world.clock.advance(10)
    // What the two show is no head for a second caller either.
    const second = begin(world, 'eth_getBalance')
    expect(await until(world, first)).toMatchObject({ result: hex(1005), ms: 80 })
    expect(await until(world, second)).toMatchObject(headersOf({ block: 1005 }))
  })

  test.each([1004, 1003])(
    'a node that replies after its stall with block %i completes the head, though it is behind and the third one hangs',
    async (head) => {
      const world = await paused([1005, head, 1000], { b: slowly(800, head), c: hangs })
      expect(await headOf(world)).toMatchObject({ result: hex(head), ms: 800 })
    },
  )
})

describe('a caller that polls every 4 s', () => {
  test('gets the current block at each poll, though a late node and a current one have both passed the last', async () => {
    const world = worldOfHeads(3)
    const { a, c } = world.nodes as Record<'a' | 'c', ScriptedNode>
    c.on.eth_getBlockByNumber = (received) => slowly(40, c.head)(received)
    for (let head = 1000; head < 1050; head += 10) {
      move(world, { head })
      expect(await headOf(world)).toMatchObject({ result: hex(head) })
      await world.clock.advance(3960)
      move(world, { head: head + 5 })
      a.head = head + 3
      expect(await headOf(world)).toMatchObject({ result: hex(head + 5), ms: 40 })
      await world.clock.advance(3960)
    }
  })

  test('waits no longer than a stall for nodes that have become slow, and never gets a head older than 4 s', async () => {
    const world = worldOfHeads(3)
    await headOf(world)
    move(world, { on: { eth_getBlockByNumber: hangs } })
    for (const [afterMs, ms] of [
      [1750, 0],
      [1, 750],
      [1399, 100],
    ] as const) {
      await world.clock.advance(afterMs)
      expect(await headOf(world)).toMatchObject({ result: hex(1000), ms })
    }
  })
})

describe('a caller that polls every 400 ms', () => {
  /** The age of the oldest block that it got in twelve seconds, in blocks of a second. */
  async function oldestIn(world: World): Promise<number> {
    let oldest = 0
    const startMs = world.clock.now()
    while (world.clock.now() < startMs + 12_000) {
      const number = 1000 + Math.floor((world.clock.now() - startMs) / 1000)
      move(world, { head: number })
      const { result, ms } = await headOf(world)
      expect(ms).toBeLessThanOrEqual(800)
      oldest = Math.max(oldest, number - Number(result))
      await world.clock.advance(400)
    }
    return oldest
  }

  test.each([2, 3])(
    'gets the current block, though %i nodes were late once and one hangs',
    async (quorum) => {
      const world = worldOfHeads(quorum + 1, quorum)
      const [silent, ...late] = Object.values(world.nodes).toReversed()
      Object.assign(silent!.on, { eth_getBlockByNumber: hangs })
      for (const { on, head } of late) {
        on.eth_getBlockByNumber = slowly(800, head)
        world.clock.after(1000, () => delete on.eth_getBlockByNumber)
      }
      expect(await oldestIn(world)).toBeLessThanOrEqual(2)
    },
  )

  test('gets the current block, though one node may take 5 s and takes 4.5', async () => {
    const world = worldOf([{}, {}, { stallMs: 5000 }], { quorum: 2, headMaxAgeMs: 1000 })
    await headOf(world)
    const slow = world.nodes.c as ScriptedNode
    slow.on.eth_getBlockByNumber = (received) => slowly(4500, slow.head)(received)
    expect(await oldestIn(world)).toBeLessThanOrEqual(2)
  })
})

describe('after a sleep of the machine', () => {
  const read = (world: World) => rpc(world, 'eth_getBalance')
  /** A world that has answered a balance from its cache, and whose nodes moved on while the machine slept. */
  async function slept(ms: number): Promise<World> {
    const world = worldOfHeads(3)
    await read(world)
    expect(await read(world)).toMatchObject({ result: '0x1', ...cache('hit') })
    move(world, { head: 1200, reply: says('0x2') })
    world.clock.sleep(ms)
    return world
  }

  test.each([4001, 3_600_000])(
    'of %i ms the first results are of the current head, cached ones too',
    async (ms) => {
      const world = await slept(ms)
      const fresh = { result: '0x2', ...headersOf({ block: 1200, cache: 'miss' }) }
      expect(await read(world)).toMatchObject(fresh)
      expect(await rpc(await slept(ms), 'eth_blockNumber')).toMatchObject({ result: hex(1200) })
    },
  )

  test('a reply from before it does not settle the head, and nobody waits for that poll', async () => {
    const world = worldOfHeads(3)
    await headOf(world)
    // A poll is under way when the machine goes to sleep; its replies are in the sockets when it wakes.
    const answerAll = (head: number, ms: number) =>
      move(world, { on: { eth_getBlockByNumber: slowly(ms, head) } })
    answerAll(1001, 100)
    await world.clock.advance(1001)
    await headOf(world)
    world.clock.sleep(3_600_000)
    answerAll(2800, 200)
    expect(await headOf(world)).toMatchObject({ result: hex(2800), ms: 200 })
    expect(eventsOf(world, 'head').map(({ block }) => block.number)).toEqual([1000, 2800])
  })

  test('certificates and the snapshot carry the time of day', async () => {
    const world = await slept(3_600_000)
    const certificate = certificateOf(world, await read(world))
    expect(certificate?.startMs).toBeGreaterThanOrEqual(world.clock.now() - 1000)
    expect(world.gateway.snapshot().atMs).toBe(world.clock.now())
  })
})
