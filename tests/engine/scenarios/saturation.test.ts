import { describe, expect, test } from 'vitest'
import { begin, beginPost, callOf, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { type Script, sends, three, type World, worldOf } from '../../support/world.ts'
import { eventsOf, uncached } from '../support/outcomes.ts'

/** Three of these nodes answer 60 calls a second with a quorum of two: 4 places each, 100 ms per reply. */
const node: Script = { inFlightMax: 4, reply: late(100, says('0xa')) }
const busyWorld = () => worldOf(three(node), { limits: { inFlightMax: 10_000 } })

/** Sends `perSecond` calls a second for ten seconds. */
async function load(world: World, perSecond: number) {
  await rpc(world, 'eth_blockNumber')
  const calls: ReturnType<typeof begin>[] = []
  const tickMs = 20
  for (let ms = tickMs; ms <= 10_000; ms += tickMs) {
    while (calls.length < (ms * perSecond) / 1000)
      calls.push(begin(world, 'eth_getBalance', uncached(calls.length)))
    await world.clock.advance(tickMs)
  }
  const answers = await Promise.all(calls.map((call) => until(world, call)))
  const requests = world.requests.filter(({ method }) => method === 'eth_getBalance')
  return {
    answered: answers.filter(({ result }) => result === '0xa').length / calls.length,
    requestsPerCall: requests.length / calls.length,
    ms: answers.map(({ ms }) => ms).sort((one, other) => one - other),
  }
}

describe('more calls than the nodes can answer', () => {
  // When time in our own queue counted as a stall, this took 2.8 requests per call and changed node states 36 times.
  test('need no extra asks, cause no faults, and are all answered soon', async () => {
    const world = busyWorld()
    const { answered, requestsPerCall, ms } = await load(world, 75)
    expect(answered).toBe(1)
    expect(requestsPerCall).toBeLessThan(2.01)
    expect(ms.at(-1)).toBeLessThan(3000)
    expect([...eventsOf(world, 'stall'), ...eventsOf(world, 'node-state')]).toEqual([])
  })

  test('at twice the capacity, more than half are answered in time', async () => {
    const world = busyWorld()
    const { answered, requestsPerCall } = await load(world, 120)
    expect(answered).toBeGreaterThan(0.6)
    expect(requestsPerCall).toBeLessThan(2.01)
    expect(eventsOf(world, 'node-state')).toEqual([])
  })
})

describe('one caller that asks for more than the nodes can answer', () => {
  const greedy = Array.from({ length: 400 }, (_, turn) => callOf('eth_getBalance', uncached(turn), turn))

  // With a FIFO queue it took 6.7 s.
  test.each([
    ['another call', 1000],
    ['the same call', 390],
  ])('does not delay another caller with %s', async (_, account) => {
    const world = busyWorld()
    await rpc(world, 'eth_blockNumber')
    const batch = beginPost(world, greedy, { caller: '203.0.113.1' })
    await world.clock.advance(20)
    const { result, ms } = await rpc(world, 'eth_getBalance', uncached(account), { caller: '203.0.113.2' })
    expect(result).toBe('0xa')
    expect(ms).toBeLessThan(300)
    batch.leave()
    await batch.done
  })
})

describe('a call that waits for a place', () => {
  /** `b` is free; `a` and `c` have one place each, and another call takes both for the given times. */
  async function withBusyNodes(aMs: number, cMs: number, then: Reply) {
    const narrow = (ms: number, reply: Reply): Script => ({
      inFlightMax: 1,
      on: { eth_getCode: late(ms, says('0x')), eth_getBalance: reply },
    })
    const free: Script = { on: { eth_getCode: fails(-32099, 'broken'), eth_getBalance: says('0xa') } }
    const nodes = [narrow(aMs, then), free, narrow(cMs, says('0xa'))]
    const world = worldOf(nodes, { headMaxAgeMs: 600_000 })
    await rpc(world, 'eth_blockNumber')
    const other = begin(world, 'eth_getCode')
    await world.clock.advance(0)
    const { result, ms } = await rpc(world, 'eth_getBalance')
    const order = sends(world, 'eth_getBalance')
    await until(world, other)
    return { result, ms, order, faults: eventsOf(world, 'node-state').length }
  }

  test.each([
    ['asks another node with a free place after a stall', 2000, 300, 750, 'b@0 c@750'],
    ['does not ask another busy node until that has a free place', 900, 5000, 900, 'b@0 a@900'],
    ['nor where that takes long', 5000, 900, 1500, 'b@0 c@1500'],
    ['starts its stall timer when it is sent', 500, 600, 1250, 'b@0 a@500 c@1250', hangs],
  ])('%s, and no node gets a fault', async (_, aMs, cMs, ms, order, then = says('0xa')) => {
    expect(await withBusyNodes(aMs, cMs, then)).toEqual({ result: '0xa', ms, order, faults: 0 })
  })
})
