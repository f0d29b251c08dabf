import { describe, expect, test } from 'vitest'
import { chain } from '../../support/canonical-chain.ts'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex, receiptAt } from '../../support/scripted-chain.ts'
import { hash, raw, sender } from '../../support/signed-transfer.ts'
import { move, requestsOf, type Script, three, type World, worldOf } from '../../support/world.ts'

const method = 'eth_sendRawTransactionSync'
const receipt = (number: number) =>
  receiptAt(number, { transactionHash: hash, from: sender.address.toLowerCase() })

/** Three nodes that take the transaction, whose receipt is there from this block on. */
function worldWith({ minedAt = 1001, send = says(hash) as Reply, count = 7, deadlineMs = 8000 } = {}): World {
  const headOf = () => world.nodes.a?.head ?? 0
  const on: Script['on'] = {
    eth_sendRawTransaction: send,
    eth_getTransactionReceipt: (received) => says(headOf() >= minedAt ? receipt(minedAt) : null)(received),
    eth_getBlockByNumber(received) {
      const [tag] = received.params
      const number = tag === 'latest' ? headOf() : Number(tag)
      return says(number > headOf() ? null : { ...blockAt(number), transactions: [hash] })(received)
    },
    eth_getTransactionCount: says(hex(count)),
  }
  const world = worldOf(three({ reply: says(null), on }), { quorum: 2, deadlineMs })
  return world
}
const never = { minedAt: Number.POSITIVE_INFINITY }

describe('eth_sendRawTransactionSync', () => {
  test('is answered with the agreed receipt, as soon as the block of it is agreed', async () => {
    const world = worldWith()
    const pending = begin(world, method, [raw])
    await world.clock.advance(900)
    expect(pending.isDone()).toBe(false)
    move(world, { head: 1001 })
    const result = { transactionHash: hash, blockNumber: hex(1001), status: '0x1' }
    expect(await until(world, pending)).toMatchObject({ result })
    expect((await pending.done).ms).toBeLessThanOrEqual(2000)
  })

  test.each([
    ['none', [], 2000],
    ['0, which is none', [0], 2000],
    ['a number', [500], 500],
    ['a quantity', ['0x1388'], 5000],
    ['more than the longest', [60_000], 30_000],
  ])('ends after its timeout with error 4 and the hash: %s', async (_, timeout, ms) => {
    const answered = await rpc(worldWith(never), method, [raw, ...timeout])
    expect(answered).toMatchObject({ status: 200, error: { code: 4, data: hash }, ms })
  })

  test.each([[-1], [1.5], ['soon'], ['0x'], [[]]])('refuses %j as a timeout', async (timeout) => {
    const world = worldWith()
    expect(await rpc(world, method, [raw, timeout])).toMatchObject({ error: { code: -32602 } })
    expect(requestsOf(world, 'eth_sendRawTransaction')).toEqual([])
  })

  test('is error 5 with the hash where a quorum does not accept it', async () => {
    const message = 'insufficient funds for gas * price + value'
    const world = worldWith({ send: fails(-32000, `${message}: balance 0`) })
    expect(await rpc(world, method, [raw])).toMatchObject({ error: { code: 5, message, data: hash } })
  })

  test('is error 6 with the expected nonce behind a gap, and nothing is sent', async () => {
    const world = worldWith({ count: 5 })
    const error = { code: 6, message: 'nonce gap: expected nonce 5, got 7', data: '0x5' }
    expect(await rpc(world, method, [raw])).toMatchObject({ error })
    expect(requestsOf(world, 'eth_sendRawTransaction')).toEqual([])
  })

  test.each([8000, 1000])(
    'is sent though no node tells the nonce, within a deadline of %i ms',
    async (deadlineMs) => {
      const world = worldWith({ minedAt: 1000, deadlineMs, send: late(100, says(hash)) })
      for (const { on } of Object.values(world.nodes)) on.eth_getTransactionCount = hangs
      expect(await rpc(world, method, [raw])).toMatchObject({ result: { transactionHash: hash } })
      await world.clock.advance(1)
      const ends = requestsOf(world, 'eth_sendRawTransaction').map(({ end }) => end)
      expect(ends).toEqual(['answered', 'answered', 'answered'])
    },
  )

  test('gives up waiting when the host drains: the transaction is sent, and its hash in the error', async () => {
    const world = worldWith(never)
    const pending = begin(world, method, [raw, 30_000])
    await world.clock.advance(1000)
    const drained = world.gateway.drain()
    expect(await until(world, pending)).toMatchObject({ error: { code: 4, data: hash }, ms: 1000 })
    await drained
  })

  test('of one caller waits twenty times at once, and not more', async () => {
    const world = worldWith(never)
    const caller = { caller: '192.0.2.1' }
    const all = Array.from({ length: 20 }, () => begin(world, method, [raw], caller))
    await world.clock.advance(0)
    const refused = { status: 429, error: { code: -32005 } }
    expect(await rpc(world, method, [raw], caller)).toMatchObject(refused)
    for (const pending of all) expect(await until(world, pending)).toMatchObject({ error: { code: 4 } })
    expect(await rpc(world, method, [raw, 1], caller)).toMatchObject({ error: { code: 4 } })
  })
})

describe('eth_getTransactionBySenderAndNonce', () => {
  const find = 'eth_getTransactionBySenderAndNonce'
  const from = sender.address.toLowerCase()
  const [shown] = chain.transactions as [object]
  const sentAt = (number: number, nonce: number) => ({
    ...shown,
    hash: `0x${nonce.toString(16).padStart(64, '9')}`,
    nonce: hex(nonce),
    blockHash: hashOf(number),
    blockNumber: hex(number),
    from,
  })
  /** The account has sent one transaction in each of these blocks, with nonces from 0 on. */
  function worldSending(blocks: readonly number[]) {
    const counts: Reply = (received) => {
      const number = Number(received.params[1])
      return says(hex(blocks.filter((block) => block <= number).length))(received)
    }
    const block: Reply = (received) => {
      const [tag, isFull] = received.params as [string, boolean]
      const number = tag.startsWith('0x') ? Number(tag) : 1000
      const nonce = blocks.indexOf(number)
      const sent = nonce < 0 ? [] : [sentAt(number, nonce)]
      const transactions = isFull ? sent : sent.map((one) => one.hash)
      return says({ ...blockAt(number), transactions })(received)
    }
    return worldOf(three({ on: { eth_getTransactionCount: counts, eth_getBlockByNumber: block } }))
  }

  test.each([...[3, 990, 1000].entries()])('finds that of nonce %i in block %i', async (nonce, number) => {
    const { result } = await rpc(worldSending([3, 990, 1000]), find, [from, hex(nonce)])
    expect(result).toMatchObject({ nonce: hex(nonce), blockNumber: hex(number), from })
  })

  test('is null for a nonce that is not used yet', async () => {
    expect(await rpc(worldSending([3]), find, [from, '0x1'])).toMatchObject({ result: null })
  })

  test('is null where something else than a transaction used the nonce', async () => {
    const world = worldSending([3])
    for (const node of Object.values(world.nodes)) {
      const own = node.on.eth_getBlockByNumber as Reply
      node.on.eth_getBlockByNumber = (received) =>
        received.params[1] === true ? says({ ...blockAt(3), transactions: [] })(received) : own(received)
    }
    expect(await rpc(world, find, [from, '0x0'])).toMatchObject({ result: null })
  })
})
