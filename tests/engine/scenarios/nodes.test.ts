import { describe, expect, test } from 'vitest'
import type { SendFault } from '#rpc-proxy'
import { begin, callOf, post, rpc, until } from '../../support/gateway-calls.ts'
import {
  answersBody,
  fails,
  hangs,
  inTurn,
  late,
  type Reply,
  says,
  sendFault,
} from '../../support/replies.ts'
import { blockAt, type Fork, hex } from '../../support/scripted-chain.ts'
import {
  move,
  nodeOf,
  requestsOf,
  type Script,
  sends,
  stateOf,
  statesOf,
  type World,
  worldOf,
} from '../../support/world.ts'
import { agreement, eventsOf, noQuorum, pollHeads, readsBlocks, uncached } from '../support/outcomes.ts'

const [A, B] = ['0xa', '0xb'] as const
const broken = fails(-32099, 'broken')

/** A node that says so which chain it serves. */
const naming = (chainId: Reply): Script => ({ reply: says(A), on: { eth_chainId: chainId } })
const onAnotherChain = { state: 'rate-limited', why: expect.stringContaining('another chain') }

/** The node that is asked first for an uncached balance. */
let turn = 0
const firstAsked = async (world: World): Promise<string> => {
  await rpc(world, 'eth_getBalance', uncached(1000 + turn++))
  return sends(world).slice(0, 1)
}

describe('a node of another chain', () => {
  test('never votes and rests, but its weight counts; it is asked for its chain id later, and serves when that is right', async () => {
    const world = worldOf([{ chainId: 5, reply: says(A) }, says(A), says(A)], { quorum: 2 })
    const answer = await rpc(world, 'eth_getBalance')
    expect(answer).toMatchObject({ result: A, ms: 0, ...agreement('2/2/3') })
    expect(world.requests.filter(({ node, method }) => node === 'a' && method !== 'eth_chainId')).toEqual([])
    expect(nodeOf(world, 'a')).toMatchObject(onAnotherChain)
    move(world, { chainId: 1 }, ['a'])
    await pollHeads(world, 100, 1000)
    expect(stateOf(world, 'a')).toBe('usable')
    expect(await firstAsked(world)).toBe('a')
  })

  test('that hangs before it has said its chain keeps no slot for calls that are given up: it is asked again', async () => {
    const hanging: Script = { reply: hangs, on: { eth_chainId: hangs }, inFlightMax: 1 }
    const world = worldOf([hanging, says(A), says(A)], { quorum: 2 })
    for (const call of [1, 2])
      expect(await rpc(world, 'eth_getBalance', uncached(call))).toMatchObject({ result: A, ms: 750 })
  })

  test('that is slow to say its chain is waited for as long as a call may last', async () => {
    const slow = naming(late(6000, says('0x1')))
    const world = worldOf([slow, slow], { quorum: 2, deadlineMs: 20_000 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
  })

  test('that takes longer than one call to say its chain serves those that follow', async () => {
    const slow = naming(late(4000, says('0x1')))
    const world = worldOf([slow, slow], { quorum: 2, deadlineMs: 2000 })
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ ...noQuorum(), ms: 2000 })
    await world.clock.advance(2000)
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
  })

  test('is not assumed from a malformed chain id: the node may vote after a valid one', async () => {
    const nonsense = says('nonsense')
    const world = worldOf([naming(inTurn(nonsense, nonsense, says('0x1'))), says(A)], { quorum: 1 })
    expect(await firstAsked(world)).toBe('b')
    await pollHeads(world, 5, 1000)
    expect([await firstAsked(world), stateOf(world, 'a')]).toEqual(['a', 'usable'])
  })

  test('nor from a connection that is lost at the first contact: the node is in use', async () => {
    const first = naming(inTurn(sendFault('connection-reset'), says('0x1')))
    const world = worldOf([first, says(A), says(A)], { quorum: 2 })
    await post(world, [callOf('eth_getBalance', uncached(1)), callOf('eth_getBalance', uncached(2), 2)])
    expect(eventsOf(world, 'node-state')).toEqual([])
  })

  test('is detected within an hour after a node changes its chain', async () => {
    const world = worldOf([says(A), says(A), says(A)], { quorum: 2 })
    await firstAsked(world)
    move(world, { chainId: 5 }, ['a'])
    await world.clock.advance(3_600_000)
    await firstAsked(world)
    await firstAsked(world)
    expect(stateOf(world, 'a')).toBe('rate-limited')
  })
})

const unblamed = { state: 'usable', faults: { 'too-many-files': 5 } }
const unreachable = { state: 'open', why: 'failed too often: connection-refused' }
test.each<[string, SendFault['kind'], object]>([
  ['a process without files to open blames no node', 'too-many-files', unblamed],
  ['a node that cannot be reached says why in its state', 'connection-refused', unreachable],
])('%s', async (_, fault, expected) => {
  const world = worldOf([sendFault(fault), says(A)], { quorum: 1 })
  for (let turn = 0; turn < 5; turn++) await rpc(world, 'eth_getBalance', uncached(turn))
  expect(nodeOf(world, 'a')).toMatchObject(expected)
})

describe('a node with our chain’s id and another genesis', () => {
  const strange = { name: 'strange', from: 0 }
  /** Block 0 of another chain, and our blocks after it. */
  const foreign = (genesis: () => Reply): Script => ({
    reply: says(B),
    on: {
      eth_getBlockByNumber: (received) =>
        received.params[0] === '0x0' ? genesis()(received) : says(blockAt(1000))(received),
    },
  })
  const of = (fork: Fork | null) => () => says(blockAt(0, fork))
  const genesisAsks = ({ requests }: World) =>
    requests.flatMap(({ node, params: [block] }) => (block === '0x0' ? [node] : [])).sort()
  const seen = async (world: World) => {
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(1)
  }

  test('rests as soon as more than half of all weight shows the same genesis, until one of those is cordoned', async () => {
    const world = worldOf([foreign(of(strange)), says(A), says(A), says(A)], { quorum: 2 })
    await seen(world)
    expect(nodeOf(world, 'a')).toMatchObject(onAnotherChain)
    await rpc(world, 'eth_getBalance')
    expect(sends(world)).toBe('b@0 c@0')
    world.gateway.cordon(1, 'b', true)
    expect(stateOf(world, 'a')).toBe('usable')
    await seen(world)
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test.each<[string, readonly (Reply | Script)[]]>([
    ['only two operators show another: they may be the liars', [foreign(of(strange)), says(A), says(A)]],
    ['no genesis has more than half of all weight', [foreign(of(strange)), says(A)]],
    ['it no longer has a genesis', [foreign(() => says(null)), says(A), says(A)]],
    ['it refuses to show its genesis', [foreign(() => fails(-32000, 'pruned')), says(A), says(A)]],
    ['it returns a malformed genesis', [foreign(() => says('nonsense')), says(A), says(A)]],
    ['it shows another block', [foreign(() => says(blockAt(7))), says(A), says(A)]],
  ])('stays usable where %s', async (_, scripts) => {
    const world = worldOf(scripts, { quorum: scripts.length - 1 })
    await seen(world)
    expect(new Set(statesOf(world))).toEqual(new Set(['usable']))
  })

  test('is checked once an hour', async () => {
    const world = worldOf([foreign(of(null)), says(A), says(A)], { quorum: 2 })
    await seen(world)
    await world.clock.advance(3_500_000)
    await seen(world)
    expect(genesisAsks(world)).toEqual([...'abc'])
    await world.clock.advance(100_000)
    await seen(world)
    expect(genesisAsks(world)).toEqual([...'aabbcc'])
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('serves again when it has moved to our chain', async () => {
    let fork: Fork | null = strange
    const world = worldOf([foreign(() => says(blockAt(0, fork))), says(A), says(A), says(A)], { quorum: 2 })
    await seen(world)
    expect(stateOf(world, 'a')).toBe('rate-limited')
    fork = null
    await world.clock.advance(3_600_000)
    await seen(world)
    await seen(world)
    expect(stateOf(world, 'a')).toBe('usable')
  })
})

describe('a breaker', () => {
  test('stays closed when an answer comes in between', async () => {
    const world = worldOf([inTurn(broken, broken, says(A), broken, broken, says(A)), says(A)], { quorum: 1 })
    for (let turn = 0; turn < 6; turn++) expect(await firstAsked(world)).toBe('a')
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('opens at the third fault in a row, and closes when the node shows its head again', async () => {
    const world = worldOf([inTurn(broken, broken, broken, says(A)), says(A), says(A)], { quorum: 2 })
    for (const node of ['a', 'a', 'a', 'b']) expect(await firstAsked(world)).toBe(node)
    expect(stateOf(world, 'a')).toBe('open')
    await pollHeads(world, 5, 2100)
    expect(stateOf(world, 'a')).toBe('usable')
    expect(await firstAsked(world)).toBe('a')
  })

  test('opens for a node that shows its head but hangs on calls, even with few calls', async () => {
    const world = worldOf([hangs, says(A), says(A)], { quorum: 2 })
    let waited = 0
    for (let turn = 0; turn < 40; turn++) {
      const { result, ms } = await rpc(world, 'eth_getBalance', uncached(turn))
      expect(result).toBe(A)
      if (ms > 0) waited++
      await world.clock.advance(3000)
    }
    expect(waited).toBeLessThanOrEqual(10)
  })

  test('does not exclude a node that the quorum needs', async () => {
    const world = worldOf([inTurn(broken, broken, broken, says(A)), says(A)], { quorum: 2 })
    for (let turn = 0; turn < 4; turn++) await rpc(world, 'eth_getBalance', uncached(turn))
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
    expect(sends(world)).toMatch(/a@0/)
  })
})

describe('a budget', () => {
  test('of requests in flight: a node without a free place is asked last', async () => {
    const world = worldOf([{ reply: late(500, says(A)), inFlightMax: 2 }, says(A)], { quorum: 1 })
    await rpc(world, 'eth_blockNumber')
    const calls = [1, 2].map((each) => begin(world, 'eth_getBalance', uncached(each)))
    await world.clock.advance(1)
    expect(await rpc(world, 'eth_getBalance', uncached(3))).toMatchObject({ ms: 0 })
    expect(sends(world)).toBe('b@0')
    await Promise.all(calls.map((call) => until(world, call)))
    expect(await firstAsked(world)).toBe('a')
  })

  test('of requests in flight is never exceeded: requests wait, and a busy node gets no fault', async () => {
    const world = worldOf([{ reply: late(100, says(A)), inFlightMax: 3 }], { quorum: 1 })
    await rpc(world, 'eth_blockNumber')
    const calls = Array.from({ length: 7 }, (_, each) => begin(world, 'eth_getBalance', uncached(each)))
    const inFlight = () =>
      world.requests.filter(({ method, end }) => method === 'eth_getBalance' && end === null).length
    for (const expected of [3, 3, 1, 0]) {
      await world.clock.advance(50)
      expect(inFlight()).toBe(expected)
      await world.clock.advance(50)
    }
    const answers = await Promise.all(calls.map((call) => until(world, call)))
    expect(answers.map(({ result, ms }) => [result, ms])).toEqual(
      [100, 100, 100, 200, 200, 200, 300].map((ms) => [A, ms]),
    )
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('of asks per second', async () => {
    const world = worldOf([{ reply: says(A), perSecond: 4 }, says(A)], { quorum: 1 })
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(2000)
    const turns: string[] = []
    for (let turn = 0; turn < 6; turn++) turns.push(await firstAsked(world))
    expect(turns.lastIndexOf('a')).toBeLessThan(4)
    expect(turns.at(-1)).toBe('b')
    await world.clock.advance(1000)
    expect(await firstAsked(world)).toBe('a')
  })

  test('of asks per day', async () => {
    const world = worldOf([{ reply: says(A), perDay: 10 }, says(A)], { quorum: 1, headMaxAgeMs: 600_000 })
    const turns: string[] = []
    for (let turn = 0; turn < 15; turn++) turns.push(await firstAsked(world))
    expect(turns.at(-1)).toBe('b')
    expect(world.requests.filter(({ node }) => node === 'a').length).toBe(10)
    await world.clock.advance(86_400_000)
    expect(await firstAsked(world)).toBe('a')
  })
})

test('a reply that a poll has aborted is ignored, even if the transport delivers it', async () => {
  const dawdler: Script = {
    stallMs: 100,
    ignoresAbort: true,
    on: { eth_getBlockByNumber: late(300, says(blockAt(1005))) },
  }
  const world = worldOf([says(A), dawdler], { quorum: 1 })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
  await world.clock.advance(400)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
  // Silent for the head, but answered for finality: only that answer counts.
  const reported = eventsOf(world, 'upstream-request').filter(({ node }) => node === 'b')
  expect(reported.map(({ outcome }) => outcome)).toEqual(['fault', 'result'])
})

test('the parts of a split log range count as well', async () => {
  const parts = readsBlocks(10, fails(-32005, 'block range too large'))
  const world = worldOf([{ reply: parts, perDay: 12 }, says([])], { quorum: 1, headMaxAgeMs: 600_000 })
  await rpc(world, 'eth_getLogs', [{ fromBlock: hex(1), toBlock: hex(30) }])
  expect(requestsOf(world).filter(({ node }) => node === 'a').length).toBeGreaterThan(4)
  for (let turn = 0; turn < 20; turn++) await firstAsked(world)
  expect(world.requests.filter(({ node }) => node === 'a').length).toBe(12)
})

describe('a node that dissents', () => {
  const dissent = async (world: World, method: string, times: number) => {
    for (let turn = 0; turn < times; turn++) {
      await world.clock.advance(2100)
      move(world, { head: 1001 + turn })
      await world.gateway.refresh(0)
      await rpc(world, method)
    }
  }

  const stateAndDissents = (world: World) => [stateOf(world, 'a'), eventsOf(world, 'dissent').length]

  test('from more than half of all weight, on a result that no caller can forge, is ejected', async () => {
    const world = worldOf([says(B), says(A), says(A), says(A)], { quorum: 3 })
    await dissent(world, 'eth_getBalance', 3)
    await rpc(world, 'eth_getTransactionCount')
    expect(sends(world)).toBe('b@0 c@0 d@0')
    expect(stateAndDissents(world)).toEqual(['ejected', 3])
  })

  const ofCode = [says('0x0b'), says('0x0a'), says('0x0a'), says('0x0a')]
  const twice = [inTurn(says(B), says(B), says(A)), says(A), says(A), says(A)]
  test.each<[string, readonly Reply[], number, string, number]>([
    ['when the winner has half or less', [says(B), says(A), says(A), hangs], 2, 'eth_getBalance', 6],
    ['for results of the caller’s own code', ofCode, 3, 'eth_call', 6],
    ['for one or two dissents', twice, 3, 'eth_getBalance', 2],
  ])('is not ejected %s', async (_, replies, quorum, method, dissents) => {
    const world = worldOf(replies, { quorum })
    await dissent(world, method, 6)
    expect(stateAndDissents(world)).toEqual(['usable', dissents])
  })

  const balancesOf = async (world: World, accounts: number) => {
    for (let account = 1; account <= accounts; account++) {
      await world.clock.advance(10)
      await rpc(world, 'eth_getBalance', uncached(account))
    }
  }

  const onBranch = (head: number) => ({ head, fork: { name: 'y', from: head } })

  test.each([
    ['where it shows another one, is not ejected', onBranch(1001), ['usable', 5]],
    ['whose hash it shows as well, is ejected', { head: 1001 }, ['ejected', 3]],
  ])('at one block, %s', async (_, shown, expected) => {
    const world = worldOf([says(B), says(A), says(A), says(A)], { quorum: 3 })
    move(world, { head: 1001 })
    move(world, shown, ['a'])
    await world.gateway.refresh(0)
    await balancesOf(world, 5)
    expect(stateAndDissents(world)).toEqual(expected)
  })

  test('at three blocks, each of which it shows otherwise, is ejected', async () => {
    const world = worldOf([says(B), says(A), says(A), says(A)], { quorum: 3 })
    for (const head of [1001, 1002, 1003]) {
      move(world, { head })
      move(world, onBranch(head), ['a'])
      await world.clock.advance(2100)
      await world.gateway.refresh(0)
      await balancesOf(world, 2)
    }
    expect(stateOf(world, 'a')).toBe('ejected')
  })
})

test('an operator cordons a node and uncordons it', async () => {
  const world = worldOf([says(A), says(A)], { quorum: 1 })
  expect(world.gateway.cordon(1, 'a', true)).toBe(true)
  expect([stateOf(world, 'a'), await firstAsked(world)]).toEqual(['cordoned', 'b'])
  expect(world.gateway.cordon(1, 'a', false)).toBe(true)
  expect([stateOf(world, 'a'), await firstAsked(world)]).toEqual(['usable', 'a'])
  expect([world.gateway.cordon(1, 'x', true), world.gateway.cordon(2, 'a', true)]).toEqual([false, false])
})

describe('simultaneous calls', () => {
  const batch = [1, 2, 3, 4].map((account, id) => callOf('eth_getBalance', uncached(account), id))
  const own = ({ params: [account] }: { params: readonly unknown[] }) => hex(Number(account))
  const results = async (world: World) => {
    const { body } = await post(world, batch)
    return (JSON.parse(body) as { result?: string }[]).map(({ result }) => result)
  }
  const balances: Reply = (received) => says(own(received))(received)

  test.each([
    [10, 1, 'one batch'],
    [2, 2, 'several batches'],
    [1, 4, 'single calls'],
  ])('to a node that accepts %i at once are sent in %i POSTs: %s', async (batchCallsMax, posts) => {
    const world = worldOf([{ reply: balances, batchCallsMax }], { quorum: 1 })
    expect(await results(world)).toEqual(['0x1', '0x2', '0x3', '0x4'])
    expect(new Set(requestsOf(world, 'eth_getBalance').map(({ body }) => body)).size).toBe(posts)
  })
  const corrupted: Readonly<Record<string, (objects: readonly string[]) => string>> = {
    'in another order': (objects) => `[${[...objects].reverse().join()}]`,
    'one short': (objects) => `[${objects.slice(1).join()}]`,
    'with one of them twice': (objects) => `[${objects.join()},${objects[0]?.replace(/"0x\d"/, '"0x9"')}]`,
    'with a malformed one': (objects) => `[${objects.slice(1).join()},{"id":1}]`,
    'cut off': (objects) => `[${objects.join()}`,
    'as one object': (objects) => String(objects[0]),
    empty: () => '[]',
  }
  test.each(Object.entries(corrupted))(
    'never get the answer of another call when a batch comes back %s',
    async (how, spoil) => {
      const world = worldOf([{ reply: balances, batchCallsMax: 10 }, balances], { quorum: 1 })
      await rpc(world, 'eth_blockNumber')
      world.nodes.a!.on.eth_getBalance = (received) => {
        const calls = received.batch ?? [received]
        const objects = calls.map((each) => `{"jsonrpc":"2.0","id":${each.id},"result":"${own(each)}"}`)
        return answersBody(() => spoil(objects))(received)
      }
      expect(await results(world)).toEqual(['0x1', '0x2', '0x3', '0x4'])
      const ofA = eventsOf(world, 'upstream-request').filter(({ node }) => node === 'a')
      // Each call is asked again on its own, where a single object is a valid reply.
      expect(ofA.some(({ outcome }) => outcome === 'fault')).toBe(
        how !== 'in another order' && how !== 'as one object',
      )
    },
  )
})

test('a node receives only the call, and its answer is capped', async () => {
  const world = worldOf([says(A)], { quorum: 1, limits: { answerBytesMax: 4096 } })
  await rpc(world, 'eth_getBalance')
  const [only] = requestsOf(world)
  expect(only).toMatchObject({ bytesMax: 4096, headers: { 'content-type': 'application/json' } })
  expect(Object.keys(JSON.parse(only?.body ?? '')).sort()).toEqual(['id', 'jsonrpc', 'method', 'params'])
})
