import { expect, test } from 'vitest'
import { withFilter, world } from './world.ts'

/** Holds two logs of the fake chain. */
const twoLogs = { answerBytesMax: 220 }
const large = { kind: 'answer-too-large' }

test('no answer exceeds the cap, and one of exactly that size is sent', async () => {
  const { filters, chain, ask, grow } = world()
  const poll = async (answerBytesMax: number) => {
    const id = await ask('eth_newFilter', {})
    grow((await chain.head()).number + 2)
    const { raw } = await filters.call('eth_getFilterChanges', [id], { ...chain, answerBytesMax })
    return raw.length
  }
  const whole = await poll(1000)
  expect(await poll(whole)).toBe(whole)
  expect(await poll(whole - 1)).toBe((whole - 3) / 2 + 2)
})

test('a block too large for any answer is an error, not skipped, and is sent once it fits', async () => {
  const { filters, chain, changes, grow, id } = await withFilter({}, twoLogs)
  grow(101)
  grow(102, { logs: 3 })
  expect(await changes()).toEqual(['+a101'])
  await expect(changes()).rejects.toMatchObject(large)
  await expect(changes()).rejects.toMatchObject(large)
  const { raw } = await filters.call('eth_getFilterChanges', [id], { ...chain, answerBytesMax: 1000 })
  expect(JSON.parse(raw)).toHaveLength(3)
})

test('empty blocks before a block that is too large are skipped', async () => {
  const { changes, grow, cut, asked } = await withFilter({}, twoLogs)
  grow(102, { logs: 0 })
  grow(103, { logs: 3 })
  expect(await changes()).toEqual([])
  await expect(changes()).rejects.toMatchObject(large)
  expect(asked).toEqual(['101-103', '103-103'])
  cut(102)
  grow(103, { branch: 'b' })
  expect(await changes()).toEqual(['+b103'])
})

test('removed logs of a reorg are spread too, newest first, before new logs', async () => {
  const { changes, grow, cut } = await withFilter({}, twoLogs)
  grow(102)
  await changes()
  grow(104)
  await changes()
  cut(101)
  grow(102, { branch: 'b' })
  expect(await changes()).toEqual(['-a104', '-a103'])
  expect(await changes()).toEqual(['-a102', '+b102'])
  expect(await changes()).toEqual([])
})

test('an undelivered answer is sent again, even if the next poll has already started', async () => {
  const { filters, chain, changes, grow, hooks, id } = await withFilter()
  grow(101)
  const { onUndelivered } = await filters.call('eth_getFilterChanges', [id], chain)
  grow(102)
  hooks.afterLogs = () => onUndelivered?.()
  expect(await changes()).toEqual(['+a101', '+a102'])
  expect(await changes()).toEqual([])
})

test('resending an earlier answer does not repeat what a later poll reported', async () => {
  const { filters, chain, changes, grow, id } = await withFilter()
  grow(101)
  const { onUndelivered } = await filters.call('eth_getFilterChanges', [id], chain)
  grow(102)
  expect(await changes()).toEqual(['+a102'])
  onUndelivered?.()
  expect(await changes()).toEqual([])
})
