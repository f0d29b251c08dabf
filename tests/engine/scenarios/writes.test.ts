import { keccak256, parseTransaction, serializeTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Answered, begin, callOf, type Pending, post, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, late, noises, type Reply, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { hash, raw, sender, signTransfer } from '../../support/signed-transfer.ts'
import {
  move,
  requestsOf,
  type Script,
  sends,
  type World,
  type WorldOptions,
  worldOf,
} from '../../support/world.ts'
import { type Signed, unsent } from '../sim/signed.ts'
import { agreement, certificateOf, noQuorum } from '../support/outcomes.ts'

const send = 'eth_sendRawTransaction'
/** A transaction of which nodes have the object, too. */
const pending = (unsent.get(1) ?? [])[0] as Signed
const takes = says(hash)
const known = fails(-32000, 'already known')
const used = fails(-32000, 'nonce too low: next nonce 8, tx nonce 7')
const poor = fails(-32000, 'insufficient funds for gas * price + value: balance 0')
const node = (reply: Reply, rest: Script = {}): Script => ({
  ...rest,
  on: { [send]: reply },
  reply: says(null),
})
const noFunds = { error: { code: -32003, message: 'insufficient funds for gas * price + value' } }
const ends = (world: World) => requestsOf(world, send).map(({ end }) => end)

describe('a transaction', () => {
  test('case 20: is answered with its hash at the first "already known", even if others are slow or refuse', async () => {
    const world = worldOf([node(known), node(late(1500, takes)), node(used)], { quorum: 2 })
    expect(await rpc(world, send, [raw])).toMatchObject({ result: hash, ms: 0 })
    expect(sends(world, send)).toBe('a@0 b@0 c@0')
    await world.clock.advance(2000)
    expect(ends(world)).toEqual(['answered', 'answered', 'answered'])
  })

  test('is refused by no fewer than operatorsMin operators, even when one is cordoned', async () => {
    const world = worldOf([node(used, { weight: 5 }), node(used)], { quorum: 3, operatorsMin: 2 })
    world.gateway.cordon(1, 'b', true)
    expect(await rpc(world, send, [raw])).toMatchObject(noQuorum())
    world.gateway.cordon(1, 'b', false)
    expect(await rpc(world, send, [raw])).toMatchObject({ error: { message: 'nonce too low' } })
  })

  test('without a usable write node fails as silent, not as an unknown method', async () => {
    const world = worldOf([node(takes), node(takes, { writes: false })], { quorum: 1 })
    world.gateway.cordon(1, 'a', true)
    expect(await rpc(world, send, [raw])).toMatchObject(noQuorum('silent'))
  })

  test('goes to every write node, once, unaltered', async () => {
    const silent = [node(hangs), node(fails(-32099, 'x'))]
    const scripts = [node(takes), node(late(900, takes)), node(takes, { writes: false }), ...silent]
    const world = worldOf(scripts, { quorum: 3 })
    await rpc(world, send, [raw])
    await world.clock.advance(10_000)
    expect(sends(world, send)).toBe('a@0 b@0 d@0 e@0')
    expect(requestsOf(world, send).map(({ params }) => params)).toEqual([[raw], [raw], [raw], [raw]])
  })

  test.each(Object.entries(noises(hash)))('does not count as sent on noise: %s', async (_, noise) => {
    const world = worldOf([node(noise), node(noise)], { quorum: 1 })
    expect(await rpc(world, send, [raw])).toMatchObject(noQuorum('silent'))
  })

  test('with a used nonce succeeds when a quorum finds it on the chain, and is refused otherwise', async () => {
    const seen: Script = { on: { [send]: used, eth_getTransactionByHash: says(pending.object) } }
    const mined = worldOf([seen, seen], { quorum: 2 })
    expect(await rpc(mined, send, [pending.raw])).toMatchObject({ result: pending.hash })
    const lost = await rpc(worldOf([node(used), node(used)], { quorum: 2 }), send, [raw])
    expect(lost).toMatchObject({ error: { code: -32003, message: 'nonce too low' } })
  })

  test('for another chain, or malformed, is sent to no node', async () => {
    const world = worldOf([node(takes)], { quorum: 1 })
    const odd = [raw.slice(0, -2), '0x', '0x02', '0xc0', `0x03${raw.slice(4)}`]
    const refused = { status: 200, error: { code: -32602 } }
    for (const text of [await signTransfer(7, 137), ...odd])
      expect(await rpc(world, send, [text]), text.slice(0, 8)).toMatchObject(refused)
    expect(sends(world, send)).toBe('')
  })

  test('that is sent twice at once is sent once', async () => {
    const world = worldOf([node(late(50, takes)), node(late(80, takes))], { quorum: 2 })
    const { body } = await post(world, [callOf(send, [raw], 1), callOf(send, [raw], 2)])
    expect((JSON.parse(body) as { result: string }[]).map(({ result }) => result)).toEqual([hash, hash])
    expect(sends(world, send)).toBe('a@0 b@0')
  })

  test('is still broadcast after its sender disconnects', async () => {
    const world = worldOf([node(late(300, takes)), node(late(400, takes))], { quorum: 2 })
    const call = begin(world, send, [raw])
    await world.clock.advance(100)
    call.leave()
    await until(world, call)
    await world.clock.advance(1000)
    expect(ends(world)).toEqual(['answered', 'answered'])
  })

  test('without any reply fails at the deadline', async () => {
    const world = worldOf([node(hangs), node(hangs)], { quorum: 1 })
    expect(await rpc(world, send, [raw])).toMatchObject({ ms: 8000, ...noQuorum('silent') })
    expect(ends(world)).toEqual(['aborted', 'aborted'])
  })

  test('above the limit is refused, and closing the engine ends those under way', async () => {
    const world = worldOf([node(hangs)], { quorum: 1, limits: { inFlightMax: 2000 } })
    const fields = parseTransaction(raw)
    const raws = Array.from({ length: 1001 }, (_, nonce) => serializeTransaction({ ...fields, nonce }))
    const calls = raws.slice(1).map((each) => begin(world, send, [each]))
    await world.clock.advance(0)
    expect(await rpc(world, send, [raws[0]])).toMatchObject({
      error: { code: -32005, message: 'overloaded' },
      // Until the first of them has ended: admission, which says the same, says 1.
      headers: { 'retry-after': '8' },
    })
    world.gateway.close()
    for (const call of [calls[0], calls.at(-1)])
      expect(await until(world, call as Pending<Answered>)).toMatchObject({ ms: 0, ...noQuorum() })
    expect(calls.filter(({ isDone }) => !isDone())).toEqual([])
    expect(world.clock.pending()).toBe(0)
  })

  test('lists in its certificate all nodes that accepted and all that refused', async () => {
    const world = worldOf([node(takes), node(late(100, poor)), node(late(200, poor))], { quorum: 2 })
    const answer = await rpc(world, send, [raw])
    await world.clock.advance(1000)
    const certificate = certificateOf(world, answer)
    expect(certificate?.groups.map(({ weight, nodes }) => `${weight}: ${nodes}`)).toEqual(['1: a', '2: b,c'])
    expect(world.gateway.disputes(10).map(({ id }) => id)).toContain(answer.headers['x-quorate-answer'])
  })
})

const tight = fails(-32000, 'max fee per gas less than block base fee')
const broken = fails(-32099, 'broken')
const of = (operator: string) => (reply: Reply) => node(reply, { operator })
const [x, y, z] = [of('x'), of('y'), of('z')]
const noWriter = node(takes, { writes: false })
const few = [poor, late(20, poor), noWriter, noWriter, noWriter]
const shouted = says(`0x${hash.slice(2).toUpperCase()}`)
const [two, disagree] = [{ quorum: 2 }, noQuorum('disagree')]
const sent = (ms: number) => ({ result: hash, ms })
const other = says(`0x${'bb'.repeat(32)}`)
const stalled = { ms: 750, status: 200, ...noFunds }

test.each<[string, readonly (Reply | Script)[], WorldOptions, object]>([
  ['case 21: the hash of its bytes counts, not another one', [other, late(5, takes)], { quorum: 1 }, sent(5)],
  ['case 21: and where all send another one, none', [other, other], { quorum: 1 }, noQuorum()],
  ['a quorum refuses: by error class, after a stall', [poor, late(20, poor), hangs], two, stalled],
  ['lagging nodes refuse, and another accepts a moment later', [poor, poor, late(40, takes)], {}, sent(40)],
  ['one of three refuses: sent', [poor, late(3000, takes), broken], {}, sent(3000)],
  ['one refuses and no other replies: silent', [poor, broken, broken], {}, noQuorum('silent')],
  ['they refuse for different reasons: disagree', [poor, tight, broken], {}, disagree],
  ['a heavy one refuses', [node(poor, { weight: 3 }), late(3000, takes), broken], { quorum: 3 }, noFunds],
  ['but is no two operators', [node(poor, { weight: 5 }), tight, broken], { operatorsMin: 2 }, disagree],
  ['one operator refuses twice: sent', [x(poor), x(poor), y(late(100, takes)), z(broken)], {}, sent(100)],
  ['one refuses for two reasons: neither', [x(tight), x(poor), y(tight), z(late(40, poor))], two, disagree],
  ['one refuses, and accepts', [x(late(5, tight)), x(late(10, takes)), y(late(10, broken))], two, sent(10)],
  ['all of the few writers refuse', few, { quorum: 4, operatorsMin: 3 }, { ...noFunds, ms: 20 }],
  ['the hash comes in capitals: sent', [shouted, broken], {}, { result: hash }],
])('%s', async (_, replies, options, expected) => {
  const scripts = replies.map((each) => (typeof each === 'function' ? node(each) : each))
  expect(await rpc(worldOf(scripts, options), send, [raw])).toMatchObject(expected)
})

describe('a used nonce', () => {
  test('is looked up until the deadline at most', async () => {
    const seeking = { ...node(used), on: { [send]: used, eth_getTransactionByHash: hangs } }
    const world = worldOf([seeking, seeking, node(broken)], { quorum: 2 })
    expect(await rpc(world, send, [raw])).toMatchObject({ error: {}, ms: 8000 })
  })

  test('that a quorum names after one node has accepted it is no refusal, where it is found', async () => {
    const { nonce, object } = pending
    const found = { eth_getTransactionByHash: says(object), eth_getTransactionCount: says(hex(nonce)) }
    const script = (reply: Reply): Script => ({ on: { ...found, [send]: reply } })
    const accepts = script(says(pending.hash))
    const world = worldOf([accepts, script(late(500, used)), script(late(500, used))], { quorum: 2 })
    expect(await rpc(world, send, [pending.raw])).toMatchObject({ result: pending.hash })
    await world.clock.advance(2000)
    const next = await rpc(world, 'eth_getTransactionCount', [pending.sender, 'pending'])
    expect(next).toMatchObject({ result: hex(nonce + 1) })
  })
})

describe('a transaction that is sent again', () => {
  test.each([
    [7000, 750, 'before a node has accepted it and soon: joins', 2],
    [7000, 751, 'before a node has accepted it and late: is broadcast again', 4],
    [700, 7000, 'after a node has accepted it: joins', 2],
  ])('accepted after %i ms, again after %i ms, %s', async (acceptedMs, againMs, _, sends) => {
    const world = worldOf([node(late(acceptedMs, takes)), node(late(7900, takes))], { quorum: 1 })
    const first = begin(world, send, [raw])
    await world.clock.advance(againMs)
    const again = begin(world, send, [raw])
    await world.clock.advance(20_000)
    expect([await first.done, await again.done]).toMatchObject([{ result: hash }, { result: hash }])
    expect(world.requests.filter(({ method }) => method === send)).toHaveLength(sends)
  })

  test('after the only node that took it is cordoned is broadcast again', async () => {
    const world = worldOf([node(late(100, takes)), node(late(5000, takes)), node(late(5000, takes))])
    await rpc(world, send, [raw])
    world.gateway.cordon(1, 'a', true)
    expect(await rpc(world, send, [raw])).toMatchObject({ result: hash, ms: 5000 })
    expect(sends(world, send)).toBe('b@0 c@0')
  })

  test('after a refusal is broadcast again at once', async () => {
    const world = worldOf([node(poor), node(poor), node(late(5000, takes))])
    expect(await rpc(world, send, [raw])).toMatchObject({ ...noFunds, ms: 750 })
    await rpc(world, send, [raw])
    expect(sends(world, send)).toBe('a@0 b@0 c@0')
  })
})

/** A node with these counts that takes transactions. */
const count = (latest: number, pending: number): Script => ({
  on: {
    eth_getTransactionCount: (received) =>
      says(hex(received.params[1] === 'pending' ? pending : latest))(received),
    [send]: takes,
  },
})
const countOf = (world: World, block = 'pending') =>
  rpc(world, 'eth_getTransactionCount', [sender.address, block])
const next = async (world: World) => Number((await countOf(world)).result)

describe('the next nonce', () => {
  const rejecting = (reply: Reply): Script => ({ on: { ...count(7, 7).on, [send]: reply } })

  test.each([
    ['is the highest that a quorum reaches', [count(5, 7), count(5, 6), count(5, 9)], 2, 7, '2/2/3'],
    ['and that of three', [count(5, 7), count(5, 6), count(5, 900)], 3, 6, '3/3/3'],
    ['is never below the agreed state', [count(8, 3), count(8, 2), count(8, 1)], 2, 8, '2/2/3'],
  ])('%s, and has its agreement', async (_, nodes, quorum, nonce, agreed) => {
    const answer = await countOf(worldOf(nodes, { quorum }))
    expect(answer).toMatchObject({ result: hex(nonce), ...agreement(agreed) })
  })

  test.each([
    ['is raised by one liar at most to the nonce of an honest node', 900, 7],
    ['however high it is', 2 ** 40, 7],
    ['is lowered by one', 6, 6],
    ['at most to the agreed state', 0, 5],
  ])('%s', async (_, lie, nonce) => {
    const silent = { on: { eth_getTransactionCount: hangs } }
    const nodes = [count(5, lie), count(5, 7), silent]
    for (const order of [nodes, nodes.toReversed()]) {
      const world = worldOf(order, { quorum: 2 })
      await rpc(world, 'eth_blockNumber')
      expect(await countOf(world)).toMatchObject({ result: hex(nonce), ms: 750 })
    }
  })

  test('follows a transaction that a node has accepted and fewer than a quorum reject', async () => {
    const world = worldOf([count(7, 7), count(7, 7), rejecting(poor)], { quorum: 2 })
    expect(await next(world)).toBe(7)
    await rpc(world, send, [raw])
    await world.clock.advance(1000)
    expect(await next(world)).toBe(8)
    expect(await countOf(world, 'latest')).toMatchObject({ result: '0x7' })
  })

  test('is not advanced by a transaction that only one node accepted and a quorum refused', async () => {
    const world = worldOf([rejecting(takes), rejecting(poor), rejecting(tight)], { quorum: 2 })
    expect(await rpc(world, send, [raw])).toMatchObject({ result: hash })
    await world.clock.advance(1000)
    expect(await next(world)).toBe(7)
  })

  test('stays advanced when a replacement of the accepted transaction is refused', async () => {
    const world = worldOf([count(7, 7), count(7, 7), count(7, 7)], { quorum: 2 })
    await rpc(world, send, [raw])
    const other = await signTransfer(7, 1, 2n)
    const under = late(5, fails(-32000, 'replacement transaction underpriced'))
    for (const [name, reply] of Object.entries({ a: says(keccak256(other)), b: under, c: under }))
      world.nodes[name]!.on[send] = reply
    await rpc(world, send, [other])
    await world.clock.advance(100)
    expect(await next(world)).toBe(8)
  })

  test('is never cached', async () => {
    const world = worldOf([count(5, 7), count(5, 7)], { quorum: 2 })
    expect(await next(world)).toBe(7)
    move(world, { on: count(5, 8).on ?? {} })
    expect(await next(world)).toBe(8)
  })
})
