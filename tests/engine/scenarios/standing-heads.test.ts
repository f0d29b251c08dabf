import { describe, expect, test } from 'vitest'
import { protect, rpc } from '../../support/gateway-calls.ts'
import { late, type Reply, says } from '../../support/replies.ts'
import { blockAt } from '../../support/scripted-chain.ts'
import { chainOf, move, type Script, type World, worldOf } from '../../support/world.ts'
import { witnesses } from '../support/outcomes.ts'

const balances: Reply = (received) => says(received.params[1])(received)

/** Chain 137 as shipped: four voters of weight 2, 1, 1 and 1, and three witnesses. */
const polygon = (): World => {
  const one: Script = { reply: balances }
  const nodes = [{ ...one, weight: 2 }, one, one, one, ...witnesses(3, one)]
  return worldOf(nodes, { chainId: 137, headMaxAgeMs: 1000, operatorsMin: 2 })
}

/**
 * A block every two seconds, or as often as this, at all nodes but these, and a caller every half second: how many blocks its
 * answers were behind those who follow the chain.
 */
async function follow(
  world: World,
  standing: string,
  { seconds = 0, everyMs = 2000, options = {}, isBesideProtected = false },
) {
  const seen: { readonly behind: number; readonly isThin: boolean }[] = []
  for (let ms = 0; ms < seconds * 1000; ms += 500) {
    if (ms % everyMs === 0)
      for (const [name, node] of Object.entries(world.nodes)) if (!standing.includes(name)) node.head += 1
    if (isBesideProtected) await rpc(world, 'eth_blockNumber', [], protect)
    const { result, headers } = await rpc(world, 'eth_blockNumber', [], options)
    const head = Math.max(...Object.values(world.nodes).map((node) => node.head))
    seen.push({ behind: head - Number(result), isThin: headers['x-quorate-thin'] === '1' })
    await world.clock.advance(500)
  }
  return seen
}

const worst = (seen: readonly { readonly behind: number }[]) => Math.max(...seen.map(({ behind }) => behind))

describe('two voters stand still at one block and go on answering, and most of all weight goes on', () => {
  test('the head goes on with the others, four blocks late at the first, and without a mark', async () => {
    const world = polygon()
    await follow(world, '', { seconds: 10 })
    expect(worst(await follow(world, 'ab', { seconds: 12 }))).toBeLessThanOrEqual(4)
    const later = await follow(world, 'ab', { seconds: 60 })
    expect(worst(later)).toBeLessThanOrEqual(1)
    expect(later.filter(({ isThin }) => isThin)).toEqual([])
  })

  test('reads are of the newest block, and tightened: those who stand are missing', async () => {
    const world = polygon()
    await follow(world, 'ab', { seconds: 20 })
    const { result, headers } = await rpc(world, 'eth_getBalance')
    expect(Number(result)).toBeGreaterThanOrEqual(1009)
    expect(headers['x-quorate-agreement']).toBe('5/5/8; policy=tightened')
  })

  test('the chain is degraded, and their lag is theirs; once they go on, all is as before', async () => {
    const world = polygon()
    await follow(world, 'ab', { seconds: 20 })
    expect(chainOf(world)).toMatchObject({ status: 'degraded', why: 'a, b are not usable' })
    const lags = chainOf(world)?.nodes.map(({ state, lag }) => `${state} ${Number(lag) > 5}`)
    expect(lags?.slice(0, 3)).toEqual(['behind true', 'behind true', 'usable false'])
    move(world, { head: 1012 })
    await follow(world, '', { seconds: 4 })
    expect(chainOf(world)).toMatchObject({ status: 'ok', why: null })
    expect((await rpc(world, 'eth_getBalance')).headers['x-quorate-agreement']).toBe('3/2.5/5')
  })
})

test('one voter stands still: a protected head is not held back by it', async () => {
  const world = polygon()
  await follow(world, '', { seconds: 10, options: protect })
  expect(worst(await follow(world, 'a', { seconds: 60, options: protect }))).toBeLessThanOrEqual(4)
})

/** A node's own blocks, so late. */
const blocksLate =
  (ms: number, headOf: () => number | undefined): Reply =>
  (received) => {
    const [tag] = received.params
    return late(ms, says(blockAt(tag === 'latest' ? (headOf() ?? 0) : Number(tag))))(received)
  }

/** Three voters, then four witnesses, whose blocks come so late. The witnesses are most of all weight. */
test.each([
  ['at once', [0, 0, 0, 0, 0, 0, 0]],
  ['at a voter after the witness that makes the majority', [40, 25, 7, 20, 31, 23, 2]],
])(
  'all voters stand still: beside protected calls an everyday head goes on, where blocks come %s',
  async (_, delaysMs) => {
    const scripts = delaysMs.map((ms, at): Script => {
      const block = blocksLate(ms, () => Object.values(world.nodes)[at]?.head)
      return { reply: balances, on: { eth_getBlockByNumber: block }, ...(at >= 3 && { role: 'witness' }) }
    })
    const world: World = worldOf(scripts, { headMaxAgeMs: 500 })
    await follow(world, '', { seconds: 10, isBesideProtected: true })
    await follow(world, 'abc', { seconds: 20, isBesideProtected: true })
    expect(worst(await follow(world, 'abc', { seconds: 60, isBesideProtected: true }))).toBeLessThanOrEqual(1)
  },
)

test('and on a slow chain too, where the witness that makes the majority replies last, and is polled every ten seconds', async () => {
  const one: Script = { reply: balances }
  const witness: Script = { ...one, role: 'witness', weight: 2 }
  const last: Script = { ...witness, on: { eth_getBlockByNumber: blocksLate(30, () => world.nodes.f?.head) } }
  const voters = [one, { ...one, weight: 2 }, { ...one, weight: 2 }]
  const world: World = worldOf([...voters, { ...witness, weight: 3 }, witness, last], { headMaxAgeMs: 500 })
  const following = { everyMs: 12_000, isBesideProtected: true }
  await follow(world, '', { ...following, seconds: 12 })
  await follow(world, 'abc', { ...following, seconds: 60 })
  expect(worst(await follow(world, 'abc', { ...following, seconds: 60 }))).toBeLessThanOrEqual(1)
})

test('a node alone that invents blocks far above the chain is asked about now and then, and holds nobody up', async () => {
  const world = polygon()
  if (world.nodes.b) world.nodes.b.head = 5000
  const seen = await follow(world, 'b', { seconds: 20 })
  expect(seen.every(({ behind }) => behind >= 5000 - 1011)).toBe(true)
  expect(chainOf(world)?.nodes.filter(({ state }) => state !== 'usable')).toEqual([])
  const polls = world.requests.filter(({ node, method }) => node === 'g' && method === 'eth_getBlockByNumber')
  expect(polls.length).toBeLessThanOrEqual(6)
})
