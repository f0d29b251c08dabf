import { describe, expect, test } from 'vitest'
import { callOf, type PostOptions, post, rpc } from '../../support/gateway-calls.ts'
import { fails, hangs, isBehind, type Reply, says } from '../../support/replies.ts'
import { blockAt, fullBloom, hashOf } from '../../support/scripted-chain.ts'
import { move, three, type World, worldOf } from '../../support/world.ts'
import { logsOf, readsBlocks } from '../support/outcomes.ts'

const changes = 'eth_getFilterChanges'
const y = { name: 'y', from: 1000 }

const large = logsOf(() => ({ data: `0x${'ab'.repeat(20_000)}` }))
const filterOf = async (world: World, method = 'eth_newFilter', options: PostOptions = {}) =>
  (await rpc(world, method, method === 'eth_newFilter' ? [{}] : [], options)).result
/** A node that lacks one block. */
const unfound =
  (number: number): Reply =>
  (received) => {
    const block = received.params[0] as string
    if (Number(block) === number) return isBehind(received)
    return says(blockAt(block === 'latest' ? 1202 : Number(block)))(received)
  }

/** Moves all nodes and lets the next head look find it. */
async function moveTo(world: World, place: { head: number; fork?: typeof y }): Promise<void> {
  move(world, place)
  await world.clock.advance(10_000)
  await rpc(world, 'eth_blockNumber')
}
const reported = async (world: World, id: unknown) =>
  ((await rpc(world, changes, [id])).result as { blockNumber: string; removed: boolean }[]).map(
    ({ blockNumber, removed }) => `${removed ? '-' : '+'}${Number(blockNumber)}`,
  )

describe('changes that are too large', () => {
  const limits = { answerBytesMax: 65_536 }

  test('for the rest of a batch are refused there and returned by the next poll', async () => {
    const world = worldOf(three({ on: { eth_getLogs: large } }), { quorum: 2, limits })
    const id = await filterOf(world)
    await moveTo(world, { head: 1001 })
    const { body } = await post(world, [
      callOf('eth_getLogs', [{ fromBlock: '0x3e9', toBlock: '0x3e9' }], 1),
      callOf(changes, [id], 2),
      callOf(changes, [id], 3),
    ])
    expect(JSON.parse(body)).toMatchObject([
      { result: [{ blockNumber: '0x3e9' }] },
      { error: { code: -32603, message: 'answer too large' } },
      { result: [] },
    ])
    expect(await reported(world, id)).toEqual(['+1001'])
    expect(await reported(world, id)).toEqual([])
  })

  test('for one answer are spread over several polls', async () => {
    const narrow = readsBlocks(1, fails(-32005, 'query returned more than 10000 results'), large)
    const world = worldOf(three({ on: { eth_getLogs: narrow } }), { quorum: 2, limits })
    const id = await filterOf(world)
    await moveTo(world, { head: 1003 })
    for (const log of ['+1001', '+1002', '+1003']) expect(await reported(world, id)).toEqual([log])
  })
})

test('a block that the nodes no longer find neither removes logs nor stops the filter', async () => {
  const world = worldOf(three({ on: { eth_getLogs: logsOf(() => ({})) } }), { quorum: 2 })
  const id = await filterOf(world)
  await moveTo(world, { head: 1002 })
  expect(await reported(world, id)).toEqual(['+1001', '+1002'])
  await moveTo(world, { head: 1202 })
  for (const node of Object.values(world.nodes)) node.on.eth_getBlockByNumber = unfound(1002)
  expect(await reported(world, id)).toHaveLength(200)
})

test('after a reorg deeper than its memory, a filter does not skip a block whose logs are uncertain', async () => {
  let isIndexed = false
  const found = logsOf((number) => (number === 1000 && isIndexed ? { blockHash: hashOf(1000, y) } : null))
  const world = worldOf(three({ on: { eth_getLogs: found }, bloom: () => fullBloom }), { quorum: 2 })
  const id = await filterOf(world)
  world.nodes.c!.on.eth_getLogs = hangs
  await moveTo(world, { head: 1001, fork: y })
  expect(await reported(world, id)).toEqual([])
  isIndexed = true
  world.nodes.c!.on.eth_getLogs = found
  await moveTo(world, { head: 1002 })
  expect(await reported(world, id)).toEqual(['+1000'])
})

describe('what polls of block filters cost', () => {
  const rate = { costPerMinute: 180, siteCallsPerSecond: 5, trustedHops: 0 }
  const [caller, other] = [{ caller: '192.0.2.1' }, { caller: '192.0.2.2' }]

  test('is charged to the caller whose filter lags, and to no other', async () => {
    const world = worldOf(three({}), { quorum: 2, rate })
    const id = await filterOf(world, 'eth_newBlockFilter', caller)
    await moveTo(world, { head: 1120 })
    expect((await rpc(world, changes, [id], caller)).result).toHaveLength(120)
    const broke = await rpc(world, changes, [id], caller)
    expect(broke).toMatchObject({ status: 429, error: { code: -32005 } })
    // 119 blocks below the head are read, and the budget is 60 and 180 a minute.
    expect(Number(broke.headers['retry-after'])).toBeGreaterThan(18)
    expect((await rpc(world, 'eth_chainId', [], other)).status).toBe(200)
  })

  test('is only the poll itself when another caller has had the blocks read', async () => {
    const world = worldOf(three({}), { quorum: 2, rate: { ...rate, siteCallsPerSecond: null } })
    const mine = await filterOf(world, 'eth_newBlockFilter', caller)
    const others = await filterOf(world, 'eth_newBlockFilter', other)
    await moveTo(world, { head: 1050 })
    expect((await rpc(world, changes, [mine], caller)).result).toHaveLength(50)
    const asksBefore = world.requests.length
    expect((await rpc(world, changes, [others], other)).result).toHaveLength(50)
    expect(world.requests.length).toBe(asksBefore)
    // The budget of 60, less the filter and one poll, pays for 28 more polls.
    for (let poll = 0; poll < 28; poll++)
      expect(await rpc(world, changes, [others], other)).toMatchObject({ result: [] })
  })

  test('is bounded for one poll: a filter far behind catches up over several polls', async () => {
    const world = worldOf(three({}), { quorum: 2 })
    const id = await filterOf(world, 'eth_newBlockFilter')
    await moveTo(world, { head: 1300 })
    for (const length of [128, 128, 44, 0])
      expect((await rpc(world, changes, [id])).result).toHaveLength(length)
  })

  test.each([500, 1000, 2000])(
    'is one read a block for 100 filters on a chain of four blocks a second, with heads polled every %i ms',
    async (headMaxAgeMs) => {
      const world = worldOf(three({}), { quorum: 2, headMaxAgeMs })
      const reported = new Map<unknown, string[]>()
      while (reported.size < 100) reported.set(await filterOf(world, 'eth_newBlockFilter'), [])
      const startAsks = world.requests.length
      const seconds = 40
      // Each filter is polled every 4 s, one after another: 25 polls a second.
      for (let turn = 0; turn < seconds * 4; turn++) {
        move(world, { head: 1001 + turn })
        await world.clock.advance(250)
        for (const [index, [id, hashes]] of [...reported].entries())
          if (index % 16 === turn % 16) hashes.push(...((await rpc(world, changes, [id])).result as string[]))
      }
      const perSecond = (world.requests.length - startAsks) / seconds
      expect(perSecond).toBeLessThan(15)
      for (const hashes of reported.values()) {
        expect(hashes.length).toBeGreaterThan(130)
        expect(hashes).toEqual(hashes.map((_, index) => hashOf(1001 + index)))
      }
    },
  )
})
