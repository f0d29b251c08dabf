import { expect, test, vi } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { late, type Reply, says } from '../../support/replies.ts'
import { logAt } from '../../support/scripted-chain.ts'
import { sends, worldOf } from '../../support/world.ts'
import { eventsOf, faultsOf } from '../support/outcomes.ts'

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

test.each([
  ['other data makes it a different answer', { data: '0x' }, []],
  ['a malformed hash makes it a fault', { blockHash: 'x' }, ['a malformed']],
  ['invalid topics makes it a fault', { topics: [1] }, ['a malformed']],
])('one log in a long answer with %s', async (_, change, faults) => {
  const world = worldOf([says(changed(change)), says(logs), says(logs)], { quorum: 2 })
  expect((await rpc(world, 'eth_getLogs')).result).toEqual(logs)
  expect(sends(world)).toBe('a@0 b@0 c@0')
  expect(faultsOf(world)).toEqual(faults)
})

const timed = logs.map((log) => ({ ...log, blockTimestamp: '0x1' }))

/** How often reading these replies yields to the event loop. */
async function turnsOf(replies: readonly Reply[], { random = 0.5, dissenting = [] as string[] } = {}) {
  const world = worldOf(replies, { quorum: 2, random: () => random })
  const after = vi.spyOn(world.clock, 'after')
  expect((await rpc(world, 'eth_getLogs')).result).toEqual(logs)
  await world.clock.advance(100)
  expect(eventsOf(world, 'dissent').map(({ node }) => node)).toEqual(dissenting)
  return after.mock.calls.filter(([ms]) => ms === 0).length
}

test('normalizing long answers in two forms yields to the event loop', async () => {
  const toRead = await turnsOf([says(logs), says(logs)])
  expect(toRead).toBeGreaterThan(10)
  expect(await turnsOf([says(logs), says(timed)])).toBeGreaterThan(2 * toRead)
})

test('reading a long answer after the verdict yields too, and it is still counted as dissent', async () => {
  const toRead = await turnsOf([says(logs), says(logs)])
  const other = late(10, says(changed({ data: '0x' })))
  expect(await turnsOf([says(logs), says(logs), other], { random: 0, dissenting: ['c'] })).toBe(2 * toRead)
})
