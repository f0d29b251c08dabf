import { expect, test } from 'vitest'
import { ask } from '../../support/ask.ts'
import type { Fork } from '../../support/scripted-chain.ts'
import { type ScriptedNode, worldOf } from '../../support/world.ts'

/** A restarted dev chain, with another genesis block. */
const restarted: Fork = { name: 'new', from: 0 }

test('nodes of a chain that was restarted with another genesis stay usable, even an hour later', async () => {
  const world = worldOf([{ head: 5000 }, { head: 5000 }, { head: 5000 }], { quorum: 2, headMaxAgeMs: 1000 })
  const watch = async (seconds: number) => {
    for (let turn = 0; turn < seconds; turn++) {
      await ask(world, 'eth_blockNumber')
      await world.clock.advance(1000)
    }
  }
  await watch(2)
  for (const node of Object.values(world.nodes) as ScriptedNode[])
    Object.assign(node, { head: 3, fork: restarted })
  await watch(40)
  expect(await ask(world, 'eth_blockNumber')).toMatchObject({ result: '0x3' })
  await world.clock.advance(3_600_000)
  await watch(3)
  expect(world.events.filter((event) => event.type === 'node-state' && event.to === 'rate-limited')).toEqual(
    [],
  )
})
