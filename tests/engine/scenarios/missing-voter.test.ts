import { describe, expect, test } from 'vitest'
import { begin, rpc, until } from '../../support/gateway-calls.ts'
import { answersHttp, fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex } from '../../support/scripted-chain.ts'
import { move, type Script, type ScriptedNode, sends, type World, worldOf } from '../../support/world.ts'
import {
  accountOf,
  agreement,
  eventsOf,
  headersOf,
  pollHeads,
  uncached,
  witnesses,
} from '../support/outcomes.ts'

const lying = { name: 'lie', from: 0 }
const silences: readonly (readonly [string, Reply])[] = [
  ['hangs', hangs],
  ['refuses', fails(-32603, 'no')],
  ['answers 429', answersHttp(429, '', '1')],
]
const gone = (reply: Reply): Script => ({ reply, on: { eth_getBlockByNumber: reply, eth_chainId: reply } })

/** Two voters invent a chain, the third is silenced, and four honest witnesses stand by. */
const worldWith = ({ liar = {} as Script, silence = hangs, witness = {} as Script, weight = 2 } = {}) => {
  const lie: Script = { reply: says('0x1'), fork: lying, head: 1010, weight, ...liar }
  const others = witnesses(4, { reply: says('0x1'), ...witness })
  return worldOf([lie, lie, gone(silence), ...others], { headMaxAgeMs: 1000 })
}

type Parts = Parameters<typeof worldWith>[0] & object

/** What an everyday caller is told of the head, every 1.5 s. */
async function headsOf(world: World, polls: number) {
  const heads = []
  for (let poll = 0; poll < polls; poll++) {
    const { result, error, headers } = await rpc(world, 'eth_blockNumber')
    const agreement = (headers['x-quorate-agreement'] ?? '').split(/[/;]/).slice(0, 3).map(Number)
    heads.push({ head: result ?? error?.code, isThin: headers['x-quorate-thin'] === '1', agreement })
    await world.clock.advance(1500)
  }
  return heads
}

describe('two voters invent a head, and the third one is silenced', () => {
  const thin = (head: number) => ({ head: hex(head), isThin: true })
  const sure = (head: number) => ({ head: hex(head), isThin: false })
  const none = { head: -32010, isThin: false }
  const ofSilences = (title: string, liar: Script, head: object): readonly [string, Parts, object][] =>
    silences.map(([how, silence]) => [`it ${how}: ${title}`, { silence, liar }, head])

  // The first quorum decides, before anybody knows.
  const forked = { head: 1000, fork: { name: 'lie', from: 1000 } }
  const unheard = { liar: { head: 1000 }, witness: gone(hangs) }
  test.each<readonly [string, Parts, object]>([
    ...ofSilences('once it has failed in a poll, the head has a mark', {}, thin(1010)),
    ...ofSilences('a head that witnesses contradict at its own number is none', { head: 1000 }, none),
    ['nor is one that witnesses contradict where all show the block below', { liar: forked }, none],
    ['one held back on the one chain is confirmed', { liar: { head: 990, fork: null } }, sure(990)],
    ['witnesses who are silent contradict nothing: the head is thin', unheard, thin(1000)],
  ])('%s', async (_, parts, head) => {
    const heads = await headsOf(worldWith(parts), parts.silence === undefined ? 10 : 20)
    expect(heads.slice(1)).toMatchObject(heads.slice(1).map(() => head))
  })

  test.each<[string, Script]>([
    ['of a chain of their own', { head: 1000 }],
    ['that is held back', { head: 990, fork: null }],
  ])('witnesses that outweigh the liars show the head of their own, in place of one %s', async (_, liar) => {
    const heads = await headsOf(worldWith({ liar, weight: 1 }), 5)
    expect(heads.at(-1)).toMatchObject(sure(1000))
  })

  test.each<[string, number, Script, object]>([
    ['invent one, and are outweighed', 1, { head: 2000 }, sure(1000)],
    ['hold it back, and are outweighed', 1, { head: 900, fork: null }, sure(1000)],
    ['invent one, and are half of all', 2, { head: 2000 }, thin(2000)],
    ['hold it back, and are half of all', 2, { head: 900, fork: null }, sure(900)],
  ])(
    'they %s: from the fourth poll on a head is thin exactly where no more than half of all weight shows it',
    async (_, weight, liar, last) => {
      const heads = await headsOf(worldWith({ weight, liar }), 20)
      for (const { isThin, agreement } of heads.slice(3)) {
        const [agreed, needed, full] = agreement
        expect([needed, full]).toEqual([3 + weight, 5 + 2 * weight])
        expect(isThin).toBe(Number(agreed) < Number(needed))
      }
      expect(heads.at(-1)).toMatchObject(last)
    },
  )

  test.each(silences.slice(1))(
    'it %s before the liars reply: no head is without a mark',
    async (_, silence) => {
      const liar: Script = { on: { eth_chainId: late(50, says('0x1')) } }
      for (const { isThin } of await headsOf(worldWith({ silence, liar }), 3)) expect(isThin).toBe(true)
    },
  )

  test.each(silences)(
    'it %s, where no head is due for a long time: the second one has a mark',
    async (_, silence) => {
      const world = worldWith({ silence })
      await rpc(world, 'eth_blockNumber')
      await world.clock.advance(60_000)
      expect((await rpc(world, 'eth_blockNumber')).headers['x-quorate-thin']).toBe('1')
    },
  )

  test('a head that is held back on another chain is none either: witnesses are asked for its number', async () => {
    const heads = await headsOf(worldWith({ liar: { head: 990 } }), 10)
    for (const each of heads.slice(1)) expect(each.head).not.toBe(hex(990))
  })
})

test('a voter that is cordoned takes the mark off no head: what was agreed before it is thin at the next poll', async () => {
  const honest: Script = { reply: says('0x1') }
  const heavy = { ...honest, weight: 2 }
  const world = worldOf([heavy, heavy, honest, ...witnesses(4, gone(hangs))])
  await rpc(world, 'eth_blockNumber')
  world.gateway.cordon(1, 'c', true)
  await world.clock.advance(2500)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ ms: 0, ...headersOf({ thin: 1 }) })
})

test('a voter whose slots are taken for as long as a stall is silent: witnesses are asked', async () => {
  const voter: Script = { weight: 2, reply: says('0x1') }
  const busy: Script = { ...voter, inFlightMax: 1, reply: hangs }
  const others = witnesses(4, { reply: says('0x1') })
  const world = worldOf([voter, busy, says('0x1'), ...others], { quorum: 4 })
  await rpc(world, 'eth_blockNumber')
  const calls = [1, 2, 3].map((account) => begin(world, 'eth_getBalance', [accountOf(account), hex(1000)]))
  const { headers, ms } = await until(world, calls[2]!)
  expect([headers['x-quorate-agreement']?.split('; ')[1], ms]).toEqual(['policy=tightened', 750])
  for (const call of calls) await until(world, call)
})

test('a head that witnesses carry stands by their quorum when the voter is back: no everyday quorum shows it yet', async () => {
  const ahead: Script = { reply: says('0x1'), head: 1007 }
  const behind: Script = { reply: says('0x1'), head: 1000 }
  const world = worldOf([ahead, ahead, behind, behind, behind, ...witnesses(2, ahead)])
  for (const isOut of [true, false]) {
    world.gateway.cordon(1, 'e', isOut)
    await pollHeads(world, 1, 1500)
    await world.clock.advance(1500)
    const head = await rpc(world, 'eth_blockNumber')
    expect(head).toMatchObject({ result: hex(1007), ...agreement('4/4/7; policy=tightened') })
    expect(head.headers).not.toHaveProperty('x-quorate-thin')
  }
})

describe('half of the voters invent a head, and reply first in each poll', () => {
  const liar: Script = { reply: says('0xb'), fork: { name: 'lie', from: 1000 }, head: 1000 }
  const honest: Script = { reply: says('0xa'), head: 1000 }
  const worldOfHalves = (witness: Script) =>
    worldOf([liar, liar, honest, honest, ...witnesses(2, witness)], { headMaxAgeMs: 1000 })

  test('once a voter has shown another block, witnesses are asked: the head is the one that most show', async () => {
    const world = worldOfHalves(honest)
    const heads = await headsOf(world, 8)
    for (const each of heads.slice(2)) expect(each).toMatchObject({ head: hex(1000), isThin: false })
    expect(eventsOf(world, 'head').at(-1)?.block.hash).toBe(hashOf(1000))
  })

  test('their block at the number of the agreed one is no result', async () => {
    const world = worldOfHalves(honest)
    await headsOf(world, 4)
    const block = await rpc(world, 'eth_getBlockByNumber', ['latest', false])
    const honestly = { result: { hash: hashOf(1000) }, ...agreement('4/4/6; policy=tightened') }
    expect(block).toMatchObject(honestly)
  })

  test('where witnesses are silent it has a mark', async () => {
    const heads = await headsOf(worldOfHalves(gone(hangs)), 5)
    for (const each of heads.slice(1)) expect(each).toMatchObject({ head: hex(1000), isThin: true })
  })
})

test('a block of another branch that a caller asks for by its hash is sent to no witness', async () => {
  const orphan = blockAt(1000, { name: 'orphan', from: 1000 })
  const voter: Script = { reply: says(orphan) }
  const world = worldOf([voter, voter, voter, ...witnesses(1, voter)], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  const { result } = await rpc(world, 'eth_getBlockByHash', [orphan.hash, false])
  expect(result).toMatchObject({ hash: orphan.hash })
  expect(sends(world)).toBe('a@0 b@0')
})

test('while two of three voters hang, a witness that replies just after its stall completes the head', async () => {
  const slow: Reply = (received) => late(800, says(blockAt(Number(received.params[0]) || 1000)))(received)
  const all = [...witnesses(2, {}), ...witnesses(1, { on: { eth_getBlockByNumber: slow } })]
  const world = worldOf([gone(hangs), {}, gone(hangs), ...all], { headMaxAgeMs: 1000 })
  const first = await rpc(world, 'eth_blockNumber')
  expect(first).toMatchObject({ result: hex(1000), ...agreement('4/4/6; policy=tightened') })
  await world.clock.advance(10_000)
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: hex(1000), ms: 800 })
})

test('while voters hang, a new block is read as soon as a quorum with witnesses has it', async () => {
  const voter: Script = { reply: says('0x1') }
  const world = worldOf([voter, gone(hangs), gone(hangs), ...witnesses(4, voter)], { headMaxAgeMs: 1000 })
  await pollHeads(world, 3, 3000)
  await rpc(world, 'eth_getBalance', uncached(1))
  const next = begin(world, 'eth_getBalance', [accountOf(2), hex(1001)])
  await world.clock.advance(300)
  move(world, { head: 1001 })
  const found = { result: '0x1', ms: 400, ...agreement('4/4/7; policy=tightened') }
  expect(await until(world, next)).toMatchObject(found)
})

test('a head with a quorum is not marked thin when a slow witness replies to an older poll', async () => {
  const all = [...witnesses(2, {}), ...witnesses(1, { stallMs: 5000 })]
  const world = worldOf([{}, {}, gone(hangs), ...all], { headMaxAgeMs: 1000 })
  const slow = world.nodes.f as ScriptedNode
  slow.on.eth_getBlockByNumber = (received) =>
    late(2500, says(blockAt(Number(received.params[0]) || slow.head)))(received)
  for (let turn = 0; turn < 30; turn++) {
    const head = 1000 + Math.floor(turn / 3)
    move(world, { head })
    const { result, headers } = await rpc(world, 'eth_blockNumber')
    expect(headers['x-quorate-thin']).toBeUndefined()
    expect(Number(result)).toBeGreaterThanOrEqual(head - 1)
    await world.clock.advance(500)
  }
})
