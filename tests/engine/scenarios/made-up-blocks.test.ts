import { expect, test } from 'vitest'
import { ask } from '../../support/ask.ts'
import { says } from '../../support/replies.ts'
import { blockAt, hex } from '../../support/scripted-chain.ts'
import { asked, worldOf } from '../../support/world.ts'

const called = { returnData: '0x01', logs: [], gasUsed: '0x5208', status: '0x1' }
/** A simulated block has the number after its base block, and a hash that no real block has. */
const simulated = [{ ...blockAt(1000), hash: `0x${'5e'.repeat(32)}`, calls: [called] }]
const simulation = [{ blockStateCalls: [{ calls: [{ to: `0x${'ac'.repeat(20)}` }] }] }, hex(999)]
const cache = 'x-quorate-cache'

test('a simulation is asked once and cached, although its block number is known with another hash', async () => {
  const reply = says(simulated)
  const world = worldOf([reply, reply, reply], { quorum: 2 })
  // Makes the hashes of blocks 1000 and 999 known.
  await ask(world, 'eth_blockNumber')
  expect(await ask(world, 'eth_simulateV1', simulation)).toMatchObject({
    result: [{ number: hex(1000) }],
    headers: { [cache]: 'miss' },
  })
  expect(asked(world)).toBe('a@0 b@0')
  expect((await ask(world, 'eth_simulateV1', simulation)).headers[cache]).toBe('hit')
})

test('an uncle does not mean another branch: it is asked once and cached', async () => {
  const uncle = { ...blockAt(999), hash: `0x${'0c'.repeat(32)}` }
  const reply = says(uncle)
  const world = worldOf([reply, reply, reply], { quorum: 2 })
  await ask(world, 'eth_blockNumber')
  const params = [hex(1000), '0x0']
  expect((await ask(world, 'eth_getUncleByBlockNumberAndIndex', params)).headers[cache]).toBe('miss')
  expect(asked(world)).toBe('a@0 b@0')
  expect((await ask(world, 'eth_getUncleByBlockNumberAndIndex', params)).headers[cache]).toBe('hit')
})
