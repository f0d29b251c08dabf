import { describe, expect, test } from 'vitest'
import { account, rpc } from '../../support/gateway-calls.ts'
import { fails, inTurn, type Reply, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { move, sends, statesOf, worldOf } from '../../support/world.ts'
import { noQuorum } from '../support/outcomes.ts'

const simulation = [{ blockStateCalls: [{ calls: [{ from: account, to: account }] }] }, 'latest']
const pair = (...replies: [Reply, Reply]) => worldOf(replies, { quorum: 2 })

describe('a refusal that a quorum agrees on reaches the caller', () => {
  test('an estimate that exceeds the allowance, if the nodes name the same allowance', async () => {
    const short = (gas: number) => fails(-32000, `gas required exceeds allowance (${gas})`)
    const alike = pair(short(50_000_000), short(50_000_000))
    expect(await rpc(alike, 'eth_estimateGas', [{ to: account }])).toMatchObject({
      error: { code: -32000, message: 'gas required exceeds allowance (50000000)' },
    })
    const apart = pair(short(50_000_000), short(10_000))
    expect(await rpc(apart, 'eth_estimateGas', [{ to: account }])).toMatchObject(noQuorum())
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
  test('a contract that reverts with the text of a quota error', async () => {
    const reverts = fails(3, 'execution reverted: monthly quota exceeded', '0x08c379a0')
    const world = pair(reverts, reverts)
    expect(await rpc(world, 'eth_call', [{ to: account }])).toMatchObject({ error: { code: 3 } })
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })

  test('a log range refused with -32005 and no mention of a rate', async () => {
    const world = pair(fails(-32005, 'limit exceeded'), fails(-32005, 'limit exceeded'))
    await rpc(world, 'eth_getLogs', [{ fromBlock: hex(900), toBlock: hex(950) }])
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })
})

describe('a node with an exhausted quota', () => {
  const spent = fails(-32001, 'You have reached the usage limit for your current plan')

  test('is not asked again after a minute', async () => {
    const world = worldOf([inTurn(spent, says('0x1')), says('0x1')], { quorum: 1 })
    await rpc(world, 'eth_getBalance', [account, 'latest'])
    move(world, { on: { eth_getBlockByNumber: spent } }, ['a'])
    expect(statesOf(world)).toEqual(['rate-limited', 'usable'])
    await world.clock.advance(120_000)
    await rpc(world, 'eth_getBalance', [`0x${'bd'.repeat(20)}`, 'latest'])
    expect(sends(world, 'eth_getBalance')).toBe('b@0')
    expect(statesOf(world)?.[0]).toBe('rate-limited')
  })

  test('is asked again once it answers a head poll', async () => {
    const world = worldOf([inTurn(spent, says('0x1')), says('0x1')], { quorum: 1 })
    await rpc(world, 'eth_getBalance', [account, 'latest'])
    expect(statesOf(world)).toEqual(['rate-limited', 'usable'])
    await world.clock.advance(60_000)
    await rpc(world, 'eth_blockNumber')
    await world.clock.advance(1000)
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })
})
