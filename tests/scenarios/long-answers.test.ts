import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { says } from '../support/replies.ts'
import { logAt } from '../support/scripted-chain.ts'
import { asked, worldOf } from '../support/world.ts'

/** Over a megabyte of logs, so that they are read in slices. */
const logs = Array.from({ length: 400 }, (_, index) => ({
  ...logAt(1000, index),
  data: `0x${index.toString(16).padStart(4000, '0')}`,
}))
const changed = (change: object) => logs.map((log, index) => (index === 200 ? { ...log, ...change } : log))

test('a long answer is agreed on like a short one, whatever its order', async () => {
  const world = worldOf([says(logs), says(logs.toReversed())], { quorum: 2 })
  const { result, headers } = await ask(world, 'eth_getLogs')
  expect(JSON.stringify(logs).length).toBeGreaterThan(1 << 20)
  expect(result).toEqual(logs)
  expect(headers['x-quorate-agreement']).toBe('2/2/2')
})

test('one changed log in the midst of a long answer splits it', async () => {
  const world = worldOf([says(changed({ data: '0x' })), says(logs), says(logs)], { quorum: 2 })
  expect((await ask(world, 'eth_getLogs')).result).toEqual(logs)
  expect(asked(world)).toBe('a@0 b@0 c@0')
})

test('one malformed log in the midst of a long answer makes it a fault', async () => {
  const world = worldOf([says(changed({ blockHash: 'x' })), says(logs), says(logs)], { quorum: 2 })
  expect((await ask(world, 'eth_getLogs')).result).toEqual(logs)
  const faults = world.events
    .filter(({ type }) => type === 'ask')
    .filter((event) => 'fault' in event && event.fault)
  expect(faults).toMatchObject([{ node: 'a', fault: 'malformed' }])
})

test('a node’s long answer that is no JSON inside is a fault', async () => {
  const world = worldOf([says(changed({ topics: [1] })), says(logs)], { quorum: 1 })
  expect((await ask(world, 'eth_getLogs')).result).toEqual(logs)
})
