import { describe, expect, test } from 'vitest'
import {
  type Answered,
  begin,
  beginPost,
  callOf,
  type Pending,
  rpc,
  until,
} from '../../support/gateway-calls.ts'
import { fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { type Script, sends, type World, worldOf } from '../../support/world.ts'
import { uncached } from '../support/outcomes.ts'

/** Three of these nodes answer 60 calls a second with a quorum of two: 4 places each, 100 ms per reply. */
const node: Script = { inFlightMax: 4, reply: late(100, says('0xa')) }
const three = () => worldOf([node, node, node], { quorum: 2, limits: { inFlightMax: 10_000 } })
const account = uncached

/** Sends `perSecond` calls a second for ten seconds. */
async function load(world: World, perSecond: number) {
  await rpc(world, 'eth_blockNumber')
  const from = world.requests.length
  const calls: Pending<Answered>[] = []
  const tickMs = 20
  for (let turn = 0; turn < 10_000 / tickMs; turn++) {
    while (calls.length < ((turn + 1) * tickMs * perSecond) / 1000)
      calls.push(begin(world, 'eth_getBalance', account(calls.length)))
    await world.clock.advance(tickMs)
  }
  const answers = await Promise.all(calls.map((call) => until(world, call)))
  const requests = world.requests.slice(from).filter(({ method }) => method === 'eth_getBalance')
  return {
    answered: answers.filter(({ result }) => result === '0xa').length / calls.length,
    requestsPerCall: requests.length / calls.length,
    ms: answers.map(({ ms }) => ms).sort((one, other) => one - other),
  }
}

describe('more calls than the nodes can answer', () => {
  // When time in our own queue counted as a stall, this took 2.8 requests per call and changed node states 36 times.
  test('need no extra asks, cause no faults, and are all answered soon', async () => {
    const world = three()
    const { answered, requestsPerCall, ms } = await load(world, 75)
    expect(answered).toBe(1)
    expect(requestsPerCall).toBeLessThan(2.01)
    expect(ms.at(-1)).toBeLessThan(3000)
    expect(world.events.filter(({ type }) => type === 'stall' || type === 'node-state')).toEqual([])
  })

  test('at twice the capacity, more than half are answered in time', async () => {
    const world = three()
    const { answered, requestsPerCall } = await load(world, 120)
    expect(answered).toBeGreaterThan(0.6)
    expect(requestsPerCall).toBeLessThan(2.01)
    expect(world.events.filter(({ type }) => type === 'node-state')).toEqual([])
  })
})

describe('one caller that asks for more than the nodes can answer', () => {
  const greedy = Array.from({ length: 400 }, (_, turn) => callOf('eth_getBalance', account(turn), turn))

  /** How long another caller waits for one call after a batch of 400. */
  async function waitOf(params: readonly unknown[]): Promise<number> {
    const world = three()
    await rpc(world, 'eth_blockNumber')
    const batch = beginPost(world, greedy, { caller: '203.0.113.1' })
    await world.clock.advance(20)
    const { result, ms } = await rpc(world, 'eth_getBalance', params, { caller: '203.0.113.2' })
    expect(result).toBe('0xa')
    batch.leave()
    await batch.done
    return ms
  }

  // With a FIFO queue it took 6.7 s.
  test('does not delay another caller', async () => {
    expect(await waitOf(account(1000))).toBeLessThan(300)
  })

  test('does not delay another caller with the same call', async () => {
    expect(await waitOf(account(390))).toBeLessThan(300)
  })
})

describe('a call that waits for a place', () => {
  /** `b` is free; `a` and `c` have one place each, and another call takes both for the given times. */
  async function withBusyNodes(aMs: number, cMs: number, then = says('0xa')) {
    const narrow = (ms: number, reply: Reply): Script => ({
      inFlightMax: 1,
      on: { eth_getCode: late(ms, says('0x')), eth_getBalance: reply },
    })
    const free: Script = { on: { eth_getCode: fails(-32099, 'broken'), eth_getBalance: says('0xa') } }
    const world = worldOf([narrow(aMs, then), free, narrow(cMs, says('0xa'))], {
      quorum: 2,
      headMaxAgeMs: 600_000,
    })
    await rpc(world, 'eth_blockNumber')
    const other = begin(world, 'eth_getCode')
    await world.clock.advance(0)
    const { result, ms } = await rpc(world, 'eth_getBalance')
    const order = sends(world, 'eth_getBalance')
    await until(world, other)
    return { result, ms, order, states: world.events.filter(({ type }) => type === 'node-state') }
  }

  test('asks another node with a free place after a stall, and no node gets a fault', async () => {
    expect(await withBusyNodes(2000, 300)).toEqual({ result: '0xa', ms: 750, order: 'b@0 c@750', states: [] })
  })

  test('does not ask another busy node until that has a free place', async () => {
    expect(await withBusyNodes(900, 5000)).toMatchObject({ result: '0xa', ms: 900, order: 'b@0 a@900' })
    expect(await withBusyNodes(5000, 900)).toMatchObject({ result: '0xa', ms: 1500, order: 'b@0 c@1500' })
  })

  test('starts its stall timer when it is sent', async () => {
    expect(await withBusyNodes(500, 600, hangs)).toMatchObject({
      result: '0xa',
      ms: 1250,
      order: 'b@0 a@500 c@1250',
    })
  })
})
