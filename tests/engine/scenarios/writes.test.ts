import { keccak256, parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { ask, begin, callOf, post, until } from '../../support/ask.ts'
import { fails, hangs, late, noises, type Reply, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { hash, raw, sender, signTransfer } from '../../support/signed-transfer.ts'
import { asked, requestsOf, type Script, worldOf } from '../../support/world.ts'

const send = 'eth_sendRawTransaction'
const takes = says(hash)
const known = fails(-32000, 'already known')
const used = fails(-32000, 'nonce too low: next nonce 8, tx nonce 7')
const poor = fails(-32000, 'insufficient funds for gas * price + value: balance 0')
const node = (reply: Reply, rest: Script = {}): Script => ({
  ...rest,
  on: { [send]: reply },
  reply: says(null),
})

describe('a transaction', () => {
  test('case 20: is answered with its hash at the first "already known", even if others are slow or refuse', async () => {
    const world = worldOf([node(known), node(late(1500, takes)), node(used)], { quorum: 2 })
    expect(await ask(world, send, [raw])).toMatchObject({ result: hash, ms: 0 })
    expect(asked(world, send)).toBe('a@0 b@0 c@0')
    await world.clock.advance(2000)
    expect(requestsOf(world, send).map(({ end }) => end)).toEqual(['answered', 'answered', 'answered'])
  })

  test('case 21: is answered with the hash of its bytes, not with another hash from a node', async () => {
    const other = says(`0x${'bb'.repeat(32)}`)
    const world = worldOf([node(other), node(late(5, takes))], { quorum: 1 })
    expect(await ask(world, send, [raw])).toMatchObject({ result: hash, ms: 5 })
    const alone = worldOf([node(other), node(other)], { quorum: 1 })
    expect(await ask(alone, send, [raw])).toMatchObject({ error: { code: -32010 } })
  })

  test('is refused by no fewer than operatorsMin operators, even when one is cordoned', async () => {
    const world = worldOf([node(used, { weight: 5 }), node(used)], { quorum: 3, operatorsMin: 2 })
    world.gateway.cordon(1, 'b', true)
    expect(await ask(world, send, [raw])).toMatchObject({ error: { code: -32010 } })
    world.gateway.cordon(1, 'b', false)
    expect(await ask(world, send, [raw])).toMatchObject({ error: { message: 'nonce too low' } })
  })

  test('without a usable write node fails as silent, not as an unknown method', async () => {
    const world = worldOf([node(takes), node(takes, { writes: false })], { quorum: 1 })
    world.gateway.cordon(1, 'a', true)
    expect(await ask(world, send, [raw])).toMatchObject({
      error: { code: -32010, data: { reason: 'silent' } },
    })
  })

  test('goes to every write node, once, unaltered', async () => {
    const scripts = [
      node(takes),
      node(late(900, takes)),
      node(takes, { writes: false }),
      node(hangs),
      node(fails(-32099, 'x')),
    ]
    const world = worldOf(scripts, { quorum: 3 })
    await ask(world, send, [raw])
    await world.clock.advance(10_000)
    expect(asked(world, send)).toBe('a@0 b@0 d@0 e@0')
    expect(requestsOf(world, send).map(({ params }) => params)).toEqual([[raw], [raw], [raw], [raw]])
  })

  test.each(Object.entries(noises(hash)))('does not count as sent on noise: %s', async (_, noise) => {
    const world = worldOf([node(noise), node(noise)], { quorum: 1 })
    expect(await ask(world, send, [raw])).toMatchObject({
      error: { code: -32010, data: { reason: 'silent' } },
    })
  })

  test('that a quorum refuses is refused by error class, after the stall of the others', async () => {
    const world = worldOf([node(poor), node(late(20, poor)), node(hangs)], { quorum: 2 })
    const answer = await ask(world, send, [raw])
    expect(answer).toMatchObject({
      ms: 750,
      status: 200,
      error: { code: -32003, message: 'insufficient funds for gas * price + value' },
    })
  })

  test('that lagging nodes refuse and another accepts a moment later is sent', async () => {
    const world = worldOf([node(poor), node(poor), node(late(40, takes))])
    expect(await ask(world, send, [raw])).toMatchObject({ result: hash, ms: 40 })
  })

  test('with a used nonce succeeds when a quorum finds it on the chain, and is refused otherwise', async () => {
    const found = { ...transaction(), hash }
    const seen = (script: Script) => ({
      ...script,
      on: { ...script.on, eth_getTransactionByHash: says(found) },
    })
    const mined = worldOf([seen(node(used)), seen(node(used))], { quorum: 2 })
    expect(await ask(mined, send, [raw])).toMatchObject({ result: hash })
    const lost = worldOf([node(used), node(used)], { quorum: 2 })
    expect(await ask(lost, send, [raw])).toMatchObject({ error: { code: -32003, message: 'nonce too low' } })
  })

  test('for another chain, or malformed, is sent to no node', async () => {
    const world = worldOf([node(takes)], { quorum: 1 })
    for (const text of [
      await signTransfer(7, 137),
      raw.slice(0, -2),
      '0x',
      '0x02',
      '0xc0',
      `0x03${raw.slice(4)}`,
    ])
      expect(await ask(world, send, [text]), text.slice(0, 8)).toMatchObject({
        status: 200,
        error: { code: -32602 },
      })
    expect(asked(world, send)).toBe('')
  })

  test('that is sent twice at once is sent once', async () => {
    const world = worldOf([node(late(50, takes)), node(late(80, takes))], { quorum: 2 })
    const { body } = await post(world, [callOf(send, [raw], 1), callOf(send, [raw], 2)])
    expect((JSON.parse(body) as { result: string }[]).map(({ result }) => result)).toEqual([hash, hash])
    expect(asked(world, send)).toBe('a@0 b@0')
  })

  test('is still broadcast after its sender disconnects', async () => {
    const world = worldOf([node(late(300, takes)), node(late(400, takes))], { quorum: 2 })
    const call = begin(world, send, [raw])
    await world.clock.advance(100)
    call.leave()
    await until(world, call)
    await world.clock.advance(1000)
    expect(requestsOf(world, send).map(({ end }) => end)).toEqual(['answered', 'answered'])
  })

  test('without any reply fails at the deadline', async () => {
    const world = worldOf([node(hangs), node(hangs)], { quorum: 1 })
    expect(await ask(world, send, [raw])).toMatchObject({ ms: 8000, error: { data: { reason: 'silent' } } })
    expect(requestsOf(world, send).map(({ end }) => end)).toEqual(['aborted', 'aborted'])
  })

  test('lists in its certificate all nodes that accepted and all that refused', async () => {
    const world = worldOf([node(takes), node(late(100, poor)), node(late(200, poor))], { quorum: 2 })
    const { headers } = await ask(world, send, [raw])
    await world.clock.advance(1000)
    const certificate = world.gateway.certificate(headers['x-quorate-answer'] ?? '')
    expect(certificate?.groups.map(({ weight, nodes }) => [weight, nodes])).toEqual([
      [1, ['a']],
      [2, ['b', 'c']],
    ])
    expect(world.gateway.disputes(10).map(({ id }) => id)).toContain(headers['x-quorate-answer'])
  })
})

/** What comes of the replies of several nodes; a node of operator `x` has `x` before its reply. */
const tight = fails(-32000, 'max fee per gas less than block base fee')
const broken = fails(-32099, 'broken')
const ofOperator = (operator: string, reply: Reply, rest: Script = {}) => node(reply, { operator, ...rest })
const refusedFor = (message: string) => ({ error: { code: -32003, message } })
const noFunds = refusedFor('insufficient funds for gas * price + value')
const failsAs = (reason: string) => ({ error: { code: -32010, data: { reason } } })

test.each<[string, readonly Script[], Parameters<typeof worldOf>[1], object]>([
  [
    'one of three refuses: sent',
    [node(poor), node(late(3000, takes)), node(broken)],
    {},
    { result: hash, ms: 3000 },
  ],
  [
    'one refuses and no other replies: silent',
    [node(poor), node(broken), node(broken)],
    {},
    failsAs('silent'),
  ],
  [
    'they refuse for different reasons: disagree',
    [node(poor), node(tight), node(broken)],
    {},
    failsAs('disagree'),
  ],
  [
    'a heavy one refuses: refused',
    [node(poor, { weight: 3 }), node(late(3000, takes)), node(broken)],
    { quorum: 3 },
    noFunds,
  ],
  [
    'a heavy one alone is too few operators: disagree',
    [node(poor, { weight: 5 }), node(tight), node(broken)],
    { operatorsMin: 2 },
    failsAs('disagree'),
  ],
  [
    'one operator refuses twice: sent',
    [
      ofOperator('x', poor),
      ofOperator('x', poor),
      ofOperator('y', late(100, takes)),
      ofOperator('z', broken),
    ],
    {},
    { result: hash, ms: 100 },
  ],
  [
    'an operator refuses for two reasons: counts for neither',
    [ofOperator('x', tight), ofOperator('x', poor), ofOperator('y', tight), ofOperator('z', late(40, poor))],
    { quorum: 2 },
    failsAs('disagree'),
  ],
  [
    'an operator accepts at one node and refuses at another: sent',
    [ofOperator('x', late(5, tight)), ofOperator('x', late(10, takes)), ofOperator('y', late(10, broken))],
    { quorum: 2 },
    { result: hash, ms: 10 },
  ],
  [
    'all of the few that take transactions refuse: refused',
    [node(poor), node(late(20, poor)), ...[1, 2, 3].map(() => node(takes, { writes: false }))],
    { quorum: 4, operatorsMin: 3 },
    { ...noFunds, ms: 20 },
  ],
  [
    'the hash comes in capitals: sent',
    [node(says(`0x${hash.slice(2).toUpperCase()}`)), node(broken)],
    {},
    { result: hash },
  ],
])('%s', async (_, scripts, options, expected) => {
  expect(await ask(worldOf(scripts, options), send, [raw])).toMatchObject(expected)
})

describe('a used nonce', () => {
  test('is looked up until the deadline at most', async () => {
    const seeking = { ...node(used), on: { [send]: used, eth_getTransactionByHash: hangs } }
    const world = worldOf([seeking, seeking, node(broken)], { quorum: 2 })
    expect(await ask(world, send, [raw])).toMatchObject({ error: {}, ms: 8000 })
  })

  test('that a quorum names after one node has accepted it is no refusal, where it is found', async () => {
    const found = { ...transaction(), hash }
    const script = (reply: Reply): Script => ({
      on: { [send]: reply, eth_getTransactionByHash: says(found), eth_getTransactionCount: says('0x7') },
    })
    const world = worldOf([script(takes), script(late(500, used)), script(late(500, used))], { quorum: 2 })
    expect(await ask(world, send, [raw])).toMatchObject({ result: hash })
    await world.clock.advance(2000)
    expect(await ask(world, 'eth_getTransactionCount', [sender.address, 'pending'])).toMatchObject({
      result: '0x8',
    })
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
    await ask(world, send, [raw])
    world.gateway.cordon(1, 'a', true)
    expect(await ask(world, send, [raw])).toMatchObject({ result: hash, ms: 5000 })
    expect(asked(world, send)).toBe('b@0 c@0')
  })

  test('after a refusal is broadcast again at once', async () => {
    const world = worldOf([node(poor), node(poor), node(late(5000, takes))])
    expect(await ask(world, send, [raw])).toMatchObject({ ...noFunds, ms: 750 })
    await ask(world, send, [raw])
    expect(asked(world, send)).toBe('a@0 b@0 c@0')
  })
})

describe('the next nonce', () => {
  const count = (latest: number, pending: number): Script => ({
    on: {
      eth_getTransactionCount: (received) =>
        says(hex(received.params[1] === 'pending' ? pending : latest))(received),
      [send]: takes,
    },
  })
  const next = async (world: ReturnType<typeof worldOf>) =>
    Number((await ask(world, 'eth_getTransactionCount', [sender.address, 'pending'])).result)

  test('is the highest that a quorum reaches', async () => {
    expect(await next(worldOf([count(5, 7), count(5, 6), count(5, 9)], { quorum: 2 }))).toBe(7)
    expect(await next(worldOf([count(5, 7), count(5, 6), count(5, 900)], { quorum: 3 }))).toBe(6)
  })

  test('is never below the agreed state', async () => {
    expect(await next(worldOf([count(8, 3), count(8, 2), count(8, 1)], { quorum: 2 }))).toBe(8)
  })

  test('is raised by one liar at most to the nonce of an honest node, and lowered at most to the agreed state', async () => {
    const silent = { on: { eth_getTransactionCount: hangs } }
    for (const [lie, nonce] of [
      [900, 7],
      [2 ** 40, 7],
      [6, 6],
      [0, 5],
    ] as const)
      for (const nodes of [
        [count(5, lie), count(5, 7), silent],
        [silent, count(5, 7), count(5, lie)],
      ]) {
        const world = worldOf(nodes, { quorum: 2 })
        await ask(world, 'eth_blockNumber')
        const answer = await ask(world, 'eth_getTransactionCount', [sender.address, 'pending'])
        expect(answer).toMatchObject({ result: hex(nonce), ms: 750 })
      }
  })

  test('has the agreement of the nodes that reach it', async () => {
    const world = worldOf([count(5, 7), count(5, 6), count(5, 9)], { quorum: 2 })
    const { headers } = await ask(world, 'eth_getTransactionCount', [sender.address, 'pending'])
    expect(headers['x-quorate-agreement']).toBe('2/2/3')
  })

  test('follows a transaction that a node has accepted and fewer than a quorum reject', async () => {
    const rejects = { on: { ...count(7, 7).on, [send]: poor } }
    const world = worldOf([count(7, 7), count(7, 7), rejects], { quorum: 2 })
    expect(await next(world)).toBe(7)
    await ask(world, send, [raw])
    await world.clock.advance(1000)
    expect(await next(world)).toBe(8)
    expect(Number((await ask(world, 'eth_getTransactionCount', [sender.address, 'latest'])).result)).toBe(7)
  })

  test('is not advanced by a transaction that only one node accepted and a quorum refused', async () => {
    const cheap = fails(-32000, 'max fee per gas less than block base fee')
    const on = (reply: Reply) => ({ on: { ...count(7, 7).on, [send]: reply } })
    const world = worldOf([on(takes), on(poor), on(cheap)], { quorum: 2 })
    expect(await ask(world, send, [raw])).toMatchObject({ result: hash })
    await world.clock.advance(1000)
    expect(await next(world)).toBe(7)
  })

  test('stays advanced when a replacement of the accepted transaction is refused', async () => {
    const world = worldOf([count(7, 7), count(7, 7), count(7, 7)], { quorum: 2 })
    await ask(world, send, [raw])
    const other = await signTransfer(7, 1, 2n)
    const under = late(5, fails(-32000, 'replacement transaction underpriced'))
    for (const [name, reply] of Object.entries({ a: says(keccak256(other)), b: under, c: under }))
      (world.nodes[name] as { on: Record<string, Reply> }).on[send] = reply
    await ask(world, send, [other])
    await world.clock.advance(100)
    expect(await next(world)).toBe(8)
  })

  test('is never cached', async () => {
    const world = worldOf([count(5, 7), count(5, 7)], { quorum: 2 })
    expect(await next(world)).toBe(7)
    for (const node of Object.values(world.nodes)) Object.assign(node, { on: count(5, 8).on })
    expect(await next(world)).toBe(8)
  })
})

function transaction() {
  return {
    type: '0x2',
    chainId: '0x1',
    nonce: '0x7',
    gas: '0x5208',
    maxFeePerGas: '0xa',
    maxPriorityFeePerGas: '0x1',
    to: `0x${'22'.repeat(20)}`,
    value: '0x1',
    input: '0x',
    accessList: [],
    from: sender.address.toLowerCase(),
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    ...signature,
  }
}
const { r, s, yParity } = parseTransaction(raw)
const signature = { r, s, yParity: hex(yParity ?? 0), v: hex(yParity ?? 0) }
