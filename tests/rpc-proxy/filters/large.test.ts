import { expect, test } from 'vitest'
import { world } from './world.ts'

/** Room for two of the fake chain's logs, which are some hundred bytes each. */
const twoLogs = { answerBytesMax: 220 }
const large = { kind: 'answer-too-large' }

test('what one answer cannot hold is told by several, block by block, with nothing lost', async () => {
  const { ask, changes, grow, asked } = world(twoLogs)
  const id = await ask('eth_newFilter', {})
  grow(105)
  expect(await changes(id)).toEqual(['+a101', '+a102'])
  expect(await changes(id)).toEqual(['+a103', '+a104'])
  expect([await changes(id), await changes(id)]).toEqual([['+a105'], []])
  expect(asked).toEqual(['101-105', '103-105', '105-105'])
})

test('no answer is longer than the cap, and one of its length is told', async () => {
  const { filters, chain, ask, grow } = world()
  const poll = async (answerBytesMax: number) => {
    const id = await ask('eth_newFilter', {})
    grow((await chain.head()).number + 2)
    const { raw } = await filters.answer('eth_getFilterChanges', [id], { ...chain, answerBytesMax })
    return raw.length
  }
  const whole = await poll(1000)
  expect(await poll(whole)).toBe(whole)
  expect(await poll(whole - 1)).toBe((whole - 3) / 2 + 2)
})

test('a block that no answer holds is refused, not gone by, and comes when an answer holds it', async () => {
  const { filters, chain, ask, changes, grow } = world(twoLogs)
  const id = await ask('eth_newFilter', {})
  grow(101)
  grow(102, { logs: 3 })
  expect(await changes(id)).toEqual(['+a101'])
  await expect(changes(id)).rejects.toMatchObject(large)
  await expect(changes(id)).rejects.toMatchObject(large)
  const { raw } = await filters.answer('eth_getFilterChanges', [id], { ...chain, answerBytesMax: 1000 })
  expect(JSON.parse(raw)).toHaveLength(3)
})

test('blocks without news before one that no answer holds are gone by', async () => {
  const { ask, changes, grow, cut, asked } = world(twoLogs)
  const id = await ask('eth_newFilter', {})
  grow(102, { logs: 0 })
  grow(103, { logs: 3 })
  expect(await changes(id)).toEqual([])
  await expect(changes(id)).rejects.toMatchObject(large)
  expect(asked).toEqual(['101-103', '103-103'])
  cut(102)
  grow(103, { branch: 'b' })
  expect(await changes(id)).toEqual(['+b103'])
})

test('what a reorg takes back comes in pieces too, the newest first, before what is new', async () => {
  const { ask, changes, grow, cut } = world(twoLogs)
  const id = await ask('eth_newFilter', {})
  grow(102)
  await changes(id)
  grow(104)
  await changes(id)
  cut(101)
  grow(102, { branch: 'b' })
  expect(await changes(id)).toEqual(['-a104', '-a103'])
  expect(await changes(id)).toEqual(['-a102', '+b102'])
  expect(await changes(id)).toEqual([])
})

test('new blocks come in pieces', async () => {
  const { ask, changes, grow } = world({ answerBytesMax: 20 })
  const id = await ask('eth_newBlockFilter')
  grow(103)
  expect([await changes(id), await changes(id)]).toEqual([['a101', 'a102'], ['a103']])
})

test('an answer that did not reach its caller is told again, also after a poll that had nothing to tell', async () => {
  const { filters, chain, ask, changes, grow } = world()
  const id = await ask('eth_newFilter', {})
  const poll = () => filters.answer('eth_getFilterChanges', [id], chain)
  grow(101)
  const { onUndelivered } = await poll()
  onUndelivered?.()
  expect(await changes(id)).toEqual(['+a101'])
  grow(102)
  const second = await poll()
  grow(103, { logs: 0 })
  expect(await changes(id)).toEqual([])
  second.onUndelivered?.()
  expect(await changes(id)).toEqual(['+a102'])
})

test('so it is where the next poll is looking already', async () => {
  const { filters, chain, ask, changes, grow, hooks } = world()
  const id = await ask('eth_newFilter', {})
  grow(101)
  const { onUndelivered } = await filters.answer('eth_getFilterChanges', [id], chain)
  grow(102)
  hooks.afterLogs = () => onUndelivered?.()
  expect(await changes(id)).toEqual(['+a101', '+a102'])
  expect(await changes(id)).toEqual([])
})

test('what a later poll has told is not told twice for the sake of an earlier one', async () => {
  const { filters, chain, ask, changes, grow } = world()
  const id = await ask('eth_newFilter', {})
  grow(101)
  const { onUndelivered } = await filters.answer('eth_getFilterChanges', [id], chain)
  grow(102)
  expect(await changes(id)).toEqual(['+a102'])
  onUndelivered?.()
  expect(await changes(id)).toEqual([])
})

test('after a reorg of all that it remembers, a filter that must wait stands before the blocks to be told', async () => {
  const { ask, changes, grow, cut, hooks } = world()
  const id = await ask('eth_newFilter', {})
  cut(99)
  grow(101, { branch: 'b' })
  hooks.isSure = false
  expect(await changes(id)).toEqual([])
  hooks.isSure = true
  expect(await changes(id)).toEqual(['+b100', '+b101'])
})
