import { describe, expect, test } from 'vitest'
import { ask, callOf, post } from '../support/ask.ts'
import { fails, hangs, isBehind, type Reply, says } from '../support/replies.ts'
import { blockAt, fullBloom, hashOf, logAt } from '../support/scripted-chain.ts'
import { type Script, type World, worldOf } from '../support/world.ts'

const changes = 'eth_getFilterChanges'
const y = { name: 'y', from: 1000 }

/** One log in each block for which there are fields. */
const logs =
  (fieldsAt: (number: number) => object | null): Reply =>
  (heard) => {
    const { fromBlock, toBlock } = heard.params[0] as { fromBlock: string; toBlock: string }
    const found = []
    for (let number = Number(fromBlock); number <= Number(toBlock); number++) {
      const fields = fieldsAt(number)
      if (fields !== null) found.push(logAt(number, 0, fields))
    }
    return says(found)(heard)
  }
const large = logs(() => ({ data: `0x${'ab'.repeat(20_000)}` }))
/** The chain, but for one block. */
const unfound =
  (number: number): Reply =>
  (heard) => {
    const block = heard.params[0] as string
    if (Number(block) === number) return isBehind(heard)
    return says(blockAt(block === 'latest' ? 1202 : Number(block)))(heard)
  }
const three = (script: Script) => [script, script, script]

/** All nodes are there now, and it is time to look. */
async function moveTo(world: World, place: { head: number; fork?: typeof y }): Promise<void> {
  for (const node of Object.values(world.nodes)) Object.assign(node, place)
  await world.clock.advance(10_000)
  await ask(world, 'eth_blockNumber')
}
const told = async (world: World, id: unknown) =>
  ((await ask(world, changes, [id])).result as { blockNumber: string; removed: boolean }[]).map(
    ({ blockNumber, removed }) => `${removed ? '-' : '+'}${Number(blockNumber)}`,
  )

describe('changes that are too large', () => {
  const limits = { answerBytesMax: 65_536 }

  test('for what a batch has left are refused there, and told by the next poll', async () => {
    const world = worldOf(three({ on: { eth_getLogs: large } }), { quorum: 2, limits })
    const id = (await ask(world, 'eth_newFilter', [{}])).result
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
    expect(await told(world, id)).toEqual(['+1001'])
    expect(await told(world, id)).toEqual([])
  })

  test('for one answer come by several', async () => {
    const narrow: Reply = (heard) => {
      const { fromBlock, toBlock } = heard.params[0] as { fromBlock: string; toBlock: string }
      const reply = fromBlock === toBlock ? large : fails(-32005, 'query returned more than 10000 results')
      return reply(heard)
    }
    const world = worldOf(three({ on: { eth_getLogs: narrow } }), { quorum: 2, limits })
    const id = (await ask(world, 'eth_newFilter', [{}])).result
    await moveTo(world, { head: 1003 })
    expect([await told(world, id), await told(world, id), await told(world, id)]).toEqual([
      ['+1001'],
      ['+1002'],
      ['+1003'],
    ])
  })
})

test('after an agreed reorg to a lower head, what was told is taken back', async () => {
  let isForked = false
  const found = logs((number) => (number === 1001 && !isForked ? {} : null))
  const world = worldOf(three({ on: { eth_getLogs: found } }), { quorum: 2 })
  const id = (await ask(world, 'eth_newFilter', [{}])).result
  await moveTo(world, { head: 1001 })
  expect(await told(world, id)).toEqual(['+1001'])
  await moveTo(world, { head: 1003 })
  expect(await told(world, id)).toEqual([])
  isForked = true
  await moveTo(world, { head: 1002, fork: y })
  expect((await ask(world, 'eth_blockNumber')).result).toBe('0x3ea')
  expect(await ask(world, changes, [id])).toMatchObject({ ms: 0, result: [{ removed: true }] })
  expect(await told(world, id)).toEqual([])
})

test('a block that the nodes cannot find any more is no reason to take anything back, or to tell nothing', async () => {
  const world = worldOf(three({ on: { eth_getLogs: logs(() => ({})) } }), { quorum: 2 })
  const id = (await ask(world, 'eth_newFilter', [{}])).result
  await moveTo(world, { head: 1002 })
  expect(await told(world, id)).toEqual(['+1001', '+1002'])
  await moveTo(world, { head: 1202 })
  for (const node of Object.values(world.nodes)) node.on.eth_getBlockByNumber = unfound(1002)
  expect(await told(world, id)).toHaveLength(200)
})

test('after a reorg of all that it remembers, a filter goes by no block whose logs are not sure', async () => {
  let isIndexed = false
  const found = logs((number) => (number === 1000 && isIndexed ? { blockHash: hashOf(1000, y) } : null))
  const world = worldOf(three({ on: { eth_getLogs: found }, bloom: () => fullBloom }), { quorum: 2 })
  const id = (await ask(world, 'eth_newFilter', [{}])).result
  Object.assign(world.nodes.c as object, { on: { eth_getLogs: hangs } })
  await moveTo(world, { head: 1001, fork: y })
  expect(await told(world, id)).toEqual([])
  isIndexed = true
  Object.assign(world.nodes.c as object, { on: { eth_getLogs: found } })
  await moveTo(world, { head: 1002 })
  expect(await told(world, id)).toEqual(['+1000'])
})

test('a filter of blocks that lags is told of all of them for the price of its polls', async () => {
  const rate = { costPerMinute: 60, siteCallsPerSecond: 5, trustedHops: 0 }
  const world = worldOf(three({}), { quorum: 2, rate })
  const caller = { caller: '192.0.2.1' }
  const id = (await ask(world, 'eth_newBlockFilter', [], caller)).result
  await moveTo(world, { head: 1120 })
  expect((await ask(world, changes, [id], caller)).result).toHaveLength(120)
  expect(await ask(world, 'eth_chainId', [], { caller: '192.0.2.2' })).toMatchObject({ status: 200 })
})
