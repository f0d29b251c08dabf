import { describe, expect, test } from 'vitest'
import { chain } from '../../support/canonical-chain.ts'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex, receiptAt } from '../../support/scripted-chain.ts'
import { hash, raw, sender } from '../../support/signed-transfer.ts'
import { move, requestsOf, type Script, worldOf } from '../../support/world.ts'

const method = 'eth_sendRawTransactionSync'
const receipt = (number: number) =>
  receiptAt(number, { transactionHash: hash, from: sender.address.toLowerCase() })

/** Three nodes that take the transaction, whose receipt is there from this block on. */
function worldWith({
  minedAt = 1001,
  send = says(hash) as Reply,
  count = 7,
  mines = true,
  deadlineMs = 8000,
} = {}) {
  const receiptReply: Reply = (received) => {
    const isThere = mines && (Object.values(world.nodes)[0]?.head ?? 0) >= minedAt
    return says(isThere ? receipt(minedAt) : null)(received)
  }
  const script: Script = {
    reply: says(null),
    on: {
      eth_sendRawTransaction: send,
      eth_getTransactionReceipt: receiptReply,
      eth_getBlockByNumber(received) {
        const { head = 0 } = Object.values(world.nodes)[0] ?? {}
        const [tag] = received.params as [string]
        const number = tag === 'latest' ? head : Number(tag)
        return says(number > head ? null : { ...blockAt(number), transactions: [hash] })(received)
      },
      eth_getTransactionCount: says(hex(count)),
    },
  }
  const world = worldOf([script, script, script], { quorum: 2, deadlineMs })
  return Object.assign(world, {
    move(head: number) {
      move(world, { head: head })
    },
  })
}

describe('eth_sendRawTransactionSync', () => {
  test('is answered with the agreed receipt, as soon as the block of it is agreed', async () => {
    const world = worldWith()
    const pending = begin(world, method, [raw])
    await world.clock.advance(900)
    expect(pending.isDone()).toBe(false)
    world.move(1001)
    const result = { transactionHash: hash, blockNumber: hex(1001), status: '0x1' }
    const answered = await until(world, pending)
    expect(answered).toMatchObject({ result })
    expect(answered.ms).toBeLessThanOrEqual(2000)
  })

  test.each([
    ['none', [], 2000],
    ['0, which is none', [0], 2000],
    ['a number', [500], 500],
    ['a quantity', ['0x1388'], 5000],
    ['more than the longest', [60_000], 30_000],
  ])('ends after its timeout with error 4 and the hash: %s', async (_, timeout, ms) => {
    const world = worldWith({ mines: false })
    const answered = await rpc(world, method, [raw, ...timeout])
    expect(answered).toMatchObject({ status: 200, error: { code: 4, data: hash } })
    expect(answered.ms).toBe(ms)
  })

  test.each([[-1], [1.5], ['soon'], ['0x'], [[]]])('refuses %j as a timeout', async (timeout) => {
    const world = worldWith()
    expect(await rpc(world, method, [raw, timeout])).toMatchObject({ error: { code: -32602 } })
    expect(requestsOf(world, 'eth_sendRawTransaction')).toEqual([])
  })

  test('is error 5 with the hash where a quorum does not accept it', async () => {
    const world = worldWith({ send: fails(-32000, 'insufficient funds for gas * price + value: balance 0') })
    expect(await rpc(world, method, [raw])).toMatchObject({
      error: { code: 5, message: 'insufficient funds for gas * price + value', data: hash },
    })
  })

  test('is error 6 with the expected nonce behind a gap, and nothing is sent', async () => {
    const world = worldWith({ count: 5 })
    expect(await rpc(world, method, [raw])).toMatchObject({
      error: { code: 6, message: 'nonce gap: expected nonce 5, got 7', data: '0x5' },
    })
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
    const world = worldWith({ mines: false })
    const pending = begin(world, method, [raw, 30_000])
    await world.clock.advance(1000)
    const drained = world.gateway.drain()
    const answered = await until(world, pending)
    expect(answered).toMatchObject({ error: { code: 4, data: hash } })
    expect(answered.ms).toBe(1000)
    await drained
  })

  test('of one caller waits twenty times at once, and not more', async () => {
    const world = worldWith({ mines: false })
    const caller = { caller: '192.0.2.1' }
    const all = Array.from({ length: 20 }, () => begin(world, method, [raw], caller))
    await world.clock.advance(0)
    expect(await rpc(world, method, [raw], caller)).toMatchObject({
      status: 429,
      error: { code: -32005 },
    })
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
    const script: Script = { on: { eth_getTransactionCount: counts, eth_getBlockByNumber: block } }
    return worldOf([script, script, script], { quorum: 2 })
  }

  test.each([
    [0, 3],
    [1, 990],
    [2, 1000],
  ])('finds the transaction of nonce %i in block %i', async (nonce, number) => {
    const world = worldSending([3, 990, 1000])
    const { result } = await rpc(world, find, [from, hex(nonce)])
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
