import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import {
  fails,
  hangs,
  inTurn,
  isBehind,
  late,
  limited,
  type Reply,
  reverts,
  says,
  unauthorized,
} from '../../support/replies.ts'
import { type Script, sends, worldOf } from '../../support/world.ts'
import { certificateOf, eventsOf, noQuorum } from '../support/outcomes.ts'

// Three different answers. Numbers in the titles are the rows of the case table.
const [A, B, C] = [says('0xa'), says('0xb'), says('0xc')]
/** A node of the operator that its name begins with. */
const node = (name: string, reply: Reply): Script => ({ name, operator: name.slice(0, 1), reply })
const twoOfX = [node('x1', A), node('x2', A)]
const community = { reply: hangs, community: true }
const estimate = says('0x5208')
const revert = reverts('0x08c379a0')

test.each<[string, readonly (Reply | Script)[], number, string]>([
  ['case 1: two of three agree, and the third is never asked', [A, A, A], 0, 'a@0 b@0'],
  ['case 2: a third is asked when two disagree', [late(20, A), late(30, B), late(25, A)], 55, 'a@0 b@0 c@30'],
  ['case 4: a slow node costs one stall and no more', [late(3000, A), A, A], 750, 'a@0 b@0 c@750'],
  ['case 7: no wait for fast errors', [late(2, limited), late(5, limited), A, A], 5, 'a@0 b@0 c@2 d@5'],
  ['each of two slow nodes is replaced', [hangs, hangs, A, late(10, A)], 760, 'a@0 b@0 c@750 d@750'],
  ['a community node stalls only after two seconds', [community, A, A], 2000, 'a@0 b@0 c@2000'],
  ['a node that is behind is asked once more, soon', [inTurn(isBehind, A), A, A], 100, 'a@0 b@0 a@100'],
  ['and only once more, and has no vote', [late(10, isBehind), A, A], 120, 'a@0 b@0 a@110 c@120'],
  ['nor has it a new stall', [inTurn(isBehind, hangs), A, A], 750, 'a@0 b@0 a@100 c@750'],
])('%s', async (_, nodes, ms, order) => {
  const world = worldOf(nodes, { quorum: 2 })
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: '0xa', ms })
  expect(sends(world)).toBe(order)
})

const weighing = (weight: number) => ({ reply: A, weight })
const [two, atLeastTwo] = [{ quorum: 2 }, { quorum: 1, operatorsMin: 2 }]
const [heavy, heaviest] = [weighing(2), weighing(5)]
test.each<[string, readonly (Reply | Script)[], object, object, string]>([
  ['case 9: weight is counted, not nodes', [heavy, B, B], { quorum: 2 }, { result: '0xa' }, 'a@0'],
  ['case 9: and it may be too little', [heavy, B, B], { quorum: 3 }, noQuorum('disagree'), 'a@0 b@0 c@0'],
  ['too few operators are no quorum', [heaviest, B], { operatorsMin: 2 }, noQuorum(), 'a@0 b@0'],
  ['case 22: no answer is no disagreement', [limited, unauthorized], two, noQuorum('silent'), 'a@0 b@0'],
  [
    'case 24: a second node adds nothing',
    [...twoOfX, node('y', A)],
    atLeastTwo,
    { result: '0xa' },
    'x1@0 y@0',
  ],
])('%s', async (_, nodes, options, expected, order) => {
  const world = worldOf(nodes, options)
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ ms: 0, ...expected })
  expect(sends(world)).toBe(order)
})

test('case 3: three different answers fail at once, and the certificate lists all of them', async () => {
  const world = worldOf([A, B, late(5, C)], { quorum: 2 })
  const answer = await rpc(world, 'eth_getBalance')
  expect(answer).toMatchObject({ ms: 5, status: 200, ...noQuorum('disagree') })
  expect(sends(world)).toBe('a@0 b@0 c@0')
  expect(certificateOf(world, answer)?.groups.map(({ text, nodes }) => [text, ...nodes])).toEqual([
    ['"0xa"', 'a'],
    ['"0xb"', 'b'],
    ['"0xc"', 'c'],
  ])
})

const data = '0x08c379a0aa'
const texts = [
  fails(-32015, 'execution reverted', data),
  fails(-32015, 'VM execution error.', `Reverted ${data}`),
]
const paid = says('0x01')
const reverted = { status: 200, error: { code: 3, message: 'execution reverted', data } }
test.each<[string, readonly Reply[], number, object]>([
  ['case 15: a revert is one verdict with any error text', [reverts(data), ...texts], 3, reverted],
  ['case 16: one revert does not win against two results', [paid, revert, paid], 2, { result: '0x01' }],
])('%s', async (_, nodes, quorum, expected) => {
  const world = worldOf(nodes, { quorum })
  expect(await rpc(world, 'eth_call')).toMatchObject({ ms: 0, ...expected })
  expect(sends(world)).toBe('a@0 b@0 c@0')
})

const equivocation = [expect.objectContaining({ operator: 'x' })]
test('case 25: an operator whose nodes contradict each other has no weight', async () => {
  const x = [node('x1', late(1000, A)), node('x2', late(500, B))]
  const others = [node('y', late(5, fails(-32099, 'broken'))), node('z', B), node('w', late(700, A))]
  const world = worldOf([...x, ...others], { quorum: 2 })
  // B from x2 and z would be a quorum, and so would A from x1 and w: x has said both, so neither counts.
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ ms: 1700, ...noQuorum('disagree') })
  expect(sends(world)).toBe('x1@0 y@0 z@5 x2@750 w@1000')
  expect(eventsOf(world, 'equivocation')).toEqual(equivocation)
})

test('when two nodes of one operator estimate differently, the first estimate counts', async () => {
  const x = [node('x1', late(850, estimate)), node('x2', late(150, says('0x5209')))]
  const world = worldOf([...x, node('y', late(1000, estimate))], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  // x1 stalls, so x2 is asked, and both answer before y.
  expect(await rpc(world, 'eth_estimateGas')).toMatchObject({ ms: 1000, result: '0x5208' })
  expect(sends(world)).toBe('x1@0 y@0 x2@750')
  expect(eventsOf(world, 'equivocation')).toEqual([])
})

test('an operator with one node that reverts and one that estimates has no weight', async () => {
  const x = [node('x1', late(850, estimate)), node('x2', late(150, revert))]
  const world = worldOf([...x, node('y', late(1000, revert)), node('z', late(1000, estimate))], { quorum: 2 })
  await rpc(world, 'eth_blockNumber')
  expect(await rpc(world, 'eth_estimateGas')).toMatchObject(noQuorum())
  expect(eventsOf(world, 'equivocation')).toEqual(equivocation)
})
