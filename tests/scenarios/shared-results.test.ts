import { describe, expect, test } from 'vitest'
import type { ResultPeers } from '#rpc-proxy'
import { ask } from '../support/ask.ts'
import { says } from '../support/replies.ts'
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
    find: async ({ chain, key }) => kept.get(`${chain} ${key}`) ?? null,
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
