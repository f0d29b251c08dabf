import { describe, expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
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

/** The result where three nodes say this, then two say that; all show a head block of three transactions. */
async function resultOf(
  method: string,
  params: readonly unknown[],
  three: unknown,
  two: unknown,
  { chainId = 137, bloom = fullBloom } = {},
) {
  const head = says({ ...blockAt(1000, null, bloom), transactions: hashes })
  const node = (result: unknown) => ({ reply: says(result), on: { eth_getBlockByNumber: head } })
  const world = worldOf([three, three, three, two, two].map(node), { quorum: 2, chainId })
  await rpc(world, 'eth_blockNumber')
  return (await rpc(world, method, params)).result
}

const light = receipts.slice(0, 2)
const foreign = (index: number) =>
  receiptAt(1000, { transactionHash: hashOf(7), transactionIndex: hex(index) })
const receiptOf = (index: number) => receiptAt(1000, { transactionIndex: hex(index) })
const logOf = (index: number) => [logAt(1000, 0, { transactionIndex: hex(index) })]
const [short, whole] = [2, 3].map((count) => ({ ...blockAt(1000), transactions: hashes.slice(0, count) }))
const filter = [{ fromBlock: 'latest', toBlock: 'latest' }]
const none: readonly unknown[] = []
const logs = [logAt(1000, 0)]
const { address, topics } = logAt(1000, 0)
const other = `0x${'99'.repeat(20)}`
const ofEthereum = (values: readonly string[]) => ({ chainId: 1, bloom: bloomOf(values) })

test.each<[string, ...Parameters<typeof resultOf>]>([
  ['no receipt of the state sync, by tag', 'eth_getBlockReceipts', ['latest'], light, receipts],
  ['no receipt of the state sync, by number', 'eth_getBlockReceipts', [hex(1000)], light, receipts],
  ['no receipt of the state sync, by hash', 'eth_getBlockReceipts', [hashOf(1000)], light, receipts],
  ['no receipts at all', 'eth_getBlockReceipts', ['latest'], [], receipts],
  ['a receipt too many', 'eth_getBlockReceipts', ['latest'], [...receipts, foreign(3)], receipts],
  ['a receipt of none of it', 'eth_getBlockReceipts', ['latest'], receipts.with(2, foreign(2)), receipts],
  ['another count, by tag', 'eth_getBlockTransactionCountByNumber', ['latest'], '0x2', '0x3'],
  ['another count, by hash', 'eth_getBlockTransactionCountByHash', [hashOf(1000)], '0x2', '0x3'],
  ['a transaction less', 'eth_getBlockByHash', [hashOf(1000), false], short, whole],
  ['a receipt of another place', 'eth_getTransactionReceipt', [transactionHash], receiptOf(1), receiptOf(0)],
  ['logs of another place', 'eth_getLogs', filter, logOf(2), logOf(0)],
  ['a log whose topic no bloom has', 'eth_getLogs', filter, logs, none, ofEthereum([address, other])],
  ['a log whose address no bloom has', 'eth_getLogs', filter, logs, none, ofEthereum([...topics, other])],
])(
  'what three nodes say does not outvote what two say, if the agreed block contradicts it: %s',
  async (_, method, params, wrong, right, chain) => {
    expect(await resultOf(method, params, wrong, right, chain)).toEqual(right)
  },
)

describe('logs are votes', () => {
  test.each([
    ['where their chain leaves the bloom of every block blank', { chainId: 1, bloom: emptyBloom }],
    ["of Polygon's state syncs, which are in no bloom", { chainId: 137, bloom: bloomOf([other]) }],
  ])('%s', async (_, chain) => {
    expect(await resultOf('eth_getLogs', filter, logs, none, chain)).toEqual(logs)
  })

  test('of a block on another branch, and contradict nothing', async () => {
    const branch = { blockHash: hashOf(1000, { from: 900, name: 'y' }), transactionIndex: '0x9' }
    const away = [logAt(1000, 0, branch)]
    expect(await resultOf('eth_getLogs', filter, away, none, { chainId: 1 })).not.toEqual(none)
  })
})
