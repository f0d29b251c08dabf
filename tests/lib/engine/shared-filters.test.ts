import { describe, expect, test } from 'vitest'
import type { Peers } from '#lib/engine/peers.ts'
import { shareFilters } from '#lib/engine/shared-filters.ts'
import type { Clock } from '#rpc-proxy'
import { ask, beginPost, callOf, post, until } from '../../support/ask.ts'
import { peersCircle } from '../../support/peers-circle.ts'
import { late, type Reply, says } from '../../support/replies.ts'
import { logAt } from '../../support/scripted-chain.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { asked, type World, type WorldOptions, worldOf } from '../../support/world.ts'

const changes = 'eth_getFilterChanges'

/** One log in each block. */
const logsOf =
  (bytes = 1): Reply =>
  (received) => {
    const { fromBlock, toBlock } = received.params[0] as { fromBlock: string; toBlock: string }
    const found = []
    for (let number = Number(fromBlock); number <= Number(toBlock); number++)
      found.push(logAt(number, 0, { data: `0x${'ab'.repeat(bytes)}` }))
    return says(found)(received)
  }

interface Circumstances {
  isLost?: (kind: string, from: number, to: number) => boolean
  isJoined?: boolean
}

/** A Redis to which a message takes so long, and from there too. */
function slow(peers: Peers, clock: Clock, lagMs: number): Peers {
  const lag = () => new Promise<void>((resolve) => void clock.after(lagMs, resolve))
  if (lagMs === 0) return peers
  return {
    ...peers,
    async trySend(kind, value) {
      peers.send(kind, value)
      await lag()
      return true
    },
    on: (kind, take) => peers.on(kind, (value) => void lag().then(() => take(value))),
  }
}

/** Replicas with the same nodes and one clock. What a test does to `now` holds at once. */
function replicas(
  count: number,
  { logs = logsOf(), lagMs = 0, ...options }: WorldOptions & { logs?: Reply; lagMs?: number } = {},
) {
  const now: Circumstances = {}
  const clock = virtualClock()
  const circle = peersCircle(count, (...message) => now.isLost?.(...message) ?? false)
  const worlds = circle.map((peers) =>
    worldOf(
      ['a', 'b', 'c'].map((name) => ({ name, on: { eth_getLogs: logs } })),
      {
        ...{ quorum: 2, clock, ...options },
        filterPeers: () =>
          shareFilters({ ...slow(peers, clock, lagMs), isJoined: () => now.isJoined ?? true }, clock),
      },
    ),
  )
  const moveTo = async (head: number) => {
    for (const { nodes } of worlds) for (const node of Object.values(nodes)) node.head = head
    await clock.advance(10_000)
    for (const world of worlds) await ask(world, 'eth_blockNumber')
  }
  return { worlds: worlds as [World, World, ...World[]], moveTo, now, clock }
}

const install = async (world: World, method = 'eth_newFilter', params: unknown[] = [{}]) =>
  (await ask(world, method, params)).result
const blocksOf = (result: unknown) =>
  (result as { blockNumber: string }[]).map(({ blockNumber }) => Number(blockNumber))
const poll = async (world: World, id: unknown) => blocksOf((await ask(world, changes, [id])).result)

describe('a filter that was installed at another replica', () => {
  test('is polled at any, each change is returned once, with its evidence, and only its own replica asks nodes', async () => {
    const { worlds, moveTo } = replicas(3)
    const [one, two, three] = worlds as [World, World, World]
    const id = await install(one)
    await moveTo(1002)
    const first = await ask(two, changes, [id])
    expect(blocksOf(first.result)).toEqual([1001, 1002])
    expect(first.headers['x-quorate-agreement']).toBe('2/2/3')
    expect(first.headers['x-quorate-answer']).toMatch(/^\w+-\w+$/)
    expect(asked(two)).toBe('')
    expect(await poll(three, id)).toEqual([])
    await moveTo(1003)
    expect(await poll(three, id)).toEqual([1003])
    expect(await poll(one, id)).toEqual([])
  })

  test('returns a change to one of three that poll at once', async () => {
    const { worlds, moveTo } = replicas(3)
    const id = await install(worlds[0])
    await moveTo(1001)
    const all = await Promise.all(worlds.map((world) => poll(world, id)))
    expect(all.toSorted()).toEqual([[], [], [1001]])
  })

  test('of blocks and of pending transactions is polled as well, and all logs of a filter are read', async () => {
    const { worlds, moveTo } = replicas(2)
    const [one, two] = worlds
    const [blocks, pending, logs] = [
      await install(one, 'eth_newBlockFilter', []),
      await install(one, 'eth_newPendingTransactionFilter', []),
      await install(one, 'eth_newFilter', [{ fromBlock: '0x3e9', toBlock: '0x3ea' }]),
    ]
    await moveTo(1002)
    expect((await ask(two, changes, [blocks])).result).toHaveLength(2)
    expect((await ask(two, changes, [pending])).result).toEqual([])
    expect(blocksOf((await ask(two, 'eth_getFilterLogs', [logs])).result)).toEqual([1001, 1002])
  })

  test('is uninstalled at any, and then found at none', async () => {
    const { worlds } = replicas(2)
    const [one, two] = worlds
    const id = await install(one)
    expect((await ask(two, 'eth_uninstallFilter', [id])).result).toBe(true)
    expect((await ask(two, 'eth_uninstallFilter', [id])).result).toBe(false)
    for (const world of worlds) {
      const answer = await ask(world, changes, [id])
      expect([answer.status, answer.error?.message]).toEqual([200, 'filter not found'])
      expect(answer.ms).toBe(500)
    }
  })

  test('is read protected where its caller asks for that', async () => {
    const { worlds, moveTo } = replicas(2)
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1001)
    const answer = await ask(two, changes, [id], { headers: { 'x-quorate-protect': '1' } })
    expect(answer.headers['x-quorate-agreement']).toBe('2/2/3; policy=protected')
  })

  test('is polled while another caller polls a thousand that nobody has', async () => {
    const { worlds, moveTo } = replicas(2)
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1001)
    const madeUp = Array.from({ length: 1000 }, (_, at) =>
      callOf(changes, [`0x${(at + 1).toString(16)}`], at),
    )
    const flood = beginPost(two, madeUp, { caller: '192.0.2.66' })
    await two.clock.advance(50)
    expect(blocksOf((await ask(two, changes, [id], { caller: '192.0.2.1' })).result)).toEqual([1001])
    await until(two, flood)
  })

  test('costs its caller the logs at the replica that reads them', async () => {
    const { worlds, moveTo } = replicas(2, { rate: { costPerMinute: 6, costBurst: 20 } })
    const [one, two] = worlds
    const caller = '192.0.2.1'
    const id = (await ask(one, 'eth_newFilter', [{}], { caller })).result
    await ask(one, 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x9' }], { caller })
    await moveTo(1100)
    const refused = await ask(two, changes, [id], { caller })
    expect([refused.status, refused.error?.message]).toEqual([429, 'too many requests'])
    expect(blocksOf((await ask(two, changes, [id], { caller: '192.0.2.2' })).result)).toHaveLength(100)
  })

  test('returns in parts what is too much for one message', async () => {
    const { worlds, moveTo } = replicas(2, { logs: logsOf(40_000) })
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1010)
    expect(await poll(two, id)).toEqual([1001, 1002, 1003, 1004, 1005, 1006])
    expect(await poll(two, id)).toEqual([1007, 1008, 1009, 1010])
  })
})

describe('no change is lost, and none is called not found that may be there,', () => {
  test('when an answer is lost between replicas, and there is more by the next poll, a moment later', async () => {
    const { worlds, moveTo, now } = replicas(2, { headMaxAgeMs: 100 })
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1001)
    now.isLost = (kind) => kind === 'filter-answer'
    expect((await ask(two, changes, [id])).status).toBe(503)
    now.isLost = () => false
    for (const { nodes } of worlds) for (const node of Object.values(nodes)) node.head = 1002
    expect(await poll(two, id)).toEqual([1001, 1002])
    expect(await poll(one, id)).toEqual([])
  })

  test('when Redis takes a third of a second each way', async () => {
    const { worlds, moveTo } = replicas(2, { lagMs: 350 })
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1001)
    expect(await poll(two, id)).toEqual([1001])
  })

  test('when an answer is lost between replicas', async () => {
    const { worlds, moveTo, now, clock } = replicas(2)
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1001)
    now.isLost = (kind) => kind === 'filter-answer'
    const lost = await ask(two, changes, [id])
    expect([lost.status, lost.error?.message, lost.headers['retry-after']]).toEqual([503, 'overloaded', '1'])
    now.isLost = () => false
    await clock.advance(1_000)
    expect(await poll(two, id)).toEqual([1001])
  })

  test('when it does not fit into the rest of a batch', async () => {
    const { worlds, moveTo } = replicas(2, { logs: logsOf(20_000), limits: { answerBytesMax: 65_536 } })
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1001)
    const batch = [
      callOf('eth_getLogs', [{ fromBlock: '0x3e9', toBlock: '0x3e9' }], 1),
      callOf(changes, [id], 2),
    ]
    expect(JSON.parse((await post(two, batch)).body)).toMatchObject([
      { result: [{ blockNumber: '0x3e9' }] },
      { error: { code: -32603, message: 'answer too large' } },
    ])
    expect(await poll(two, id)).toEqual([1001])
  })

  test('when the replica that has the filter falls silent: the caller may come again after half a second', async () => {
    const { worlds, moveTo, now } = replicas(2, { logs: late(5_000, logsOf()) })
    const [one, two] = worlds
    const id = await install(one)
    await moveTo(1001)
    let heard = 0
    now.isLost = (kind) => kind === 'filter-answer' || (kind === 'filter-step' && heard++ >= 3)
    const silent = await ask(two, changes, [id])
    expect([silent.status, silent.ms]).toEqual([503, 800])
  })

  test('when replicas cannot hear each other', async () => {
    const { worlds, now } = replicas(2)
    const [one, two] = worlds
    const id = await install(one)
    now.isJoined = false
    const away = await ask(two, changes, [id])
    expect([away.status, away.error?.code, away.headers['retry-after'], away.ms]).toEqual([
      503,
      -32005,
      '1',
      0,
    ])
    expect(await poll(one, id)).toEqual([])
  })
})
