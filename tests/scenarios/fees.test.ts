import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { says } from '../support/replies.ts'
import { asked, worldOf } from '../support/world.ts'

const history = says({
  oldestBlock: '0x3e7',
  baseFeePerGas: ['0x64', '0x65', '0x66'],
  gasUsedRatio: [0.5, 0.5],
  reward: [['0x3'], ['0x5']],
})
const nodes = [{ on: { eth_feeHistory: history } }, { on: { eth_feeHistory: history } }]

test('a price is derived from the agreed fee history, though callers may not ask for that', async () => {
  const world = worldOf(nodes, { quorum: 2, methods: { deny: ['eth_feeHistory'] } })
  expect(await ask(world, 'eth_gasPrice')).toMatchObject({ result: '0x6b' })
  expect(asked(world)).toBe('a@0 b@0')
  expect(await ask(world, 'eth_maxPriorityFeePerGas')).toMatchObject({ result: '0x5' })
  expect(await ask(world, 'eth_feeHistory', ['0x2', 'latest', []])).toMatchObject({ error: { code: -32601 } })
})

test('a price costs its caller what it costs, once', async () => {
  const rate = { costPerMinute: 6, siteCallsPerSecond: null, trustedHops: 0 }
  const world = worldOf(nodes, { quorum: 2, rate })
  const price = () => ask(world, 'eth_gasPrice', [], { caller: '192.0.2.1' })
  expect([(await price()).status, (await price()).status, (await price()).status]).toEqual([200, 200, 429])
})
