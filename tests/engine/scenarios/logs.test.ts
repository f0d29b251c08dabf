import { describe, expect, test } from 'vitest'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { answersHttp, fails, hangs, inTurn, late, type Reply, says } from '../../support/replies.ts'
import { emptyBloom, fullBloom, hashOf, hex, logAt } from '../../support/scripted-chain.ts'
import { move, requestsOf, type Script, sends, three, type World, worldOf } from '../../support/world.ts'
import { accountOf, cache, noQuorum, rangeOf, readsBlocks } from '../support/outcomes.ts'

const cold = `0x${'bb'.repeat(20)}`
const hot = `0x${'aa'.repeat(20)}`

const filter = (address: string, from: number, blocks: number) => [
  { address, fromBlock: hex(from), toBlock: hex(from + blocks - 1) },
]

describe('a wide filter is read in one request', () => {
  const refusing = (reply: Reply) => worldOf(three({ head: 20_000, reply }), { quorum: 2 })
  const isReadWhole = async (world: World) => {
    expect(await rpc(world, 'eth_getLogs', filter(cold, 5002, 9000))).toMatchObject({ result: [] })
    expect(requestsOf(world, 'eth_getLogs').length).toBe(2)
  }

  test('after all nodes rate-limited it, and it is not split then', async () => {
    const world = refusing(fails(-32005, 'rate limit exceeded'))
    const tooFast = await rpc(world, 'eth_getLogs', filter(cold, 5001, 9000))
    expect(tooFast).toMatchObject(noQuorum('silent'))
    // One request to each node, unsplit: the third node is asked at the first refusal.
    expect(requestsOf(world, 'eth_getLogs').length).toBe(3)
    move(world, { reply: says([]) })
    await isReadWhole(world)
  })

  test('after another filter had too many results', async () => {
    const tooMany = 'query returned more than 10000 results. Try with this block range [0x1, 0x2].'
    const ofHot = readsBlocks(1000, fails(-32005, tooMany))
    const world = refusing((received) =>
      ((received.params[0] as { address: string }).address === hot ? ofHot : says([]))(received),
    )
    expect(await rpc(world, 'eth_getLogs', filter(hot, 5001, 9000))).toMatchObject({ result: [] })
    await isReadWhole(world)
  })

  test('as soon as the nodes accept the range they refused before', async () => {
    const world = refusing(fails(-32000, 'block range too large'))
    await rpc(world, 'eth_getLogs', filter(cold, 5001, 9000))
    move(world, { reply: says([]) })
    await isReadWhole(world)
  })
})

test('a range is complete though a node refuses its length, and lacks the block of one part for a moment', async () => {
  const log = (number: number) => ({ ...logAt(number, 0), address: hot })
  const last = inTurn(fails(-32000, 'block not found'), says([log(1000)]))
  const splits = readsBlocks(1, fails(-32602, 'exceed maximum block range: 1'), (received) =>
    (rangeOf(received)[0] === 999 ? says([log(999)]) : last)(received),
  )
  const world = worldOf([says([log(999), log(1000)]), splits], { quorum: 2 })
  const result = [{ blockNumber: hex(999) }, { blockNumber: hex(1000) }]
  expect(await rpc(world, 'eth_getLogs', filter(hot, 999, 2))).toMatchObject({ result })
})

describe('a range that is too long for the nodes', () => {
  const longest = (blocks: number) => `exceed maximum block range: ${blocks}`
  const takes = (blocks: number) => readsBlocks(blocks, fails(-32602, longest(blocks)))
  const [ten, five, one, all] = [takes(10), takes(5), takes(1), says([])]
  const broken = fails(-32000, 'boom')
  const other = says([{ ...logAt(6000, 0), address: cold }])
  const tooLong = (blocks: number) => ({ status: 200, error: { code: -32602, message: longest(blocks) } })

  test.each<[string, readonly Reply[], object, { quorum?: number; blocks?: number }?]>([
    ['is refused in words that clients split on', [ten, ten, ten], tooLong(1270)],
    ['nor is a longer one told where one node takes all', [ten, ten, all], tooLong(1270)],
    ['is read at that length', [ten, ten, ten], { result: [] }, { blocks: 1270 }],
    ['is refused with a length that no single node decides', [ten, one, five, all], tooLong(635)],
    ['nor of three', [ten, one, all], tooLong(127)],
    ['is not refused when fewer than a quorum refuse it', [ten, broken, broken], noQuorum()],
    ['nor by two of four', [ten, ten, broken, broken], noQuorum(), { quorum: 3 }],
    ['is read where two take all', [ten, all, all], { result: [] }],
    ['is not refused when nodes contradict each other', [ten, ten, all, other], noQuorum('disagree')],
    ['nor while a hung node could still complete a quorum', [ten, ten, all, hangs], noQuorum()],
  ])('%s', async (_, replies, expected, { quorum = 2, blocks = 4000 } = {}) => {
    const nodes = replies.map((reply) => ({ head: 10_000, reply }))
    const answer = await rpc(worldOf(nodes, { quorum }), 'eth_getLogs', filter(cold, 5001, blocks))
    expect(answer).toMatchObject(expected)
  })
})

describe('a filter with many addresses', () => {
  const addressesOf = (count: number) => [
    { address: Array.from({ length: count }, (_, index) => accountOf(index)) },
  ]
  const words = 'exceed max addresses or topics per search position'
  const error = { code: -32602, message: expect.stringContaining(words) }

  test('is answered up to as many as geth takes, and above that refused in the words on which indexers split', async () => {
    const world = worldOf([says([]), says([])], { quorum: 2 })
    expect(await rpc(world, 'eth_getLogs', addressesOf(1000))).toMatchObject({ result: [] })
    expect(await rpc(world, 'eth_getLogs', addressesOf(1001))).toMatchObject({ error })
  })

  test('is refused in these words where a quorum of nodes takes fewer', async () => {
    const [refuses, takes] = [fails(-32602, words), says([])]
    for (const [replies, expected] of [
      [[refuses, refuses, takes], { error }],
      [[refuses, takes, takes], { result: [] }],
      [[refuses, fails(-32000, 'boom'), takes], noQuorum()],
    ] as const)
      expect(await rpc(worldOf(replies), 'eth_getLogs', addressesOf(200))).toMatchObject(expected)
  })
})

const headLog = logAt(1000, 0)
const ofHead = [{ blockHash: hashOf(1000) }]
const [none, found] = [says([]), says([headLog])]

/** A world that has agreed on a head with this bloom. */
async function atHead(replies: readonly Reply[], bloom = fullBloom): Promise<World> {
  const world = worldOf(replies.map((reply) => ({ bloom: () => bloom, reply })))
  await rpc(world, 'eth_blockNumber')
  return world
}

/** Whom the first of two asks reaches; the second is answered by the cache. */
async function askedOnce(world: World, expected: object): Promise<string> {
  expect(await rpc(world, 'eth_getLogs', ofHead)).toMatchObject(expected)
  const first = sends(world)
  expect(await rpc(world, 'eth_getLogs', ofHead)).toMatchObject(cache('hit'))
  return first
}

test('an empty log list is believed from two nodes when the bloom of the agreed block is empty, and cached', async () => {
  const world = await atHead([none, none, found], emptyBloom)
  expect(await askedOnce(world, { result: [] })).toBe('a@0 b@0')
})

describe('when the bloom of the agreed block allows logs', () => {
  const slow = late(30, found)
  const bySlow = { result: [headLog], ms: 30 }
  test.each<[string, readonly Reply[], object, string]>([
    ['an empty list takes one vote more than the quorum', [none, none, none], { result: [] }, 'a@0 b@0 c@0'],
    ['the third node is asked as soon as one shows an empty list', [none, slow, slow], bySlow, 'a@0 b@0 c@0'],
    ['no third one is asked where the first ones show logs', [found, slow, found], bySlow, 'a@0 b@0'],
  ])('%s; the answer is cached', async (_, replies, expected, order) => {
    expect(await askedOnce(await atHead(replies), expected)).toBe(order)
  })

  describe.each([
    ['by number', [{ fromBlock: 'latest', toBlock: 'latest' }]],
    ['by hash', ofHead],
  ])('an empty log list for a block %s', (_, params) => {
    test('is not believed where the third node has logs', async () => {
      const world = await atHead([none, none, found])
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject(noQuorum('disagree'))
      expect(sends(world)).toBe('a@0 b@0 c@0')
      move(world, { reply: found })
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject({ result: [headLog] })
    })

    test('is answered when the third node stalls, and never cached', async () => {
      const world = await atHead([none, none, late(800, found)])
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject({ result: [], ms: 750 })
      move(world, { reply: found })
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject({ result: [headLog], ...cache('miss') })
    })
  })
})

describe('an empty log list for a block hash without an agreed header', () => {
  const byHash = [{ blockHash: hashOf(500) }]

  test('is not cached: a caller gets the logs as soon as the nodes have the block', async () => {
    const lacking = worldOf(three(none))
    expect(await rpc(lacking, 'eth_getLogs', byHash)).toMatchObject({ result: [] })
    const log = logAt(500, 0)
    move(lacking, { reply: says([log]) })
    expect(await rpc(lacking, 'eth_getLogs', byHash)).toMatchObject({ result: [log], ...cache('miss') })
    // Logs name their block, so they are cached.
    expect(await rpc(lacking, 'eth_getLogs', byHash)).toMatchObject(cache('hit'))
  })

  test('is not cached when the quorum agreed on the header but not on its bloom', async () => {
    const world = worldOf(
      ['1', '2', '4'].map((digit) => ({ bloom: () => `0x${digit.repeat(512)}`, reply: none })),
    )
    await rpc(world, 'eth_blockNumber')
    await rpc(world, 'eth_getLogs', ofHead)
    expect(await rpc(world, 'eth_getLogs', ofHead)).toMatchObject(cache('miss'))
  })

  test('is not cached for a receipt list either', async () => {
    const world = worldOf(three(none))
    await rpc(world, 'eth_getBlockReceipts', [hashOf(500)])
    expect(await rpc(world, 'eth_getBlockReceipts', [hashOf(500)])).toMatchObject(cache('miss'))
  })
})

describe('a range beyond the head', () => {
  const at = (head: number): Script => ({ head, reply: says([]) })
  const end = (block: number | string) => (typeof block === 'number' ? hex(block) : block)
  const range = (from: number, to: number | string) => [{ fromBlock: end(from), toBlock: end(to) }]
  const beyond = (requested: number) => ({
    code: -32602,
    message: `block range extends beyond current head block: requested ${requested}, head 1000`,
  })

  test('is refused at once with the message of geth, so that clients do not split it forever', async () => {
    const world = worldOf([at(1000), at(1000), at(1000)], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    for (const params of [range(990, 1001), range(1001, 'latest'), range(1001, 1002)])
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject({ error: beyond(1001), ms: 0 })
    expect(await rpc(world, 'eth_getLogs', range(990, 1000))).toMatchObject({ result: [] })
    expect(requestsOf(world, 'eth_getLogs').length).toBe(2)
  })

  test('is waited for, at most one stall, when a node has shown its last block', async () => {
    const world = worldOf([at(1000), at(1000), at(1001)], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    expect(await rpc(world, 'eth_getLogs', range(1000, 1001))).toMatchObject({ error: beyond(1001), ms: 750 })
    const answer = begin(world, 'eth_getLogs', range(1000, 1001))
    await world.clock.advance(300)
    move(world, { head: 1001 })
    expect(await until(world, answer)).toMatchObject({ result: [] })
    expect((await answer.done).ms).toBeLessThan(700)
  })

  test('that runs backwards is invalid, and nothing is waited for', async () => {
    const world = worldOf([at(1000), at(1000), at(1002)], { quorum: 2 })
    const error = { code: -32602, message: 'invalid block range params' }
    for (const params of [range(900, 800), range(1002, 1001), range(9000, 8000)])
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject({ error, ms: 0 })
  })
})

describe('a range that every node refuses without a word that we know', () => {
  const ofFirst: Reply = (received) => says([logAt(rangeOf(received)[0], 0)])(received)
  const odd = fails(-32099, 'the hamster has left its wheel')

  test.each([
    ['a bare HTTP 413', answersHttp(413)],
    ['a bare HTTP 504', answersHttp(504, '<html>Gateway Timeout</html>')],
    ['an HTTP 408', answersHttp(408)],
    ['odd words', odd],
  ])('is halved before its caller is told: %s', async (_, refusal) => {
    const world = worldOf(three(readsBlocks(2, refusal, ofFirst)))
    const answer = await rpc(world, 'eth_getLogs', [{ fromBlock: hex(900), toBlock: hex(903) }])
    expect(answer).toMatchObject({ result: [{ blockNumber: hex(900) }, { blockNumber: hex(902) }] })
  })

  test.each([
    ['a bare HTTP 504', answersHttp(504), 31],
    ['odd words', odd, 3],
  ])('costs a bounded number of requests where no part is taken: %s', async (_, refusal, most) => {
    const world = worldOf([refusal, refusal], { quorum: 2 })
    const answer = await rpc(world, 'eth_getLogs', [{ fromBlock: hex(1), toBlock: hex(900) }])
    expect(answer).toMatchObject(noQuorum())
    const ofOne = requestsOf(world, 'eth_getLogs').filter(({ node }) => node === 'a')
    expect(ofOne.length).toBeLessThanOrEqual(most)
  })
})
