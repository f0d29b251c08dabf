import { describe, expect, test } from 'vitest'
import { account, rpc } from '../../support/gateway-calls.ts'
import { fails, inTurn, limited, type Reply, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { move, sends, statesOf, worldOf } from '../../support/world.ts'
import { noQuorum, uncached } from '../support/outcomes.ts'

const simulation = [{ blockStateCalls: [{ calls: [{ from: account, to: account }] }] }, 'latest']
const pair = (...replies: [Reply, Reply]) => worldOf(replies, { quorum: 2 })

describe('a refusal that a quorum agrees on reaches the caller', () => {
  test('an estimate that exceeds the allowance, if the nodes name the same allowance', async () => {
    const error = { code: -32000, message: 'gas required exceeds allowance (50000000)' }
    const exceeds = fails(error.code, error.message)
    expect(await rpc(pair(exceeds, exceeds), 'eth_estimateGas')).toMatchObject({ error })
    const apart = pair(exceeds, fails(error.code, 'gas required exceeds allowance (10000)'))
    expect(await rpc(apart, 'eth_estimateGas')).toMatchObject(noQuorum())
  })

  test.each([
    [
      'an error code that eth_simulateV1 specifies, with any message',
      [fails(-38020, 'block numbers must be in order: 2 <= 3'), fails(-38020, 'out of order')],
      { code: -38020, message: 'block numbers must be in order' },
    ],
    [
      'a nonce too low in eth_simulateV1, even if one node uses another code',
      [fails(-38010, 'nonce too low'), fails(-32602, 'nonce too low: tx: 0 state: 1')],
      { code: -38010 },
    ],
  ] as const)('%s', async (_, replies, error) => {
    expect(await rpc(pair(...replies), 'eth_simulateV1', simulation)).toMatchObject({ error })
  })
})

describe('errors that a caller can provoke do not rest a node', () => {
  const quota = fails(3, 'execution reverted: monthly quota exceeded', '0x08c379a0')
  const range = [{ fromBlock: hex(900), toBlock: hex(950) }]
  test.each<[string, Reply, string, readonly unknown[], object]>([
    ['a revert with the text of a quota error', quota, 'eth_call', [{ to: account }], { error: { code: 3 } }],
    ['a log range refused without mention of a rate', limited, 'eth_getLogs', range, {}],
  ])('%s', async (_, reply, method, params, expected) => {
    const world = pair(reply, reply)
    expect(await rpc(world, method, params)).toMatchObject(expected)
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })
})

describe('a node with an exhausted quota', () => {
  const spent = fails(-32001, 'You have reached the usage limit for your current plan')

  test('is not asked again after a minute, until it answers a head poll', async () => {
    const world = worldOf([inTurn(spent, says('0x1')), says('0x1')], { quorum: 1 })
    await rpc(world, 'eth_getBalance', uncached(1))
    move(world, { on: { eth_getBlockByNumber: spent } }, ['a'])
    expect(statesOf(world)).toEqual(['rate-limited', 'usable'])
    await world.clock.advance(120_000)
    await rpc(world, 'eth_getBalance', uncached(2))
    expect(sends(world, 'eth_getBalance')).toBe('b@0')
    expect(statesOf(world)).toEqual(['rate-limited', 'usable'])
    move(world, { on: {} }, ['a'])
    await world.clock.advance(60_000)
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(1000)
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })
})
