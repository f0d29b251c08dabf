import { describe, expect, test } from 'vitest'
import { protect, rpc } from '../../support/gateway-calls.ts'
import { fails, hangs, late, limited, type Reply, says } from '../../support/replies.ts'
import { blockAt, fullBloom, logAt, transactionHash } from '../../support/scripted-chain.ts'
import { raw } from '../../support/signed-transfer.ts'
import { type Script, sends, three, type World, worldOf } from '../../support/world.ts'
import { agreement, cache, headersOf, noQuorum, pollHeads, thin, witnesses } from '../support/outcomes.ts'

const [truth, lie] = ['0xa', '0xb'] as const
const read = 'eth_getBalance'

type Condition = 'honest' | 'poisoned' | 'unreachable'

const scriptOf = (condition: Condition): Script =>
  condition === 'unreachable'
    ? { reply: hangs, on: { eth_getBlockByNumber: hangs } }
    : { reply: says(condition === 'honest' ? truth : lie) }

/** Three voters and then witnesses, all known for what they are: an unreachable node has failed before. */
async function worldIn(conditions: readonly Condition[]): Promise<World> {
  const [a, b, c, ...others] = conditions.map(scriptOf) as [Script, Script, Script]
  const world = worldOf([a, b, c, ...others.flatMap((script) => witnesses(1, script))])
  await pollHeads(world, 4, 5000)
  await world.clock.advance(5000)
  return world
}

describe('three voters and three witnesses, each honest, poisoned or unreachable: 729 worlds', () => {
  const all = ['honest', 'poisoned', 'unreachable'] as const
  const worlds = Array.from({ length: 3 ** 6 }, (_, number) =>
    Array.from({ length: 6 }, (__, index) => all[Math.floor(number / 3 ** index) % 3] as Condition),
  )
  const weigh = (conditions: readonly Condition[], condition: Condition) =>
    conditions.filter((each) => each === condition).length

  test.each(
    worlds.filter((conditions) => weigh(conditions, 'poisoned') <= 3).map((each) => [each.join(' ')]),
  )('%s: no protected lie, and no unmarked one while a voter is unusable', async (text) => {
    const conditions = text.split(' ') as Condition[]
    const world = await worldIn(conditions)
    const guarded = await rpc(world, read, ['0x01'.padEnd(42, '0')], protect)
    expect(guarded.result ?? truth).toBe(truth)
    // Protected: more than half of six, and three operators.
    if (weigh(conditions, 'honest') >= 4) expect(guarded.result).toBe(truth)
    const everyday = await rpc(world, read, ['0x02'.padEnd(42, '0')])
    const isVoterDown = conditions.slice(0, 3).includes('unreachable')
    if (isVoterDown && everyday.result === lie) expect(everyday).toMatchObject(thin)
  })
})

describe('two of three voters are poisoned', () => {
  const liar: Script = { weight: 2, reply: says(lie) }
  const besides = (third: Script, witness: Reply = says(truth)) =>
    worldOf([liar, liar, third, ...witnesses(4, { reply: witness })])

  test.each([
    ['hangs', hangs],
    ['refuses', fails(-32603, 'no')],
    ['is rate-limited', limited],
  ])('the third one %s: a protected call is never told the lie, and soon fails', async (_, reply) => {
    const guarded = await rpc(besides({ reply }), read, undefined, protect)
    expect(guarded).toMatchObject(noQuorum('disagree'))
    expect(guarded.ms).toBeLessThanOrEqual(750)
  })

  test('an operator has cordoned the third one: the witnesses contradict the lie, and it is no result', async () => {
    const world = besides({ reply: says(truth) })
    await rpc(world, 'eth_blockNumber')
    world.gateway.cordon(1, 'c', true)
    expect(await rpc(world, read)).toMatchObject(noQuorum('disagree'))
  })

  test('and the witnesses are out of reach too: what is left is marked as thin', async () => {
    const world = besides({ reply: says(truth) }, hangs)
    await rpc(world, 'eth_blockNumber')
    world.gateway.cordon(1, 'c', true)
    const told = await rpc(world, read)
    // One witness at first, and when it has stalled all others.
    const marks = headersOf({ thin: 1, agreement: '4/5/9; policy=tightened' })
    expect(told).toMatchObject({ result: lie, ms: 1500, ...marks })
    const guarded = await rpc(world, read, undefined, protect)
    expect(guarded).toMatchObject(noQuorum('thin'))
    expect(guarded.ms).toBeLessThanOrEqual(1500)
  })
})

test('a protected call fails as thin, not as silent, where witnesses fail before the voters have replied', async () => {
  const down: Script = { reply: limited, role: 'witness' }
  const world = worldOf([late(50, says(truth)), late(50, says(truth)), down, down])
  expect(await rpc(world, read, undefined, protect)).toMatchObject({ ms: 0, ...noQuorum('thin') })
})

test('a lie is not even a thin result while a witness that contradicts it is slower than the liar', async () => {
  const no: Reply = fails(-32603, 'no')
  const slow: Script = { reply: late(50, says(truth)), role: 'witness' }
  const world = worldOf([no, says(lie), { reply: no, role: 'witness' }, slow])
  expect(await rpc(world, read)).toMatchObject({ ms: 50, ...noQuorum('disagree') })
})

test('a count that fits a head of one voter alone is no thin result while a witness counts otherwise', async () => {
  const head = (hashes: readonly string[]) => says({ ...blockAt(1000), transactions: hashes })
  const honest = { reply: says('0x1'), on: { eth_getBlockByNumber: late(50, head([transactionHash])) } }
  const world = worldOf([
    honest,
    { reply: says('0x0'), on: { eth_getBlockByNumber: head([]) } },
    { ...honest, role: 'witness' },
    { reply: fails(-32603, 'no'), role: 'witness' },
  ])
  await rpc(world, 'eth_blockNumber')
  const counted = await rpc(world, 'eth_getBlockTransactionCountByNumber', ['latest'])
  expect(counted).toMatchObject(noQuorum('disagree'))
})

test('what the node that must vote says with another one is the thin result, not what two others said before', async () => {
  const must: Script = { reply: late(20, says(truth)), required: true }
  const world = worldOf([says(lie), says(lie), must, late(40, says(truth))], { quorum: 2 })
  expect(await rpc(world, read)).toMatchObject({ result: truth, ...thin })
})

describe('four voters are of two minds, and all others refuse', () => {
  const refusing: Script = { reply: fails(-32603, 'no'), on: { eth_getBlockByNumber: fails(-32603, 'no') } }
  const log = logAt(1000, 0)
  /** The four begin to reply when the fifth voter has refused. */
  const worldWith = (forked: Script) => {
    const on = { eth_chainId: late(50, says('0x1')) }
    const bloom = () => fullBloom
    const liar: Script = { ...forked, reply: says(lie), on: { ...on, eth_getLogs: says([]) }, bloom }
    const honest: Script = { reply: late(20, says(truth)), on: { ...on, eth_getLogs: says([log]) }, bloom }
    return worldOf([refusing, liar, liar, honest, honest, ...witnesses(3, refusing)], { quorum: 2 })
  }

  test.each([
    ['a read of which each half is an everyday quorum is no coin toss', read, noQuorum('disagree')],
    ['an empty log list against the bloom is no other mind', 'eth_getLogs', { result: [log], ...thin }],
  ])('%s', async (_, method, expected) => {
    const world = worldWith({})
    await world.clock.advance(3000)
    expect(await rpc(world, method)).toMatchObject(expected)
  })

  test('the head is the block below their fork, which all four show', async () => {
    const { result, headers } = await rpc(worldWith({ fork: { name: 'lie', from: 1000 } }), 'eth_blockNumber')
    expect([Number(result), headers['x-quorate-thin']]).toEqual([999, '1'])
  })
})

describe('witnesses', () => {
  const honest = witnesses(3, { reply: says(truth) })
  const tightened = agreement('4/4/6; policy=tightened')
  const withBroken = () => worldOf([fails(-32603, 'broken'), says(truth), says(truth), ...honest])

  test('are sent nothing while all voters are usable and agree: no call, no head poll, no transaction', async () => {
    const world = worldOf([says(truth), says(truth), says(truth), ...honest])
    for (let block = 0; block < 5; block++) {
      await rpc(world, read, ['0x01'.padEnd(42, String(block))])
      await world.clock.advance(3000)
    }
    await rpc(world, 'eth_sendRawTransaction', [raw])
    expect(world.requests.filter(({ node }) => ['d', 'e', 'f'].includes(node))).toEqual([])
  })

  test('are asked at once when a voter fails, and their votes complete a majority of all', async () => {
    const world = withBroken()
    expect(await rpc(world, read)).toMatchObject({ result: truth, ...tightened })
    expect(sends(world)).toBe('a@0 b@0 c@0 d@0 e@0')
  })

  test('are asked when voters disagree, so that one honest voter is not outvoted by two liars', async () => {
    const world = worldOf([says(truth), says(lie), says(lie), ...honest])
    expect(await rpc(world, read)).toMatchObject({ result: truth, ...tightened })
  })

  test('find the head with those voters that are left, where the voters alone could not', async () => {
    const gone = scriptOf('unreachable')
    const head = await rpc(worldOf([gone, gone, says(truth), ...honest]), 'eth_blockNumber')
    expect(head).toMatchObject({ result: '0x3e8', ...tightened })
    expect(head.headers).not.toHaveProperty('x-quorate-thin')
  })

  test('what protected calls found is a cache hit for an everyday caller, and nothing else is one for a protected one', async () => {
    const confirmed = withBroken()
    await rpc(confirmed, read)
    expect(await rpc(confirmed, read)).toMatchObject(cache('hit'))
    for (const state of ['miss', 'hit'] as const)
      expect(await rpc(confirmed, read, undefined, protect)).toMatchObject(cache(state))
    const guarded = worldOf([1, 2, 3].map(() => says(truth)))
    await rpc(guarded, read, undefined, protect)
    expect(await rpc(guarded, read)).toMatchObject(cache('hit'))
    const silent = witnesses(2, { reply: hangs })
    const unsure = worldOf([fails(-32603, 'broken'), says(truth), says(truth), ...silent])
    expect(await rpc(unsure, read)).toMatchObject(thin)
    expect(await rpc(unsure, read)).toMatchObject(headersOf({ cache: 'hit', thin: 1 }))
    expect(await rpc(unsure, read, undefined, protect)).toMatchObject(noQuorum())
  })
})

describe('a configuration may protect', () => {
  const node: Script = { reply: says('0x0a'), on: { eth_getBalance: says(truth) } }
  const world = (protection: object) =>
    worldOf([...three(node), ...witnesses(3, node)], { protect: protection })
  const contract = `0x${'c0'.repeat(20)}`
  const [balances, code] = [{ methods: ['eth_getBalance'] }, { contracts: [contract] }]

  test.each<[string, object, string, readonly unknown[] | undefined, string]>([
    ['a method', balances, 'eth_getBalance', undefined, '4/4/6; policy=protected'],
    ['and no other', balances, 'eth_getCode', undefined, '2/1.5/3'],
    ['a contract', code, 'eth_call', [{ to: contract }], '4/4/6; policy=protected'],
    ['in any spelling', code, 'eth_call', [{ to: `0x${'C0'.repeat(20)}` }], '4/4/6; policy=protected'],
    ['reads of it', code, 'eth_getCode', [contract, 'latest'], '4/4/6; policy=protected'],
    ['and of no other', code, 'eth_call', [{ to: `0x${'c1'.repeat(20)}` }], '2/1.5/3'],
  ])('%s', async (_, protection, method, params, expected) => {
    expect(await rpc(world(protection), method, params)).toMatchObject(agreement(expected))
  })

  test('the number of operators, at most a majority of those configured', async () => {
    const guarded = await rpc(world({ operatorsMin: 64 }), read, undefined, protect)
    expect(guarded).toMatchObject(agreement('4/4/6; policy=protected'))
  })

  test('so that two operators who outweigh all others protect nothing', async () => {
    const heavy = { weight: 3, reply: says(lie) }
    const world = worldOf([heavy, heavy, ...witnesses(3, { reply: says(truth) })])
    expect(await rpc(world, read)).toMatchObject({ result: lie })
    expect(await rpc(world, read, undefined, protect)).toMatchObject(noQuorum('disagree'))
  })

  test('a node that must vote and takes no transactions is not waited for when one is rejected', async () => {
    const rejects: Script = { on: { eth_sendRawTransaction: fails(-32000, 'nonce too low') } }
    const world = worldOf([{ required: true, writes: false, reply: says(truth) }, rejects, rejects])
    const { error } = await rpc(world, 'eth_sendRawTransaction', [raw])
    expect(error).toMatchObject({ code: -32003, message: 'nonce too low' })
  })

  test('by a node that must vote: while it is down, heads and results are thin', async () => {
    const down: Script = { required: true, ...scriptOf('unreachable') }
    const world = worldOf([down, says(truth), says(truth)])
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: '0x3e8', ...thin })
    expect(await rpc(world, read)).toMatchObject({ result: truth, ...thin })
  })

  test('by a node that must vote: without it a protected call fails, and an everyday one is thin', async () => {
    const own = (reply: Reply) =>
      worldOf([{ reply, required: true }, says(truth), says(truth), ...witnesses(1, { reply: says(truth) })])
    expect(await rpc(own(says(truth)), read, undefined, protect)).toMatchObject({ result: truth })
    const without = own(fails(-32603, 'broken'))
    expect(await rpc(without, read, undefined, protect)).toMatchObject(noQuorum())
    expect(await rpc(without, read)).toMatchObject({ result: truth, ...thin })
  })
})
