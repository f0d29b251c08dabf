import { expect, test, vi } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { late, type Reply, says } from '../../support/replies.ts'
import { logAt } from '../../support/scripted-chain.ts'
import { sends, worldOf } from '../../support/world.ts'
import { faultsOf } from '../support/outcomes.ts'

/** Over a megabyte of logs, so that they are read in slices. */
const logs = Array.from({ length: 400 }, (_, index) => ({
  ...logAt(1000, index),
  data: `0x${index.toString(16).padStart(4000, '0')}`,
}))
const changed = (change: object) => logs.map((log, index) => (index === 200 ? { ...log, ...change } : log))

test('long answers agree regardless of the order of their logs', async () => {
  const world = worldOf([says(logs), says(logs.toReversed())], { quorum: 2 })
  const { result, headers } = await rpc(world, 'eth_getLogs')
  expect(JSON.stringify(logs).length).toBeGreaterThan(1 << 20)
  expect(result).toEqual(logs)
  expect(headers['x-quorate-agreement']).toBe('2/2/2')
})

test('one changed log in a long answer makes it a different answer', async () => {
  const world = worldOf([says(changed({ data: '0x' })), says(logs), says(logs)], { quorum: 2 })
  expect((await rpc(world, 'eth_getLogs')).result).toEqual(logs)
  expect(sends(world)).toBe('a@0 b@0 c@0')
})

test.each([
  ['a malformed hash', { blockHash: 'x' }],
  ['invalid topics', { topics: [1] }],
])('one log with %s in a long answer makes it a fault', async (_, change) => {
  const world = worldOf([says(changed(change)), says(logs), says(logs)], { quorum: 2 })
  expect((await rpc(world, 'eth_getLogs')).result).toEqual(logs)
  expect(faultsOf(world)).toEqual(['a malformed'])
})

const timed = logs.map((log) => ({ ...log, blockTimestamp: '0x1' }))

/** How often reading these replies yields to the event loop. */
async function turnsOf(replies: readonly Reply[], random = 0.5): Promise<number> {
  const world = worldOf(replies, { quorum: 2, random: () => random })
  const after = vi.spyOn(world.clock, 'after')
  expect((await rpc(world, 'eth_getLogs')).result).toEqual(logs)
  await world.clock.advance(100)
  return after.mock.calls.filter(([ms]) => ms === 0).length
}

test('normalizing long answers in two forms yields to the event loop', async () => {
  const toRead = await turnsOf([says(logs), says(logs)])
  expect(toRead).toBeGreaterThan(10)
  expect(await turnsOf([says(logs), says(timed)])).toBeGreaterThan(2 * toRead)
})

test('reading a long answer after the verdict yields too', async () => {
  const toRead = await turnsOf([says(logs), says(logs)])
  const other = late(10, says(changed({ data: '0x' })))
  expect(await turnsOf([says(logs), says(logs), other], 0)).toBe(2 * toRead)
})

test('a long answer after the verdict is still counted as dissent', async () => {
  const other = late(10, says(changed({ data: '0x' })))
  const world = worldOf([says(logs), says(logs), other], { quorum: 2, random: () => 0 })
  expect((await rpc(world, 'eth_getLogs')).result).toEqual(logs)
  await world.clock.advance(100)
  expect(world.events.filter(({ type }) => type === 'dissent')).toMatchObject([{ node: 'c' }])
})
