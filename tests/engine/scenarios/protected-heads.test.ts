import { describe, expect, test } from 'vitest'
import { callOf, post, protect, rpc } from '../../support/gateway-calls.ts'
import { hangs, type Reply, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import {
  chainOf,
  isLook,
  type Script,
  three,
  type World,
  type WorldOptions,
  worldOf,
} from '../../support/world.ts'
import { agreement, eventsOf, noQuorum, pollHeads, thin, witnesses } from '../support/outcomes.ts'

const read = 'eth_getBalance'
const gone: Script = { reply: hangs, on: { eth_getBlockByNumber: hangs } }
const lying = { name: 'lie', from: 0 }

/** The state of a block: what was true at an old one is a lie now. */
const balances: Reply = (received) => says(received.params[1])(received)

interface Liars extends Partial<Script> {
  readonly others?: Partial<Script>
}

/** Two of three voters hold four of five, and four honest witnesses stand by. */
const worldWith = ({ others = {}, ...liars }: Liars, options: WorldOptions = {}): World =>
  worldOf(
    [
      { weight: 2, reply: balances, ...liars },
      { weight: 2, reply: balances, ...liars },
      { reply: balances, ...others },
      ...witnesses(4, { reply: balances, ...others }),
    ],
    options,
  )

describe('two poisoned voters decide the everyday head alone', () => {
  test('and invent one above the chain: a protected caller is told the head that honest nodes have, and reads there', async () => {
    const world = worldWith({ head: 2000, fork: lying })
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(2000) })
    const guarded = await rpc(world, 'eth_blockNumber', [], protect)
    expect(guarded).toMatchObject({ result: hex(1000), ...agreement('5/5/9; policy=protected') })
    expect(await rpc(world, read, undefined, protect)).toMatchObject({ result: hex(1000) })
  })

  test('and hold it back: `latest` of a protected call is not an old block', async () => {
    const world = worldWith({ head: 900 })
    expect(await rpc(world, read)).toMatchObject({ result: hex(900) })
    expect(await rpc(world, 'eth_blockNumber', [], protect)).toMatchObject({ result: hex(1000) })
    expect(await rpc(world, read, undefined, protect)).toMatchObject({ result: hex(1000) })
    expect(chainOf(world)).toMatchObject({ head: { number: 900 }, protectedHead: { number: 1000 } })
  })

  test('and hold it back: a block above it is there for a protected caller', async () => {
    const world = worldWith({ head: 900 })
    const params = [hex(950), false]
    expect(await rpc(world, 'eth_getBlockByNumber', params)).toMatchObject({ result: null })
    const guarded = await rpc(world, 'eth_getBlockByNumber', params, protect)
    expect(guarded).toMatchObject({ result: { number: hex(950) } })
  })

  test('and call it final: a protected caller waits for what honest nodes call final', async () => {
    const world = worldWith({ finalized: 1000, others: { finalized: 936 } })
    const params = [`0x${'ac'.repeat(20)}`, 'finalized']
    expect(await rpc(world, read, params)).toMatchObject({ result: hex(1000) })
    expect(await rpc(world, read, params, protect)).toMatchObject({ result: hex(936) })
  })

  test('and a contract that the chain protects is read at the protected head, without the caller’s asking', async () => {
    const contract = `0x${'c0'.repeat(20)}`
    const world = worldWith({ head: 900 }, { protect: { contracts: [contract] } })
    const batch = [contract, `0x${'c1'.repeat(20)}`].map((of, id) => callOf(read, [of, 'latest'], id))
    const { body } = await post(world, batch)
    expect(JSON.parse(body)).toMatchObject([{ result: hex(1000) }, { result: hex(900) }])
  })
})

describe('the head of protected calls', () => {
  test('costs everyday callers nothing: witnesses are not polled for them', async () => {
    const world = worldWith({})
    for (let poll = 0; poll < 5; poll++) {
      await rpc(world, read)
      await world.clock.advance(5000)
    }
    expect(world.requests.filter(({ node }) => 'defg'.includes(node))).toEqual([])
  })

  test('is polled once for all calls of a batch, and kept like any head', async () => {
    const world = worldWith({})
    const call = (id: number) => callOf('eth_blockNumber', [], id)
    await post(world, [call(1), call(2), call(3)], protect)
    const polls = world.requests.filter(isLook).length
    await post(world, [call(4)], protect)
    expect(world.requests.filter(isLook).length).toBe(polls)
  })

  test('is none while too few nodes reply: a protected call fails as thin, within two stalls', async () => {
    const voters = [2, 2, 1].map((weight) => ({ weight, reply: balances }))
    const world = worldOf([...voters, ...witnesses(4, { ...gone, weight: 2 })])
    const guarded = await rpc(world, 'eth_blockNumber', [], protect)
    expect(guarded).toMatchObject(noQuorum('thin'))
    expect(guarded.ms).toBeLessThanOrEqual(1500)
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000) })
  })
})

test('all voters show another genesis: honest witnesses are not taken to serve another chain', async () => {
  const liars = three({ reply: says('0xb'), fork: lying })
  const world = worldOf([...liars, ...witnesses(4, { reply: says('0xa') })])
  await pollHeads(world, 3, 3000, protect)
  expect(await rpc(world, read, undefined, protect)).toMatchObject({ result: '0xa' })
  expect(eventsOf(world, 'node-state').filter(({ node }) => 'defg'.includes(node))).toEqual([])
})

test('a witness that showed the head is cordoned: the head that voters still show is marked as thin', async () => {
  const world = worldOf([balances, balances, gone, ...witnesses(3, { reply: balances })])
  await pollHeads(world, 5, 5000)
  const head = await rpc(world, 'eth_blockNumber')
  expect(head).toMatchObject(agreement('5/4/6; policy=tightened'))
  expect(head.headers).not.toHaveProperty('x-quorate-thin')
  for (const node of ['d', 'e', 'f']) world.gateway.cordon(1, node, true)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject(thin)
})
