import { afterEach, describe, expect, test } from 'vitest'
import { account, callOf, type PostOptions, protect, rpc } from '../../support/gateway-calls.ts'
import { fails, hangs, type Reply, says } from '../../support/replies.ts'
import { blockAt, type Fork, hashOf } from '../../support/scripted-chain.ts'
import {
  configWith,
  move,
  type Script,
  three,
  type World,
  type WorldOptions,
  worldOf,
} from '../../support/world.ts'
import { logsOf, noQuorum } from '../support/outcomes.ts'

const y = { name: 'y', from: 1001 }
const block: Reply = (received) => {
  const hash = received.params[0] as string
  const number = Number(`0x${hash.slice(2, 18).replace(/^b+/, '')}`)
  return says(blockAt(number, isOnY(hash) ? y : null))(received)
}
const isOnY = (hash: string) => hash.endsWith('79')

/** A world whose nodes have headers by hash and a log in each block. */
function chainWorld(options: WorldOptions = {}) {
  const eth_getLogs = logsOf((number) => ({ blockHash: hashOf(number, world.nodes.a?.fork) }))
  const world = worldOf(three({ on: { eth_getBlockByHash: block, eth_getLogs } }), { quorum: 2, ...options })
  return Object.assign(world, {
    /** Moves all nodes to this head, and waits. */
    async move(head: number, afterMs = 2000, fork: Fork | null = null) {
      move(world, { head, fork })
      await world.clock.advance(afterMs)
    },
  })
}

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
  readonly params?: { readonly subscription: string; readonly result: Record<string, string> }
}

const opened: ReturnType<World['gateway']['connect']>[] = []
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close()
})

/** A connection until the end of the test, and all that was sent on it. */
function connect(world: World, { caller, headers = {} }: PostOptions = {}) {
  const sent: Message[] = []
  let isEnded = false
  const connection = world.gateway.connect({
    path: `/api/rpc/${world.chainId}`,
    header: (name) => headers[name] ?? null,
    caller: caller ?? null,
    origin: null,
    send: (text) => void sent.push(JSON.parse(text)),
    end: () => {
      isEnded = true
      connection.close()
    },
  })
  opened.push(connection)
  return {
    connection,
    sent,
    isEnded: () => isEnded,
    /** Sends one call and waits for what it is answered. */
    async call(method: string, params: readonly unknown[] = [], id = 1): Promise<Message> {
      const before = sent.length
      let isDone = false
      void connection.receive(JSON.stringify(callOf(method, params, id))).then(() => {
        isDone = true
      })
      await world.clock.until(() => isDone)
      return sent.slice(before).find((message) => message.id === id) as Message
    },
    /** Blocks by number, `y` where they are of the other branch. */
    heads: () =>
      sent.flatMap(({ params: { result } = {} }) =>
        result?.hash === undefined ? [] : `${Number(result.number)}${isOnY(result.hash) ? 'y' : ''}`,
      ),
    logs: () =>
      sent.flatMap(({ params: { result } = {} }) =>
        result?.logIndex === undefined ? [] : `${result.removed ? '-' : '+'}${Number(result.blockNumber)}`,
      ),
  }
}

/** A world with a connection that has subscribed to this. */
async function following(params: readonly unknown[], options: WorldOptions = {}) {
  const world = chainWorld(options)
  const socket = connect(world)
  await socket.call('eth_subscribe', params)
  return { world, socket }
}

describe('newHeads', () => {
  test('sends each agreed head as a header, from the next one on', async () => {
    const world = chainWorld()
    const socket = connect(world)
    const { result: id } = await socket.call('eth_subscribe', ['newHeads'])
    expect(id).toMatch(/^0x[0-9a-f]{32}$/)
    await world.move(1001)
    await world.move(1002)
    expect(socket.heads()).toEqual(['1001', '1002'])
    const { params } = socket.sent.at(-1) as Message
    const { number, hash, parentHash, timestamp } = blockAt(1002)
    expect(params).toMatchObject({ subscription: id, result: { number, hash, parentHash, timestamp } })
    expect(params?.result).not.toHaveProperty('transactions')
  })

  test('skips none: blocks between two polls come in order', async () => {
    const { world, socket } = await following(['newHeads'])
    await world.move(1150, 5000)
    expect(socket.heads()).toEqual(Array.from({ length: 150 }, (_, index) => String(1001 + index)))
  })

  test('sends the blocks of the new branch after a reorg', async () => {
    const { world, socket } = await following(['newHeads'])
    await world.move(1001)
    await world.move(1002)
    await world.move(1003, 40_000, y)
    expect(socket.heads()).toEqual(['1001', '1002', '1001y', '1002y', '1003y'])
  })

  test('goes on where it stopped when no quorum could be had for a while', async () => {
    const { world, socket } = await following(['newHeads'])
    for (const node of Object.values(world.nodes)) node.on.eth_getBlockByHash = hangs
    await world.move(1001, 20_000)
    await world.move(1002, 20_000)
    expect(socket.heads()).toEqual([])
    for (const node of Object.values(world.nodes)) node.on.eth_getBlockByHash = block
    await world.clock.advance(20_000)
    expect(socket.heads()).toEqual(['1001', '1002'])
  })

  test('is sent within a poll of the block, though nobody else calls', async () => {
    const { world, socket } = await following(['newHeads'], { headMaxAgeMs: 500 })
    await world.clock.advance(3000)
    await world.move(1001, 500)
    expect(socket.heads()).toEqual(['1001'])
  })

  test('is sent at once when the call of another finds the head', async () => {
    const { world, socket } = await following(['newHeads'], { headMaxAgeMs: 60_000 })
    await world.clock.advance(59_000)
    await world.move(1001, 0)
    await world.gateway.refresh(1)
    await world.clock.advance(0)
    expect(socket.heads()).toEqual(['1001'])
  })

  test('a protected caller gets what protected heads show', async () => {
    const on = { eth_getBlockByHash: block }
    const witness: Script = { on, role: 'witness' }
    const voter: Script = { on, weight: 2 }
    const world = worldOf([voter, voter, { on }, witness, witness, witness, witness])
    const [all, careful] = [connect(world), connect(world, protect)]
    await all.call('eth_subscribe', ['newHeads'])
    await careful.call('eth_subscribe', ['newHeads'])
    move(world, { head: 1001 }, ['a', 'b'])
    await world.clock.advance(3000)
    expect([all.heads(), careful.heads()]).toEqual([['1001'], []])
    move(world, { head: 1001 })
    await world.clock.advance(3000)
    expect([all.heads(), careful.heads()]).toEqual([['1001'], ['1001']])
  })
})

describe('logs', () => {
  test('sends the agreed logs of each agreed block', async () => {
    const { world, socket } = await following(['logs', { address: `0x${'10'.repeat(20)}` }])
    await world.move(1001)
    await world.move(1003)
    expect(socket.logs()).toEqual(['+1001', '+1002', '+1003'])
  })

  test('sends those of a branch that is gone again, with removed: true', async () => {
    const { world, socket } = await following(['logs', {}])
    await world.move(1001)
    await world.move(1002)
    await world.move(1003, 40_000, y)
    expect(socket.logs()).toEqual(['+1001', '+1002', '-1002', '-1001', '+1001', '+1002', '+1003'])
  })
})

test('nodes are asked as much for a hundred connections as for one', async () => {
  async function asksOf(connections: number) {
    const world = chainWorld()
    const sockets = Array.from({ length: connections }, () => connect(world))
    for (const socket of sockets) {
      await socket.call('eth_subscribe', ['newHeads'])
      await socket.call('eth_subscribe', ['logs', { address: `0x${'10'.repeat(20)}` }])
    }
    const before = world.requests.length
    for (let number = 1001; number <= 1020; number += 1) await world.move(number, 1000)
    const asks = world.requests.length - before
    for (const socket of sockets) {
      expect(socket.heads()).toHaveLength(20)
      expect(socket.logs()).toHaveLength(20)
      socket.connection.close()
    }
    return asks
  }
  expect(await asksOf(100)).toBe(await asksOf(1))
})

test('what comes before the id has been sent comes after it', async () => {
  const world = chainWorld()
  const socket = connect(world)
  // The balance of this batch takes until after the next head.
  for (const node of Object.values(world.nodes)) node.on.eth_getBalance = hangs
  const calls = [callOf('eth_subscribe', ['newHeads'], 1), callOf('eth_getBalance', [account], 2)]
  const other = connect(world)
  await other.call('eth_subscribe', ['newHeads'])
  void socket.connection.receive(JSON.stringify(calls))
  await world.clock.advance(100)
  await world.move(1001, 3000)
  expect(other.heads()).toEqual(['1001'])
  expect(socket.sent).toEqual([])
  await world.clock.advance(10_000)
  expect(socket.sent).toMatchObject([[{ id: 1 }, { id: 2 }], { params: { result: { hash: hashOf(1001) } } }])
})

test('a reload goes on with the subscriptions of a chain that is still there, and ends those of one that is gone', async () => {
  const { world, socket } = await following(['newHeads'])
  world.gateway.reload(configWith('abc', { quorum: 3 }))
  await world.move(1001, 5000)
  expect(socket.heads()).toEqual(['1001'])
  expect(socket.isEnded()).toBe(false)
  world.gateway.reload(configWith('abc', { id: 10, quorum: 2 }))
  expect(socket.isEnded()).toBe(true)
  expect(world.gateway.subscriptions()).toBe(0)
})

test('unsubscribing ends it, for this connection alone', async () => {
  const world = chainWorld()
  const [one, other] = [connect(world), connect(world)]
  const { result: id } = await one.call('eth_subscribe', ['newHeads'])
  await other.call('eth_subscribe', ['newHeads'])
  const notFound = { error: { code: -32000, message: 'subscription not found' } }
  expect(await other.call('eth_unsubscribe', [id])).toMatchObject(notFound)
  expect(await one.call('eth_unsubscribe', [id])).toMatchObject({ result: true })
  expect(await one.call('eth_unsubscribe', [id])).toMatchObject(notFound)
  await world.move(1001)
  expect([one.heads(), other.heads()]).toEqual([[], ['1001']])
})

test('a connection that has left costs the nodes nothing more', async () => {
  const { world, socket } = await following(['newHeads'])
  socket.connection.close()
  const before = world.requests.length
  await world.move(1001, 60_000)
  expect(world.requests.length).toBe(before)
  expect(world.gateway.subscriptions()).toBe(0)
})

describe('is refused', () => {
  const mempool = 'no subscription to pending transactions: no quorum can agree on a mempool'
  test.each([
    [['newPendingTransactions'], mempool],
    [['syncing'], 'argument 0: want newHeads or logs, got "syncing"'],
    [[], 'argument 0: want newHeads or logs, got nothing'],
    [['logs', { address: 'x' }], /invalid argument 1/],
    [['logs', { blockHash: hashOf(1) }], 'blockHash cannot be watched; use eth_getLogs'],
  ])('a subscription to %j', async (params, message) => {
    const world = chainWorld()
    const socket = connect(world)
    const refused = await socket.call('eth_subscribe', params)
    expect(refused.error).toEqual({ code: -32602, message: expect.stringMatching(message) })
    expect(world.gateway.subscriptions()).toBe(0)
  })

  test.each([
    ['eth_subscribe', ['newHeads']],
    ['eth_subscribe', []],
    ['eth_unsubscribe', ['0x1']],
  ])('%s of %j without a connection, with a sentence', async (method, params) => {
    const world = chainWorld()
    const error = { code: -32601, message: 'notifications not supported: subscribe over a WebSocket' }
    expect(await rpc(world, method, params)).toMatchObject({ status: 200, error })
  })

  test('the hundred and first subscription of a connection', async () => {
    const world = chainWorld()
    const socket = connect(world)
    for (let count = 0; count < 100; count += 1)
      expect(await socket.call('eth_subscribe', ['newHeads'])).toHaveProperty('result')
    const error = { code: -32005, message: 'too many subscriptions: at most 100 of one connection' }
    expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({ error })
  })

  test('a subscription where no node shows a head, and works when they do', async () => {
    const world = chainWorld()
    for (const node of Object.values(world.nodes)) node.on.eth_getBlockByNumber = fails(-32000, 'unavailable')
    const socket = connect(world)
    expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject(noQuorum())
    for (const node of Object.values(world.nodes)) delete node.on.eth_getBlockByNumber
    await world.clock.advance(60_000)
    expect(await socket.call('eth_subscribe', ['newHeads'])).toHaveProperty('result')
  })
})

describe('what a subscription costs', () => {
  const rate = { costPerMinute: 180, siteCallsPerSecond: null, trustedHops: 0 }

  test('is paid by those who listen, and one who cannot pay is told late, not never', async () => {
    const world = chainWorld({ rate })
    const caller = '192.0.2.1'
    const socket = connect(world, { caller })
    await socket.call('eth_subscribe', ['logs', {}])
    // The budget is 60 at most: spent to the last by other calls.
    for (let count = 0; count < 40; count += 1) await rpc(world, 'eth_newFilter', [{}], { caller })
    await world.move(1001, 60_000)
    expect(socket.logs()).toEqual(['+1001'])
  })

  test('a request that is refused whole is answered under the ids of its calls: nothing else tells them apart', async () => {
    const world = chainWorld()
    const socket = connect(world)
    void world.gateway.drain()
    const [seven, eight, nine] = [7, 8, 9].map((id) => callOf('eth_chainId', [], id))
    for (const text of [JSON.stringify(seven), JSON.stringify([eight, nine]), '{'])
      await socket.connection.receive(text)
    const error = { code: -32005, message: 'draining' }
    expect(socket.sent).toEqual([
      { jsonrpc: '2.0', id: 7, error },
      [8, 9].map((id) => ({ jsonrpc: '2.0', id, error })),
      { jsonrpc: '2.0', id: null, error },
    ])
  })

  test('calls on a connection spend the budget of its caller', async () => {
    const world = chainWorld({ rate })
    const socket = connect(world, { caller: '192.0.2.1' })
    let answered: Message = {}
    for (let count = 0; count < 40 && answered.error === undefined; count += 1)
      answered = await socket.call('eth_newFilter', [{}])
    expect(answered).toMatchObject({ error: { code: -32005, message: 'too many requests' } })
  })
})
