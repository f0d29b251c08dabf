import { describe, expect, test } from 'vitest'
import { ask } from '../../support/ask.ts'
import { says } from '../../support/replies.ts'
import {
  blockAt,
  emptyBloom,
  fullBloom,
  hashOf,
  hex,
  logAt,
  receiptAt,
  transactionHash,
} from '../../support/scripted-chain.ts'
import { worldOf } from '../../support/world.ts'
import { bloomOf } from '../sim/universe.ts'

const hashes = [transactionHash, `0x${'b2'.repeat(32)}`, `0x${'c3'.repeat(32)}`]
const receipts = hashes.map((hash, index) =>
  receiptAt(1000, { transactionHash: hash, transactionIndex: hex(index) }),
)

/** Three nodes that say this, then two that say that; all show a head block of three transactions. */
async function resultOf(
  method: string,
  params: readonly unknown[],
  text: readonly unknown[],
  chainId = 137,
  bloom = fullBloom,
) {
  const head = says({ ...blockAt(1000, null, bloom), transactions: hashes })
  const node = (result: unknown) => ({ reply: says(result), on: { eth_getBlockByNumber: head } })
  const world = worldOf(text.map(node), { quorum: 2, chainId })
  await ask(world, 'eth_blockNumber')
  return (await ask(world, method, params)).result
}

describe('three light nodes that leave the state-sync receipt out do not outvote the right ones', () => {
  test.each([['latest'], [hex(1000)], [hashOf(1000)]])('at %s', async (block) => {
    const light = receipts.slice(0, 2)
    const text = [light, light, light, receipts, receipts]
    expect(await resultOf('eth_getBlockReceipts', [block], text)).toEqual(receipts)
  })

  test('nor do nodes that have no receipts at all', async () => {
    const text = [[], [], [], receipts, receipts]
    expect(await resultOf('eth_getBlockReceipts', ['latest'], text)).toEqual(receipts)
  })

  test('nor do those that make one up', async () => {
    const long = [...receipts, receiptAt(1000, { transactionHash: hashOf(7), transactionIndex: '0x3' })]
    const text = [long, long, long, receipts, receipts]
    expect(await resultOf('eth_getBlockReceipts', ['latest'], text)).toEqual(receipts)
  })
})

test.each([
  ['eth_getBlockTransactionCountByNumber', 'latest'],
  ['eth_getBlockTransactionCountByHash', hashOf(1000)],
])('%s is the number of transactions that the agreed block has', async (method, block) => {
  expect(await resultOf(method, [block], ['0x2', '0x2', '0x2', '0x3', '0x3'])).toBe('0x3')
})

test('a block that lost a transaction on the way is no vote', async () => {
  const [short, whole] = [2, 3].map((count) => ({ ...blockAt(1000), transactions: hashes.slice(0, count) }))
  const text = [short, short, short, whole, whole]
  expect(await resultOf('eth_getBlockByHash', [hashOf(1000), false], text)).toMatchObject({
    transactions: hashes,
  })
})

test('a receipt at the place of another transaction of its block is no vote', async () => {
  const at = (index: number) => receiptAt(1000, { transactionIndex: hex(index) })
  const text = [at(1), at(1), at(1), at(0), at(0)]
  expect(await resultOf('eth_getTransactionReceipt', [transactionHash], text)).toEqual(at(0))
})

test('receipts of transactions that their block has not are no vote', async () => {
  const others = receipts.with(2, receiptAt(1000, { transactionHash: hashOf(7), transactionIndex: '0x2' }))
  const text = [others, others, others, receipts, receipts]
  expect(await resultOf('eth_getBlockReceipts', ['latest'], text)).toEqual(receipts)
})

describe('logs', () => {
  const filter = [{ fromBlock: 'latest', toBlock: 'latest' }]
  const none: readonly unknown[] = []

  test('at the place of another transaction are no vote', async () => {
    const at = (index: number) => [logAt(1000, 0, { transactionIndex: hex(index) })]
    const text = [at(2), at(2), at(2), at(0), at(0)]
    expect(await resultOf('eth_getLogs', filter, text)).toEqual(at(0))
  })

  const { address, topics } = logAt(1000, 0)
  const other = `0x${'99'.repeat(20)}`

  test.each([
    ['address', [address, other]],
    ['first topic', [...topics, other]],
  ])(
    'of whose address and first topic the bloom of their block has but the %s are no vote',
    async (_, values) => {
      const forged = [logAt(1000, 0)]
      const text = [forged, forged, forged, none, none]
      expect(await resultOf('eth_getLogs', filter, text, 1, bloomOf(values))).toEqual(none)
    },
  )

  test('are a vote where their chain leaves the bloom of every block blank', async () => {
    const logs = [logAt(1000, 0)]
    expect(await resultOf('eth_getLogs', filter, [logs, logs, logs, none, none], 1, emptyBloom)).toEqual(logs)
  })

  test("of Polygon's state syncs, which are in no bloom, are votes", async () => {
    const logs = [logAt(1000, 0)]
    const text = [logs, logs, logs, none, none]
    expect(await resultOf('eth_getLogs', filter, text, 137, bloomOf([other]))).toEqual(logs)
  })

  test('of a block on another branch contradict nothing', async () => {
    const away = [
      logAt(1000, 0, { blockHash: hashOf(1000, { from: 900, name: 'y' }), transactionIndex: '0x9' }),
    ]
    expect(await resultOf('eth_getLogs', filter, [away, away, away, none, none], 1)).not.toEqual(none)
  })
})
