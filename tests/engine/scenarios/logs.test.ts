import { describe, expect, test } from 'vitest'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import {
  answersHttp,
  fails,
  hangs,
  late,
  type ReceivedCall,
  type Reply,
  says,
} from '../../support/replies.ts'
import { emptyBloom, fullBloom, hashOf, hex, logAt } from '../../support/scripted-chain.ts'
import { move, requestsOf, type Script, sends, type World, worldOf } from '../../support/world.ts'
import { cache, noQuorum } from '../support/outcomes.ts'

const cold = `0x${'bb'.repeat(20)}`
const hot = `0x${'aa'.repeat(20)}`

interface Filter {
  readonly address: string
  readonly fromBlock: string
  readonly toBlock: string
}
const filter = (address: string, from: number, blocks: number): readonly Filter[] => [
  { address, fromBlock: hex(from), toBlock: hex(from + blocks - 1) },
]
const three = (reply: Reply) =>
  worldOf(
    [1, 2, 3].map((): Script => ({ head: 20_000, reply })),
    { quorum: 2 },
  )

describe('a wide filter is read in one request', () => {
  const isReadWhole = async (world: World) => {
    expect(await rpc(world, 'eth_getLogs', filter(cold, 5002, 9000))).toMatchObject({ result: [] })
    expect(requestsOf(world, 'eth_getLogs').length).toBe(2)
  }

  test('after all nodes rate-limited it, and it is not split then', async () => {
    const world = three(says([]))
    for (const node of Object.values(world.nodes)) node.on.eth_getLogs = fails(-32005, 'rate limit exceeded')
    const tooFast = await rpc(world, 'eth_getLogs', filter(cold, 5001, 9000))
    expect(tooFast).toMatchObject(noQuorum('silent'))
    // One request to each node, unsplit: the third node is asked at the first refusal.
    expect(requestsOf(world, 'eth_getLogs').length).toBe(3)
    for (const node of Object.values(world.nodes)) node.on.eth_getLogs = says([])
    await isReadWhole(world)
  })

  test('after another filter had too many results', async () => {
    const tooMany = 'query returned more than 10000 results. Try with this block range [0x1, 0x2].'
    const world = three((received) => {
      const { address, fromBlock, toBlock } = received.params[0] as Filter
      const isTooMuch = address === hot && Number(toBlock) - Number(fromBlock) >= 1000
      return (isTooMuch ? fails(-32005, tooMany) : says([]))(received)
    })
    expect(await rpc(world, 'eth_getLogs', filter(hot, 5001, 9000))).toMatchObject({ result: [] })
    await isReadWhole(world)
  })

  test('as soon as the nodes accept the range they refused before', async () => {
    const world = three(fails(-32000, 'block range too large'))
    await rpc(world, 'eth_getLogs', filter(cold, 5001, 9000))
    for (const node of Object.values(world.nodes)) node.on.eth_getLogs = says([])
    await isReadWhole(world)
  })
})

test('a range is complete though a node refuses its length, and lacks the block of one part for a moment', async () => {
  const log = (number: number) => ({ ...logAt(number, 0), address: hot })
  const isAsked = ({ params }: ReceivedCall, from: number, to: number) => {
    const { fromBlock, toBlock } = params[0] as Filter
    return Number(fromBlock) === from && Number(toBlock) === to
  }
  let lacking = 1
  const splits: Reply = (received) => {
    if (isAsked(received, 999, 1000)) return fails(-32602, 'exceed maximum block range: 1')(received)
    if (isAsked(received, 999, 999)) return says([log(999)])(received)
    return (lacking-- > 0 ? fails(-32000, 'block not found') : says([log(1000)]))(received)
  }
  const world = worldOf([says([log(999), log(1000)]), splits], { quorum: 2 })
  expect(await rpc(world, 'eth_getLogs', filter(hot, 999, 2))).toMatchObject({
    result: [{ blockNumber: hex(999) }, { blockNumber: hex(1000) }],
  })
})

describe('a range that is too long for the nodes', () => {
  const refuses = (blocks: number) => (received: ReceivedCall) => {
    const { fromBlock, toBlock } = received.params[0] as Filter
    const isLong = Number(toBlock) - Number(fromBlock) >= blocks
    return isLong ? fails(-32602, `exceed maximum block range: ${blocks}`)(received) : says([])(received)
  }
  const noQuorum = { code: -32010, message: 'failed to meet quorum' }
  const tooLong = (blocks: number) => ({ code: -32602, message: `exceed maximum block range: ${blocks}` })
  const reported = async (replies: readonly Reply[], quorum = 2, blocks = 4000) => {
    const world = worldOf(
      replies.map((reply) => ({ head: 10_000, reply })),
      { quorum },
    )
    return rpc(world, 'eth_getLogs', filter(cold, 5001, blocks))
  }

  test('is refused with the message that clients split on, and the length that a quorum accepts', async () => {
    expect(await reported([refuses(10), refuses(10), refuses(10)])).toMatchObject({
      status: 200,
      error: tooLong(1270),
    })
    expect(await reported([refuses(10), refuses(10), says([])])).toMatchObject({ error: tooLong(1270) })
    expect(await reported([refuses(10), refuses(10), refuses(10)], 2, 1270)).toMatchObject({ result: [] })
  })

  test('is refused with a length that no single node decides', async () => {
    const longest = [refuses(10), refuses(1), refuses(5), says([])]
    expect(await reported(longest)).toMatchObject({ error: tooLong(635) })
    expect(await reported([refuses(10), refuses(1), says([])])).toMatchObject({ error: tooLong(127) })
  })

  test('is not refused when fewer than a quorum refuse it', async () => {
    const broken = fails(-32000, 'boom')
    expect(await reported([refuses(10), broken, broken])).toMatchObject({ error: noQuorum })
    expect(await reported([refuses(10), refuses(10), broken, broken], 3)).toMatchObject({ error: noQuorum })
    expect(await reported([refuses(10), says([]), says([])])).toMatchObject({ result: [] })
  })

  test('is not refused when nodes contradict each other', async () => {
    const replies = [refuses(10), refuses(10), says([]), says([{ ...logAt(6000, 0), address: cold }])]
    expect(await reported(replies)).toMatchObject({ error: { ...noQuorum, data: { reason: 'disagree' } } })
  })

  test('is not refused while a hung node could still complete a quorum', async () => {
    expect(await reported([refuses(10), refuses(10), says([]), hangs])).toMatchObject({ error: noQuorum })
  })
})

describe('a filter with many addresses', () => {
  const addressesOf = (count: number) => [
    { address: Array.from({ length: count }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`) },
  ]
  const error = {
    code: -32602,
    message: expect.stringContaining('exceed max addresses or topics per search position'),
  }

  test('is answered up to as many as geth takes, and above that refused in the words on which indexers split', async () => {
    const world = worldOf([says([]), says([])], { quorum: 2 })
    expect(await rpc(world, 'eth_getLogs', addressesOf(1000))).toMatchObject({ result: [] })
    expect(await rpc(world, 'eth_getLogs', addressesOf(1001))).toMatchObject({ error })
  })

  test('is refused in these words where a quorum of nodes takes fewer', async () => {
    const refuses = fails(-32602, 'exceed max addresses or topics per search position')
    const ask200 = (replies: readonly Reply[]) =>
      rpc(worldOf(replies, { quorum: 2 }), 'eth_getLogs', addressesOf(200))
    expect(await ask200([refuses, refuses, says([])])).toMatchObject({ error })
    expect(await ask200([refuses, says([]), says([])])).toMatchObject({ result: [] })
    expect(await ask200([refuses, fails(-32000, 'boom'), says([])])).toMatchObject(noQuorum())
  })
})

const headLog = logAt(1000, 0)
const ofHead = [{ blockHash: hashOf(1000) }]
const [none, found] = [says([]), says([headLog])]

/** A world that has agreed on a head with this bloom. */
async function atHead(replies: readonly Reply[], bloom = fullBloom): Promise<World> {
  const world = worldOf(
    replies.map((reply) => ({ bloom: () => bloom, reply })),
    { quorum: 2 },
  )
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
  test.each<[string, readonly Reply[], object, string]>([
    [
      'an empty log list is believed with one vote more than the quorum',
      [none, none, none],
      { result: [] },
      'a@0 b@0 c@0',
    ],
    [
      'the third node is asked as soon as one shows an empty list, because two votes cannot be enough for it',
      [none, late(30, found), late(30, found)],
      { result: [headLog], ms: 30 },
      'a@0 b@0 c@0',
    ],
    [
      'no node beyond the quorum is asked where the first ones show logs',
      [found, late(30, found), found],
      { result: [headLog], ms: 30 },
      'a@0 b@0',
    ],
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
      expect(await rpc(world, 'eth_getLogs', params)).toMatchObject({
        result: [headLog],
        ...cache('miss'),
      })
    })
  })
})

describe('an empty log list for a block hash without an agreed header', () => {
  const byHash = [{ blockHash: hashOf(500) }]

  test('is not cached: a caller gets the logs as soon as the nodes have the block', async () => {
    const lacking = worldOf([says([]), says([]), says([])], { quorum: 2 })
    expect(await rpc(lacking, 'eth_getLogs', byHash)).toMatchObject({ result: [] })
    const log = logAt(500, 0)
    move(lacking, { reply: says([log]) })
    expect(await rpc(lacking, 'eth_getLogs', byHash)).toMatchObject({
      result: [log],
      ...cache('miss'),
    })
    // Logs name their block, so they are cached.
    expect(await rpc(lacking, 'eth_getLogs', byHash)).toMatchObject(cache('hit'))
  })

  test('is not cached when the quorum agreed on the header but not on its bloom', async () => {
    const bloomOf = (digit: string) => `0x${digit.repeat(512)}`
    const world = worldOf(
      ['1', '2', '4'].map((digit) => ({ bloom: () => bloomOf(digit), reply: says([]) })),
      { quorum: 2 },
    )
    await rpc(world, 'eth_blockNumber')
    const atHead = [{ blockHash: hashOf(1000) }]
    await rpc(world, 'eth_getLogs', atHead)
    expect(await rpc(world, 'eth_getLogs', atHead)).toMatchObject(cache('miss'))
  })

  test('is not cached for a receipt list either', async () => {
    const world = worldOf([says([]), says([]), says([])], { quorum: 2 })
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
    expect(await rpc(world, 'eth_getLogs', range(990, 1001))).toMatchObject({
      error: beyond(1001),
      ms: 0,
    })
    expect(await rpc(world, 'eth_getLogs', range(1001, 'latest'))).toMatchObject({
      error: beyond(1001),
    })
    expect(await rpc(world, 'eth_getLogs', range(1001, 1002))).toMatchObject({ error: beyond(1001) })
    expect(await rpc(world, 'eth_getLogs', range(990, 1000))).toMatchObject({ result: [] })
    expect(requestsOf(world, 'eth_getLogs').length).toBe(2)
  })

  test('is waited for, at most one stall, when a node has shown its last block', async () => {
    const world = worldOf([at(1000), at(1000), at(1001)], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    expect(await rpc(world, 'eth_getLogs', range(1000, 1001))).toMatchObject({
      error: beyond(1001),
      ms: 750,
    })
    const answer = begin(world, 'eth_getLogs', range(1000, 1001))
    await world.clock.advance(300)
    move(world, { head: 1001 })
    expect(await until(world, answer)).toMatchObject({ result: [] })
    expect((await answer.done).ms).toBeLessThan(700)
  })

  test('that runs backwards is invalid, and nothing is waited for', async () => {
    const world = worldOf([at(1000), at(1000), at(1002)], { quorum: 2 })
    for (const [from, to] of [
      [900, 800],
      [1002, 1001],
      [9000, 8000],
    ] as const)
      expect(await rpc(world, 'eth_getLogs', range(from, to))).toMatchObject({
        error: { code: -32602, message: 'invalid block range params' },
        ms: 0,
      })
  })
})

describe('a range that every node refuses without a word that we know', () => {
  const [from, to] = [900, 903]
  const wide = [{ fromBlock: hex(from), toBlock: hex(to) }]
  /** Takes two blocks at a time. */
  const takesTwo =
    (refusal: Reply): Reply =>
    (received) => {
      const { fromBlock, toBlock } = received.params[0] as { fromBlock: string; toBlock: string }
      const isLong = Number(toBlock) - Number(fromBlock) > 1
      return isLong ? refusal(received) : says([logAt(Number(fromBlock), 0)])(received)
    }

  test.each([
    ['a bare HTTP 413', answersHttp(413)],
    ['a bare HTTP 504', answersHttp(504, '<html>Gateway Timeout</html>')],
    ['an HTTP 408', answersHttp(408)],
    ['odd words', fails(-32099, 'the hamster has left its wheel')],
  ])('is halved before its caller is told: %s', async (_, refusal) => {
    const world = worldOf([takesTwo(refusal), takesTwo(refusal), takesTwo(refusal)], { quorum: 2 })
    const { result } = await rpc(world, 'eth_getLogs', wide)
    expect((result as { blockNumber: string }[]).map(({ blockNumber }) => Number(blockNumber))).toEqual([
      900, 902,
    ])
  })

  test.each([
    ['a bare HTTP 504', answersHttp(504), 31],
    ['odd words', fails(-32099, 'the hamster has left its wheel'), 3],
  ])('costs a bounded number of requests where no part is taken: %s', async (_, refusal, most) => {
    const world = worldOf([refusal, refusal], { quorum: 2 })
    const answer = await rpc(world, 'eth_getLogs', [{ fromBlock: hex(1), toBlock: hex(900) }])
    expect(answer).toMatchObject(noQuorum())
    const ofOne = requestsOf(world, 'eth_getLogs').filter(({ node }) => node === 'a')
    expect(ofOne.length).toBeLessThanOrEqual(most)
  })
})
