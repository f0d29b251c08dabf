import { expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { says } from '../../support/replies.ts'
import { blockAt, hex } from '../../support/scripted-chain.ts'
import { sends, worldOf } from '../../support/world.ts'
import { cache } from '../support/outcomes.ts'

const called = { returnData: '0x01', logs: [], gasUsed: '0x5208', status: '0x1' }
/** A simulated block has the number after its base block, and a hash that no real block has. */
const simulated = [{ ...blockAt(1000), hash: `0x${'5e'.repeat(32)}`, calls: [called] }]
const simulation = [{ blockStateCalls: [{ calls: [{ to: `0x${'ac'.repeat(20)}` }] }] }, hex(999)]
const uncle = { ...blockAt(999), hash: `0x${'0c'.repeat(32)}` }

test.each([
  ['a simulation', 'eth_simulateV1', simulation, simulated],
  ['an uncle', 'eth_getUncleByBlockNumberAndIndex', [hex(1000), '0x0'], uncle],
])(
  '%s does not mean another branch, although its number is known with another hash: it is asked once and cached',
  async (_, method, params, result) => {
    const world = worldOf([says(result), says(result), says(result)], { quorum: 2 })
    // Makes the hashes of blocks 1000 and 999 known.
    await rpc(world, 'eth_blockNumber')
    const numbers = [result].flat().map(({ number }) => ({ number }))
    const first = await rpc(world, method, params)
    expect([first.result].flat()).toMatchObject(numbers)
    expect(first).toMatchObject(cache('miss'))
    expect(sends(world)).toBe('a@0 b@0')
    expect(await rpc(world, method, params)).toMatchObject(cache('hit'))
  },
)
