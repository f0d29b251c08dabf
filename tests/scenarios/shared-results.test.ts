import { describe, expect, test } from 'vitest'
import type { ResultPeers } from '#rpc-proxy'
import { ask } from '../support/ask.ts'
import { fails, says } from '../support/replies.ts'
import { hex } from '../support/scripted-chain.ts'
import { asked, type Script, type World, type WorldOptions, worldOf } from '../support/world.ts'

const account = `0x${'ac'.repeat(20)}`
const final = [account, hex(900)]
const latest = [account, 'latest']

/** What engines keep for each other, as a host would. A test may change what is in it. */
function memory() {
  const kept = new Map<string, string>()
  const keeps: string[] = []
  const results: ResultPeers = {
    findOrLead: async ({ chain, key }) => ({
      text: kept.get(`${chain} ${key}`) ?? null,
      isAwaited: false,
      onEnd: () => {},
    }),
    keep({ chain, key }, text) {
      keeps.push(key)
      kept.set(`${chain} ${key}`, text)
    },
  }
  const change = (fields: object) => {
    for (const [key, text] of kept) kept.set(key, JSON.stringify({ ...JSON.parse(text), ...fields }))
  }
  return { kept, keeps, results, change }
}

const names = ['a', 'b', 'c', 'd', 'e']
/** Engines with the same five nodes, of which three must agree, and one memory. */
function engines(count: number, script: Partial<Script> = {}, options: WorldOptions = {}) {
  const shared = memory()
  const worlds = Array.from({ length: count }, () =>
    worldOf(
      names.map((name) => ({ name, reply: says('0x1'), finalized: 936, ...script })),
      { quorum: 3, results: shared.results, ...options },
    ),
  )
  return { ...shared, worlds: worlds as [World, World, ...World[]] }
}
/** The first read makes a world know its head and finality. */
const settle = (world: World) => ask(world, 'eth_getTransactionCount', [account, 'finalized'])
const facts = ({ headers, result }: Awaited<ReturnType<typeof ask>>) => [
  result,
  headers['x-quorate-cache'],
  headers['x-quorate-agreement'],
  headers['x-quorate-answer'],
]

describe('a result that another engine has agreed on', () => {
  test.each([
    ['of a final block', final],
    ['of the head', latest],
  ])('%s is returned with its evidence, and no node is asked', async (_, params) => {
    const { worlds } = engines(3)
    const [one, ...others] = worlds
    await settle(one)
    const first = await ask(one, 'eth_getBalance', params)
    expect(asked(one)).toBe('a@0 b@0 c@0')
    for (const other of others) {
      await settle(other)
      const found = await ask(other, 'eth_getBalance', params)
      expect(asked(other)).toBe('')
      expect(facts(found)).toEqual([first.result, 'hit', ...facts(first).slice(2)])
      expect(facts(await ask(other, 'eth_getBalance', params)).slice(0, 2)).toEqual([first.result, 'hit'])
    }
  })

  test('is of no use at another head, nor under another key', async () => {
    const { worlds } = engines(2)
    const [one, other] = worlds
    await ask(one, 'eth_getBalance', latest)
    for (const node of Object.values(other.nodes)) node.head = 1001
    expect(facts(await ask(other, 'eth_getBalance', latest))[1]).toBe('miss')
    expect(facts(await ask(other, 'eth_getTransactionCount', latest))[1]).toBe('miss')
  })

  test('is of no use to an engine with other nodes, or other weights', async () => {
    const shared = memory()
    const world = (weight: number) =>
      worldOf(
        names.map((name) => ({ name, weight, reply: says('0x1') })),
        { quorum: 3 * weight, results: shared.results },
      )
    const [one, other] = [world(1), world(2)]
    await ask(one, 'eth_getBalance', latest)
    expect(facts(await ask(other, 'eth_getBalance', latest))[1]).toBe('miss')
  })

  test('that three agreed on is not enough where four must', async () => {
    const shared = memory()
    const world = (quorum: number) =>
      worldOf(
        names.map((name) => ({ name, reply: says('0x1') })),
        { quorum, results: shared.results },
      )
    const [three, four] = [world(3), world(4)]
    await ask(three, 'eth_getBalance', latest)
    expect(facts(await ask(four, 'eth_getBalance', latest)).slice(1, 3)).toEqual(['miss', '4/4/5'])
  })

  test('does not rest on an operator that is cordoned here, nor on one that ever was distrusted here', async () => {
    const { worlds } = engines(3)
    const [one, cordoning, before] = worlds as [World, World, World]
    await ask(one, 'eth_getBalance', latest)
    await ask(cordoning, 'eth_blockNumber')
    cordoning.gateway.cordon(1, 'a', true)
    expect(facts(await ask(cordoning, 'eth_getBalance', latest))[1]).toBe('miss')
    before.gateway.cordon(1, 'b', true)
    before.gateway.cordon(1, 'b', false)
    expect(facts(await ask(before, 'eth_getBalance', latest))[1]).toBe('miss')
  })

  test('ends when it would have ended where it was found: engines do not keep it alive for each other', async () => {
    const { worlds, keeps, kept } = engines(2)
    const [one, other] = worlds
    await settle(one)
    await ask(one, 'eth_getBalance', final)
    const until = JSON.parse([...kept.values()].at(-1) ?? '{}').untilMs as number
    expect(until - one.clock.now()).toBeGreaterThan(500_000)
    await settle(other)
    await other.clock.advance(until - other.clock.now() - 1_000)
    const before = keeps.length
    expect(facts(await ask(other, 'eth_getBalance', final))[1]).toBe('hit')
    expect(keeps).toHaveLength(before)
    await other.clock.advance(2_000)
    await settle(other)
    expect(facts(await ask(other, 'eth_getBalance', final))[1]).toBe('miss')
  })

  test.each([
    ['a longer life than any', { untilMs: 9_999_999_999_999 }],
    ['no end', { untilMs: null }],
    ['too few operators', { operators: 0b11 }],
    ['operators that are none', { operators: 'all' }],
    ['another head', { head: `0x${'12'.repeat(32)}` }],
    ['another chain', { evidence: { id: 'x', chainId: 2 } }],
    ['no evidence', { evidence: null }],
  ])('with %s is dropped, and nodes are asked', async (_, fields) => {
    const { worlds, change } = engines(2)
    const [one, other] = worlds
    await ask(one, 'eth_getBalance', latest)
    change(fields)
    expect(facts(await ask(other, 'eth_getBalance', latest)).slice(0, 2)).toEqual(['0x1', 'miss'])
  })
})

describe('a read that another engine sends to nodes', () => {
  const wide = [{ fromBlock: hex(900), toBlock: hex(930) }]
  /** Engines that read in turn: what came of it is what the next one waits for. */
  function inTurn(script: Partial<Script> = {}) {
    const waits: number[] = []
    const ends: (string | null)[] = []
    let world: World | null = null
    const results: ResultPeers = {
      async findOrLead(_, untilMs) {
        waits.push(untilMs - (world?.clock.now() ?? 0))
        const text = ends.at(-1) ?? null
        return { text, isAwaited: text !== null, onEnd: (textOf) => void ends.push(textOf()) }
      },
      keep: () => {},
    }
    const start = () => {
      world = worldOf(
        names.map((name) => ({ name, reply: says([]), finalized: 936, ...script })),
        { quorum: 3, results, deadlineMs: 8_000 },
      )
      return world
    }
    return { start, waits, ends }
  }

  test.each([
    ['logs', 'eth_getLogs', wide],
    ['a balance', 'eth_getBalance', final],
  ])('%s: an engine waits for another for half of its time', async (_, method, params) => {
    const { start, waits } = inTurn()
    const world = start()
    await ask(world, 'eth_blockNumber')
    await ask(world, method, params)
    expect(waits).toEqual([4_000])
  })

  test('is not waited for where nothing is ever kept of it: a pending nonce', async () => {
    const { start, waits } = inTurn({ reply: says('0x1') })
    const world = start()
    await ask(world, 'eth_blockNumber')
    await ask(world, 'eth_getTransactionCount', [account, 'latest'])
    expect(waits).toHaveLength(1)
    await ask(world, 'eth_getTransactionCount', [account, 'pending'])
    expect(waits).toHaveLength(1)
  })

  test('is returned by who waited for it, though it is not kept, and no node is asked again', async () => {
    const { start, ends } = inTurn()
    const [one, two] = [start(), start()]
    for (const world of [one, two]) await ask(world, 'eth_blockNumber')
    const first = await ask(one, 'eth_getLogs', wide)
    expect([first.result, ends.length]).toEqual([[], 1])
    const second = await ask(two, 'eth_getLogs', wide)
    expect(asked(two)).toBe('')
    expect(facts(second)).toEqual([first.result, 'shared', ...facts(first).slice(2)])
    // It was of its moment: a second later nobody has it.
    await two.clock.advance(5_000)
    await ask(two, 'eth_blockNumber')
    expect(facts(await ask(two, 'eth_getLogs', wide))[1]).toBe('miss')
  })

  test('that fails lets the others read', async () => {
    const { start, ends } = inTurn({ reply: fails(-32000, 'try again') })
    const world = start()
    await ask(world, 'eth_blockNumber')
    expect((await ask(world, 'eth_getLogs', wide)).error).toBeDefined()
    expect(ends).toEqual([null])
  })
})
