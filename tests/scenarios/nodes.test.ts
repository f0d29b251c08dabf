import { describe, expect, test } from 'vitest'
import { ask, begin, callOf, post, until } from '../support/ask.ts'
import { answersBody, fails, hangs, inTurn, late, type Reply, says } from '../support/replies.ts'
import { blockAt, type Fork, hex } from '../support/scripted-chain.ts'
import { asked, asksOf, type Script, type World, worldOf } from '../support/world.ts'

const [A, B] = ['0xa', '0xb'] as const
/** An account that nobody else asks for: a fixed read at the head tells how well a node is. */
const at = (turn: number) => [`0x${hex(turn).slice(2).padStart(40, '0')}`, 'latest']
const broken = fails(-32099, 'broken')
const nodeOf = (world: World, name: string) =>
  world.gateway.snapshot().chains[0]?.nodes.find((node) => node.name === name)
const stateOf = (world: World, name: string) => nodeOf(world, name)?.state

/** Who is asked first for a balance that nobody has asked for yet. */
let turn = 0
const firstAsked = async (world: World): Promise<string> => {
  await ask(world, 'eth_getBalance', at(1000 + turn++))
  return asked(world).slice(0, 1)
}

describe('a node of another chain', () => {
  test('never votes, rests, and counts in the total all the same', async () => {
    const world = worldOf([{ chainId: 5, reply: says(B) }, says(A), says(A)], { quorum: 2 })
    const answer = await ask(world, 'eth_getBalance')
    expect(answer).toMatchObject({ result: A, ms: 0, headers: { 'x-quorate-agreement': '2/2/3' } })
    expect(world.asks.filter(({ node, method }) => node === 'a' && method !== 'eth_chainId')).toEqual([])
    expect(nodeOf(world, 'a')).toMatchObject({
      state: 'resting',
      why: expect.stringContaining('another chain'),
    })
  })

  test('is not what a node is that talks nonsense when asked: it may vote once it has said its chain', async () => {
    const world = worldOf(
      [{ reply: says(A), on: { eth_chainId: inTurn(says('nonsense'), says('0x1')) } }, says(A)],
      {
        quorum: 1,
      },
    )
    expect(await firstAsked(world)).toBe('b')
    for (let second = 0; second < 5; second++) {
      await world.clock.advance(1000)
      await ask(world, 'eth_blockNumber')
    }
    expect([await firstAsked(world), stateOf(world, 'a')]).toEqual(['a', 'usable'])
  })

  test('is asked again for its chain after a while, and serves when that is right', async () => {
    const world = worldOf([{ chainId: 5, reply: says(A) }, says(A), says(A)], { quorum: 2 })
    await firstAsked(world)
    Object.assign(world.nodes.a ?? {}, { chainId: 1 })
    for (let second = 0; second < 100; second++) {
      await world.clock.advance(1000)
      await ask(world, 'eth_blockNumber')
    }
    expect(stateOf(world, 'a')).toBe('usable')
    expect(await firstAsked(world)).toBe('a')
  })

  test('is found out within the hour, when a node changes its chain', async () => {
    const world = worldOf([says(A), says(A), says(A)], { quorum: 2 })
    await firstAsked(world)
    Object.assign(world.nodes.a ?? {}, { chainId: 5 })
    await world.clock.advance(3_600_000)
    await firstAsked(world)
    await firstAsked(world)
    expect(stateOf(world, 'a')).toBe('resting')
  })
})

describe('a node with our chain’s id and another genesis', () => {
  const strange = { name: 'strange', from: 0 }
  /** Block 0 of another chain, and ours from there on. */
  const foreign = (genesis: () => Reply): Script => ({
    reply: says(B),
    on: {
      eth_getBlockByNumber: (heard) =>
        heard.params[0] === '0x0' ? genesis()(heard) : says(blockAt(1000))(heard),
    },
  })
  const of = (fork: Fork | null) => () => says(blockAt(0, fork))
  const genesisAsks = (world: World) =>
    world.asks
      .filter(({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === '0x0')
      .map(({ node }) => node)
      .sort()
      .join('')
  const seen = async (world: World) => {
    await ask(world, 'eth_blockNumber')
    await world.clock.advance(1)
  }

  test('rests as soon as more than half of all weight shows the same one, and votes no more', async () => {
    const world = worldOf([foreign(of(strange)), says(A), says(A)], { quorum: 2 })
    await seen(world)
    expect(nodeOf(world, 'a')).toMatchObject({
      state: 'resting',
      why: expect.stringContaining('another chain'),
    })
    await ask(world, 'eth_getBalance')
    expect(asked(world)).toBe('b@0 c@0')
  })

  test('is not judged where no genesis has more than half of all weight', async () => {
    const world = worldOf([foreign(of(strange)), says(A)], { quorum: 1 })
    await seen(world)
    expect([stateOf(world, 'a'), stateOf(world, 'b')]).toEqual(['usable', 'usable'])
  })

  test.each([
    ['has none any more', () => says(null)],
    ['will not say', () => fails(-32000, 'pruned')],
    ['talks nonsense', () => says('nonsense')],
    ['shows another block', () => says(blockAt(7))],
  ])('is not what a node is that %s', async (_, genesis) => {
    const world = worldOf([foreign(genesis), says(A), says(A)], { quorum: 2 })
    await seen(world)
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('is looked for once an hour', async () => {
    const world = worldOf([foreign(of(null)), says(A), says(A)], { quorum: 2 })
    await seen(world)
    await world.clock.advance(3_500_000)
    await seen(world)
    expect(genesisAsks(world)).toBe('abc')
    await world.clock.advance(100_000)
    await seen(world)
    expect(genesisAsks(world)).toBe('aabbcc')
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('serves again when it has moved to our chain', async () => {
    let fork: Fork | null = strange
    const world = worldOf([foreign(() => says(blockAt(0, fork))), says(A), says(A)], { quorum: 2 })
    await seen(world)
    expect(stateOf(world, 'a')).toBe('resting')
    fork = null
    await world.clock.advance(3_600_000)
    await seen(world)
    await seen(world)
    expect(stateOf(world, 'a')).toBe('usable')
  })
})

describe('a breaker', () => {
  test('opens at the third fault in a row', async () => {
    const world = worldOf([broken, says(A)], { quorum: 1 })
    expect([await firstAsked(world), await firstAsked(world), await firstAsked(world)]).toEqual([
      'a',
      'a',
      'a',
    ])
    expect(stateOf(world, 'a')).toBe('open')
    expect(await firstAsked(world)).toBe('b')
  })

  test('stays closed where an answer comes between', async () => {
    const world = worldOf([inTurn(broken, broken, says(A), broken, broken, says(A)), says(A)], { quorum: 1 })
    for (let turn = 0; turn < 6; turn++) expect(await firstAsked(world)).toBe('a')
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('closes when the node shows its head again', async () => {
    const world = worldOf([inTurn(broken, broken, broken, says(A)), says(A), says(A)], { quorum: 2 })
    for (let turn = 0; turn < 3; turn++) await firstAsked(world)
    expect(stateOf(world, 'a')).toBe('open')
    for (let turn = 0; turn < 5; turn++) {
      await world.clock.advance(2100)
      await ask(world, 'eth_blockNumber')
    }
    expect(stateOf(world, 'a')).toBe('usable')
    expect(await firstAsked(world)).toBe('a')
  })

  test('learns of a node that shows its head but hangs at calls, however sparse they are', async () => {
    const world = worldOf([hangs, says(A), says(A)], { quorum: 2 })
    let waited = 0
    for (let turn = 0; turn < 40; turn++) {
      const { result, ms } = await ask(world, 'eth_getBalance', at(turn))
      expect(result).toBe(A)
      if (ms > 0) waited++
      await world.clock.advance(3000)
    }
    expect(waited).toBeLessThanOrEqual(10)
  })

  test('keeps nobody from being asked who is needed', async () => {
    const world = worldOf([inTurn(broken, broken, broken, says(A)), says(A)], { quorum: 2 })
    for (let turn = 0; turn < 4; turn++) await ask(world, 'eth_getBalance', at(turn))
    expect(await ask(world, 'eth_getBalance')).toMatchObject({ result: A })
    expect(asked(world)).toMatch(/a@0/)
  })
})

describe('a budget', () => {
  test('of asks in flight: who has no more is asked last', async () => {
    const world = worldOf([{ reply: late(500, says(A)), inFlightMax: 2 }, says(A)], { quorum: 1 })
    await ask(world, 'eth_blockNumber')
    const first = begin(world, 'eth_getBalance', at(1))
    const second = begin(world, 'eth_getBalance', at(2))
    await world.clock.advance(1)
    expect(await ask(world, 'eth_getBalance', at(3))).toMatchObject({ ms: 0 })
    expect(asked(world)).toBe('b@0')
    await Promise.all([until(world, first), until(world, second)])
    expect(await firstAsked(world)).toBe('a')
  })

  test('of asks in flight is never overdrawn: who comes too much at once waits, and being busy is no fault', async () => {
    const world = worldOf([{ reply: late(100, says(A)), inFlightMax: 3 }], { quorum: 1 })
    await ask(world, 'eth_blockNumber')
    const calls = Array.from({ length: 7 }, (_, each) => begin(world, 'eth_getBalance', at(each)))
    const inFlight = () =>
      world.asks.filter(({ method, end }) => method === 'eth_getBalance' && end === null).length
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

  test.each([
    ['alone', 1],
    ['in batches', 20],
  ])('of asks in flight keeps no look at the head waiting (calls travel %s)', async (_, batchCallsMax) => {
    const roundTripMs = 100
    const script: Script = {
      inFlightMax: 16,
      batchCallsMax,
      reply: late(roundTripMs, says(A)),
      on: { eth_getBlockByNumber: late(roundTripMs, says(blockAt(1000))) },
    }
    const world = worldOf([script, script, script], { quorum: 2, headMaxAgeMs: 1000 })
    await ask(world, 'eth_blockNumber')
    const calls = Array.from({ length: 3000 }, (_, each) => begin(world, 'eth_getBalance', at(each)))
    const ages: number[] = []
    for (let turn = 0; turn < 30; turn++) {
      await world.clock.advance(100)
      const number = 1000 + turn
      for (const node of Object.values(world.nodes))
        node.on.eth_getBlockByNumber = late(roundTripMs, says(blockAt(number)))
      const shown = await ask(world, 'eth_blockNumber')
      ages.push(number - Number(shown.result))
    }
    // A block a turn: a head that is at most 1,000 ms old when a look starts, and a round trip until it ends.
    expect(Math.max(...ages)).toBeLessThanOrEqual((1000 + 2 * roundTripMs) / 100)
    await Promise.all(calls.map((call) => until(world, call)))
  })

  test('of asks per second', async () => {
    const world = worldOf([{ reply: says(A), perSecond: 4 }, says(A)], { quorum: 1 })
    await ask(world, 'eth_blockNumber')
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
    expect(world.asks.filter(({ node }) => node === 'a').length).toBe(10)
    await world.clock.advance(86_400_000)
    expect(await firstAsked(world)).toBe('a')
  })
})

test('what a look no longer waits for is not heard, though the transport delivers it', async () => {
  const dawdler: Script = {
    stallMs: 100,
    isDeaf: true,
    on: { eth_getBlockByNumber: late(300, says(blockAt(1005))) },
  }
  const world = worldOf([says(A), dawdler], { quorum: 1 })
  expect(await ask(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
  await world.clock.advance(400)
  expect(await ask(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
  // Silent at the look at the head. It was waited for at the look at finality, and that answer alone counts.
  const told = world.events.flatMap((event) =>
    event.type === 'ask' && event.node === 'b' ? [event.outcome] : [],
  )
  expect(told).toEqual(['fault', 'answer'])
})

test('the parts of a long range count as well', async () => {
  const parts: Reply = (heard) => {
    const { fromBlock, toBlock } = heard.params[0] as { fromBlock: string; toBlock: string }
    const isLong = Number(toBlock) - Number(fromBlock) >= 10
    return isLong ? fails(-32005, 'block range too large')(heard) : says([])(heard)
  }
  const world = worldOf([{ reply: parts, perDay: 12 }, says([])], { quorum: 1, headMaxAgeMs: 600_000 })
  await ask(world, 'eth_getLogs', [{ fromBlock: hex(1), toBlock: hex(30) }])
  expect(asksOf(world).filter(({ node }) => node === 'a').length).toBeGreaterThan(4)
  for (let turn = 0; turn < 20; turn++) await firstAsked(world)
  expect(world.asks.filter(({ node }) => node === 'a').length).toBe(12)
})

describe('a node that dissents', () => {
  const dissent = async (world: World, method: string, times: number) => {
    for (let turn = 0; turn < times; turn++) {
      await world.clock.advance(2100)
      for (const node of Object.values(world.nodes)) node.head++
      await world.gateway.refresh(0)
      await ask(world, method)
    }
  }

  test('from more than half of all weight, on what no caller can forge, is benched', async () => {
    const world = worldOf([says(B), says(A), says(A)], { quorum: 2 })
    await dissent(world, 'eth_getBalance', 3)
    expect(nodeOf(world, 'a')).toMatchObject({ state: 'benched' })
    await ask(world, 'eth_getTransactionCount')
    expect(asked(world)).toBe('b@0 c@0')
    expect(world.events.filter(({ type }) => type === 'dissent').length).toBe(3)
  })

  test('is not, where the winner has no more than half', async () => {
    const world = worldOf([says(B), says(A), says(A), hangs], { quorum: 2 })
    await dissent(world, 'eth_getBalance', 4)
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('is not, over what a caller’s own code makes nodes say', async () => {
    const world = worldOf([says('0x0b'), says('0x0a'), says('0x0a')], { quorum: 2 })
    await dissent(world, 'eth_call', 5)
    expect(stateOf(world, 'a')).toBe('usable')
    expect(world.events.filter(({ type }) => type === 'dissent').length).toBe(5)
  })

  test('once or twice is not', async () => {
    const world = worldOf([inTurn(says(B), says(B), says(A)), says(A), says(A)], { quorum: 2 })
    await dissent(world, 'eth_getBalance', 6)
    expect(stateOf(world, 'a')).toBe('usable')
  })
})

test('an operator takes a node out and puts it back', async () => {
  const world = worldOf([says(A), says(A)], { quorum: 1 })
  expect(world.gateway.cordon(1, 'a', true)).toBe(true)
  expect([stateOf(world, 'a'), await firstAsked(world)]).toEqual(['cordoned', 'b'])
  expect(world.gateway.cordon(1, 'a', false)).toBe(true)
  expect([stateOf(world, 'a'), await firstAsked(world)]).toEqual(['usable', 'a'])
  expect([world.gateway.cordon(1, 'x', true), world.gateway.cordon(2, 'a', true)]).toEqual([false, false])
})

describe('calls of one moment', () => {
  const accounts = [1, 2, 3, 4].map((digit) => `0x${String(digit).repeat(40)}`)
  const batch = accounts.map((each, id) => callOf('eth_getBalance', [each, 'latest'], id))
  const own = ({ params }: { params: readonly unknown[] }) =>
    hex(Number(`0x${String(params[0]).slice(2, 3)}`))
  const results = async (world: World) => {
    const { body } = await post(world, batch)
    return (JSON.parse(body) as { result?: string }[]).map(({ result }) => result)
  }
  const balances: Reply = (heard) => says(own(heard))(heard)

  test('travel to a node that takes batches as one', async () => {
    const world = worldOf([{ reply: balances, batchCallsMax: 10 }], { quorum: 1 })
    expect(await results(world)).toEqual(['0x1', '0x2', '0x3', '0x4'])
    expect(new Set(asksOf(world, 'eth_getBalance').map(({ body }) => body)).size).toBe(1)
  })

  test('travel as several where the node takes fewer at once, and one by one where it takes none', async () => {
    const two = worldOf([{ reply: balances, batchCallsMax: 2 }], { quorum: 1 })
    expect(await results(two)).toEqual(['0x1', '0x2', '0x3', '0x4'])
    expect(new Set(asksOf(two, 'eth_getBalance').map(({ body }) => body)).size).toBe(2)
    const one = worldOf([{ reply: balances }], { quorum: 1 })
    expect(await results(one)).toEqual(['0x1', '0x2', '0x3', '0x4'])
    expect(new Set(asksOf(one, 'eth_getBalance').map(({ body }) => body)).size).toBe(4)
  })

  const spoilt: Readonly<Record<string, (objects: readonly string[]) => string>> = {
    'in another order': (objects) => `[${[...objects].reverse().join()}]`,
    'one short': (objects) => `[${objects.slice(1).join()}]`,
    'one of them twice': (objects) => `[${objects.join()},${objects[0]?.replace(/"0x\d"/, '"0x9"')}]`,
    'with one that is none': (objects) => `[${objects.slice(1).join()},{"id":1}]`,
    'cut off': (objects) => `[${objects.join()}`,
    'as one object': (objects) => String(objects[0]),
    empty: () => '[]',
  }
  test.each(Object.entries(spoilt))(
    'get no other call’s answer, when a batch comes back %s',
    async (how, spoil) => {
      const world = worldOf([{ reply: balances, batchCallsMax: 10 }, balances], { quorum: 1 })
      await ask(world, 'eth_blockNumber')
      const node = world.nodes.a as NonNullable<(typeof world.nodes)[string]>
      node.on.eth_getBalance = answersBatch(spoil)
      expect(await results(world)).toEqual(['0x1', '0x2', '0x3', '0x4'])
      const faults = world.events.filter(
        (event) => event.type === 'ask' && event.node === 'a' && event.outcome === 'fault',
      )
      // Each call is asked once more, alone, and alone one object is what it should be.
      expect(faults.length > 0).toBe(how !== 'in another order' && how !== 'as one object')
    },
  )

  function answersBatch(spoil: (objects: readonly string[]) => string): Reply {
    return (heard) => {
      const calls = heard.batch ?? [heard]
      const objects = calls.map((each) => `{"jsonrpc":"2.0","id":${each.id},"result":"${own(each)}"}`)
      return answersBody(() => spoil(objects))(heard)
    }
  }
})

test('a node is told no more than the call, and may answer no more than the cap', async () => {
  const world = worldOf([says(A)], { quorum: 1, limits: { answerBytesMax: 4096 } })
  await ask(world, 'eth_getBalance')
  const [only] = asksOf(world)
  expect(only).toMatchObject({ bytesMax: 4096, headers: { 'content-type': 'application/json' } })
  expect(Object.keys(JSON.parse(only?.body ?? '') as object).sort()).toEqual([
    'id',
    'jsonrpc',
    'method',
    'params',
  ])
})
