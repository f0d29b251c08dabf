import { keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { DemoCall } from '../../demo/nodes/demo-call.ts'
import { hostsForOneFile, hostsOfEngine } from '../support/hosts.ts'
import { blockAt, fullBloom, hashOf, hex, logAt, receiptAt } from '../support/scripted-chain.ts'
import { until } from '../support/until.ts'
import { fails, hangs, isBehind, late, says, tells } from './support/script.ts'
import { atOnceMs, stageOn } from './support/stage.ts'

const start = hostsForOneFile()
const stallMs = 300

describe.each(hostsOfEngine)('%s', (kind) => {
  const { chain } = stageOn(kind, start)

  // The first quorum of replies sets the head while the look continues, so the lagging node replies last.
  const apart = [{ head: 1000 }, { head: 999, lookMs: 100 }, { head: 1001 }]
  const ofThree = chain(apart, { quorum: 3 })
  const ofTwo = chain(apart, { quorum: 2 })
  test('case 10: the head is the highest block that enough nodes show', async () => {
    expect(await ofThree.ask('eth_blockNumber')).toMatchObject({ result: hex(999) })
    expect(await ofTwo.ask('eth_blockNumber')).toMatchObject({ result: hex(1000) })
  })

  const ahead = chain([{ head: 100 }, { head: 104 }], { quorum: 2 })
  test('case 11: a node that is ahead is asked for a block that both have', async () => {
    expect(await ahead.ask('eth_blockNumber')).toMatchObject({ result: hex(100) })
  })

  const lacks105 = (call: DemoCall) => (call.params[1] === hex(105) ? isBehind(call) : says('0x1')(call))
  const falling = chain(
    ['a', 'b', 'c'].map((name) => ({ name, head: 105, reply: lacks105 })),
    { quorum: 2, headMaxAgeMs: 20 },
  )
  test('case 12: the head stays when nodes fall behind, and blocks they lack are read one lower', async () => {
    expect(await falling.ask('eth_blockNumber')).toMatchObject({ result: hex(105) })
    for (const node of Object.values(falling.nodes)) node.head = 104
    const enough = falling.looks() + 12
    await until(async () => {
      expect(await falling.ask('eth_blockNumber')).toMatchObject({ result: hex(105) })
      return falling.looks() > enough
    })
    const read = await falling.ask('eth_getBalance')
    expect(read).toMatchObject({ result: '0x1', headers: { 'x-quorate-block': '104' } })
    const asked = falling.requests().map(({ node, call }) => `${node}@${Number(call.params[1])}`)
    // Each is asked again once, in case it was only late; then the call goes one block lower, once.
    for (const name of ['a', 'b', 'c'])
      expect(asked.filter((each) => each === `${name}@105`).length).toBeLessThanOrEqual(2)
    expect(asked.filter((each) => each.endsWith('@105')).length).toBeGreaterThanOrEqual(4)
    // One call in a hundred audits another node.
    expect(asked.filter((each) => each.endsWith('@104'))).toEqual(expect.arrayContaining(['a@104', 'b@104']))
    expect(asked.at(-1)).toMatch(/@104$/)
  })

  // The late node and one current node reply before the other current node.
  const left = chain([{}, {}, { lookMs: 100 }], { quorum: 2, headMaxAgeMs: 1000 })
  test('after a pause the head is a block of after it, though a late node has passed the one before it', async () => {
    expect(await left.ask('eth_blockNumber')).toMatchObject({ result: hex(1000) })
    for (const [name, head] of Object.entries({ a: 1003, b: 1005, c: 1005 }))
      Object.assign(left.nodes[name] as object, { head })
    // A head that is served while a poll goes on is four seconds old at most.
    await pause(5000)
    expect(await left.ask('eth_blockNumber')).toMatchObject({ result: hex(1005) })
  })

  const polled = chain([{}, {}, {}], { quorum: 2, headMaxAgeMs: 20 })
  test('a caller that polls gets the current block at each poll, not that of the poll before', async () => {
    for (const head of [1000, 1002, 1004]) {
      for (const node of Object.values(polled.nodes)) node.head = head
      expect(await polled.ask('eth_blockNumber')).toMatchObject({ result: hex(head) })
      await pause(800)
    }
  })

  const [x, y] = ['x', 'y'].map((name) => ({ name, from: 105 }))
  const forked = chain(
    [{ head: 105, ...(x && { fork: x }) }, { head: 105, ...(y && { fork: y }) }, { head: 104 }],
    {
      quorum: 2,
    },
  )
  test('case 13: with two branches of equal height, their common parent is the head', async () => {
    expect(await forked.ask('eth_blockNumber')).toMatchObject({ result: hex(104) })
  })

  const estimates = chain([says('0x5208'), says('0x5208'), late(40, says('0x1c9c380'))], { quorum: 2 })
  test('case 14: gas estimates are not outbid by one node', async () => {
    expect(await estimates.askInWaves('a+b+c', 'eth_estimateGas')).toMatchObject({ result: '0x5208' })
  })

  const logs = (order: readonly number[]) =>
    tells(({ params }) =>
      order.map((at) => logAt(1000, at, { address: (params[0] as { address: string }).address })),
    )
  const orders = chain([logs([1, 0]), logs([0, 1])], { quorum: 2 })
  test('case 17: the same logs in two orders agree, and are returned in chain order', async () => {
    const { result } = await orders.askInWaves('a+b', 'eth_getLogs')
    expect((result as { logIndex: string }[]).map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x1'])
  })

  const plain = blockAt(1000)
  const blocks = (block: object) => ({ on: { eth_getBlockByHash: says(block) } })
  const vendor = chain([blocks({ ...plain, vendor: 'x' }), blocks(plain)], { quorum: 2 })
  const receipt = (fields: object = {}) =>
    tells(({ params }) => receiptAt(1000, { transactionHash: params[0], ...fields }))
  const failed = receipt({ status: '0x0' })
  const statuses = chain([receipt(), late(20, failed), late(20, receipt())], { quorum: 2 })
  test('case 18: vendor fields neither split an agreement nor are returned; another status is another receipt', async () => {
    expect((await vendor.askInWaves('a+b', 'eth_getBlockByHash', [hashOf(1000), false])).result).toEqual(
      plain,
    )
    const answer = await statuses.askInWaves('a+b c', 'eth_getTransactionReceipt')
    expect(answer).toMatchObject({ result: { status: '0x1' } })
  })

  // The second replies with a delay: an immediate reply could come before the connection of the first is open.
  const alone = chain([late(200, receipt()), late(30, says(null)), says(null)], { quorum: 2 })
  const stalled = chain([hangs, late(30, says(null)), says(null)], { quorum: 2, stallMs })
  const found = chain([late(30, receipt()), late(30, says(null)), late(20, receipt())], { quorum: 2 })
  test('case 19: null wins only when all nodes have replied or stalled, and not against two', async () => {
    const allAsked = await alone.askInWaves('a+b c', 'eth_getTransactionReceipt')
    expect(allAsked).toMatchObject({ result: null })
    expect(allAsked.ms).toBeGreaterThan(190)
    const waited = await stalled.askInWaves('a+b c', 'eth_getTransactionReceipt')
    expect(waited).toMatchObject({ result: null })
    expect(waited.ms).toBeGreaterThan(stallMs - 20)
    const answer = await found.askInWaves('a+b c', 'eth_getTransactionReceipt')
    expect(answer).toMatchObject({ result: { status: '0x1' } })
  })

  const send = 'eth_sendRawTransaction'
  const takes = tells(({ params }) => keccak256(params[0] as `0x${string}`))
  const known = fails(-32000, 'already known')
  const used = fails(-32000, 'nonce too low: next nonce 8, tx nonce 7')
  // The third refuses long after the first has reported it as known: an early "nonce too low" would be looked up.
  const writers = chain([known, late(1500, takes), late(300, used)], { quorum: 2 })
  test('case 20: a transaction that one node knows is answered at once, and sent to all', async () => {
    const raw = await signedFor(writers.chainId)
    const answer = await writers.askInWaves('a+b+c', send, [raw])
    expect(answer).toMatchObject({ result: keccak256(raw) })
    expect(answer.ms).toBeLessThan(1450)
    for (const { call } of writers.requests()) expect(call.params).toEqual([raw])
  })

  const renamed = chain([says(hashOf(7)), late(5, takes)], { quorum: 1 })
  test('case 21: a transaction is answered with the hash of its bytes, not with another hash from a node', async () => {
    const raw = await signedFor(renamed.chainId)
    expect(await renamed.askInWaves('a+b', send, [raw])).toMatchObject({ result: keccak256(raw) })
  })

  const early = chain([says('0x0'), says('0x0'), says('0x0')])
  test('case 26: state at a block above the head is an error, not a zero', async () => {
    const answer = await early.askInWaves('', 'eth_getBalance', [`0x${'ac'.repeat(20)}`, hex(1010)])
    expect(answer).toMatchObject({ status: 200, error: { code: -32001, message: 'header not found' } })
    expect(answer.ms).toBeLessThan(atOnceMs)
  })

  const full = (reply: ReturnType<typeof says>) => ({ bloom: fullBloom, reply })
  const empty = chain([full(says([])), full(says([])), full(logs([0]))], { quorum: 2 })
  test('case 27: an empty log list is not believed when the bloom allows logs', async () => {
    const answer = await empty.askInWaves('a+b c', 'eth_getLogs')
    expect(answer).toMatchObject({ status: 200, error: { code: -32010, data: { reason: 'disagree' } } })
  })
})

/** Nobody calls meanwhile. */
async function pause(ms: number): Promise<void> {
  const endMs = performance.now() + ms
  await until(() => performance.now() >= endMs)
}

function signedFor(chainId: number): Promise<`0x${string}`> {
  return privateKeyToAccount(`0x${'11'.repeat(32)}`).signTransaction({
    chainId,
    nonce: 7,
    gas: 21_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    to: `0x${'22'.repeat(20)}`,
    value: 1n,
  })
}
