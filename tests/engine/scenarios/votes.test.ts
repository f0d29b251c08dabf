import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { fails, late, limited, reverts, says, unauthorized } from '../../support/replies.ts'
import { sends, worldOf } from '../../support/world.ts'
import { certificateOf, noQuorum } from '../support/outcomes.ts'

// Three different answers. Numbers in the titles are the rows of the case table.
const [A, B, C] = ['0xa', '0xb', '0xc'] as const

test('case 1: two of three agree, and the third is never asked', async () => {
  const world = worldOf([says(A), says(A), says(A)])
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 0 })
  expect(sends(world)).toBe('a@0 b@0')
})

test('case 2: a third is asked the moment two disagree', async () => {
  const world = worldOf([late(20, says(A)), late(30, says(B)), late(25, says(A))], { quorum: 2 })
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 55 })
  expect(sends(world)).toBe('a@0 b@0 c@30')
})

test('case 3: three different answers fail at once, and the certificate lists all of them', async () => {
  const world = worldOf([says(A), says(B), late(5, says(C))], { quorum: 2 })
  const answer = await rpc(world, 'eth_getBalance')
  expect(answer).toMatchObject({ ms: 5, status: 200, ...noQuorum('disagree') })
  expect(sends(world)).toBe('a@0 b@0 c@0')
  expect(certificateOf(world, answer)?.groups.map(({ text, nodes }) => [text, ...nodes])).toEqual([
    ['"0xa"', 'a'],
    ['"0xb"', 'b'],
    ['"0xc"', 'c'],
  ])
})

test('case 4: a slow node costs one stall and no more', async () => {
  const world = worldOf([late(3000, says(A)), says(A), says(A)], { quorum: 2 })
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 750 })
  expect(sends(world)).toBe('a@0 b@0 c@750')
})

test('case 7: two fast errors are not waited for', async () => {
  const world = worldOf([late(2, limited), late(5, limited), says(A), says(A)], { quorum: 2 })
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A, ms: 5 })
  expect(sends(world)).toBe('a@0 b@0 c@2 d@5')
})

test('case 9: weight is counted, not nodes', async () => {
  const nodes = [{ reply: says(A), weight: 2 }, says(B), says(B)]
  const light = worldOf(nodes, { quorum: 2 })
  expect(await rpc(light, 'eth_getBalance')).toMatchObject({ result: A })
  expect(sends(light)).toBe('a@0')
  const heavy = worldOf(nodes, { quorum: 3 })
  expect(await rpc(heavy, 'eth_getBalance')).toMatchObject({
    ms: 0,
    error: { data: { reason: 'disagree' } },
  })
  expect(sends(heavy)).toBe('a@0 b@0 c@0')
})

test('case 15: a revert is one verdict with any error text', async () => {
  const data = '0x08c379a0aa'
  const world = worldOf(
    [
      reverts(data),
      fails(-32015, 'execution reverted', data),
      fails(-32015, 'VM execution error.', `Reverted ${data}`),
    ],
    { quorum: 3 },
  )
  const answer = await rpc(world, 'eth_call')
  expect(answer).toMatchObject({
    ms: 0,
    status: 200,
    error: { code: 3, message: 'execution reverted', data },
  })
  expect(sends(world)).toBe('a@0 b@0 c@0')
})

test('case 16: one revert does not win against two results', async () => {
  const world = worldOf([says('0x0a'), reverts('0xdd'), says('0x0a')], { quorum: 2 })
  expect(await rpc(world, 'eth_call')).toMatchObject({ result: '0x0a', ms: 0 })
  expect(sends(world)).toBe('a@0 b@0 c@0')
})

test('case 22: nodes that will not answer are no disagreement', async () => {
  const world = worldOf([limited, unauthorized], { quorum: 2 })
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({
    ms: 0,
    error: { data: { reason: 'silent' } },
  })
  expect(sends(world)).toBe('a@0 b@0')
})

test('case 24: the second node of an operator adds nothing to the first', async () => {
  const world = worldOf(
    [
      { name: 'x1', operator: 'x', reply: says(A) },
      { name: 'x2', operator: 'x', reply: says(A) },
      { name: 'y', reply: says(A) },
    ],
    { quorum: 1, operatorsMin: 2 },
  )
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
  expect(sends(world)).toBe('x1@0 y@0')
})

test('case 25: an operator whose nodes contradict each other has no weight', async () => {
  const world = worldOf(
    [
      { name: 'x1', operator: 'x', reply: late(1000, says(A)) },
      { name: 'x2', operator: 'x', reply: late(500, says(B)) },
      { name: 'y', reply: late(5, fails(-32099, 'broken')) },
      { name: 'z', reply: says(B) },
      { name: 'w', reply: late(700, says(A)) },
    ],
    { quorum: 2 },
  )
  // B from x2 and z would be a quorum, and so would A from x1 and w: x has said both, so neither counts.
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ ms: 1700, ...noQuorum('disagree') })
  expect(sends(world)).toBe('x1@0 y@0 z@5 x2@750 w@1000')
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'equivocation', operator: 'x' }))
})

test('when two nodes of one operator estimate differently, the first estimate counts', async () => {
  const world = worldOf(
    [
      { operator: 'x', name: 'x1', reply: late(850, says('0x5208')) },
      { operator: 'x', name: 'x2', reply: late(150, says('0x5209')) },
      { operator: 'y', name: 'y', reply: late(1000, says('0x5208')) },
    ],
    { quorum: 2 },
  )
  await rpc(world, 'eth_blockNumber')
  // x1 stalls, so x2 is asked, and both answer before y.
  expect(await rpc(world, 'eth_estimateGas')).toMatchObject({ ms: 1000, result: '0x5208' })
  expect(sends(world)).toBe('x1@0 y@0 x2@750')
  expect(world.events.filter(({ type }) => type === 'equivocation')).toEqual([])
})

test('an operator with one node that reverts and one that estimates has no weight', async () => {
  const world = worldOf(
    [
      { operator: 'x', name: 'x1', reply: late(850, says('0x5208')) },
      { operator: 'x', name: 'x2', reply: late(150, reverts('0x08c379a0')) },
      { name: 'y', reply: late(1000, reverts('0x08c379a0')) },
      { name: 'z', reply: late(1000, says('0x5208')) },
    ],
    { quorum: 2 },
  )
  await rpc(world, 'eth_blockNumber')
  expect(await rpc(world, 'eth_estimateGas')).toMatchObject({ error: { code: -32010 } })
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'equivocation', operator: 'x' }))
})
