import { describe, expect, test } from 'vitest'
import { account, ask } from '../../support/ask.ts'
import { fails, inTurn, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { asked, statesOf, worldOf } from '../../support/world.ts'

const simulation = [{ blockStateCalls: [{ calls: [{ from: account, to: account }] }] }, 'latest']

describe('a refusal that a quorum agrees on reaches the caller', () => {
  test('an estimate that exceeds the allowance, if the nodes name the same allowance', async () => {
    const short = (gas: number) => fails(-32000, `gas required exceeds allowance (${gas})`)
    const alike = worldOf([short(50_000_000), short(50_000_000)], { quorum: 2 })
    expect(await ask(alike, 'eth_estimateGas', [{ to: account }])).toMatchObject({
      error: { code: -32000, message: 'gas required exceeds allowance (50000000)' },
    })
    const apart = worldOf([short(50_000_000), short(10_000)], { quorum: 2 })
    expect(await ask(apart, 'eth_estimateGas', [{ to: account }])).toMatchObject({ error: { code: -32010 } })
  })

  test('an error code that eth_simulateV1 specifies, with any message', async () => {
    const world = worldOf(
      [fails(-38020, 'block numbers must be in order: 2 <= 3'), fails(-38020, 'out of order')],
      {
        quorum: 2,
      },
    )
    expect(await ask(world, 'eth_simulateV1', simulation)).toMatchObject({
      error: { code: -38020, message: 'block numbers must be in order' },
    })
  })

  test('a nonce too low in eth_simulateV1, even if one node uses another code', async () => {
    const world = worldOf([fails(-38010, 'nonce too low'), fails(-32602, 'nonce too low: tx: 0 state: 1')], {
      quorum: 2,
    })
    expect(await ask(world, 'eth_simulateV1', simulation)).toMatchObject({ error: { code: -38010 } })
  })
})

describe('errors that a caller can provoke do not rest a node', () => {
  test('a contract that reverts with the text of a quota error', async () => {
    const reverts = fails(3, 'execution reverted: monthly quota exceeded', '0x08c379a0')
    const world = worldOf([reverts, reverts], { quorum: 2 })
    expect(await ask(world, 'eth_call', [{ to: account }])).toMatchObject({ error: { code: 3 } })
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })

  test('a log range refused with -32005 and no mention of a rate', async () => {
    const world = worldOf([fails(-32005, 'limit exceeded'), fails(-32005, 'limit exceeded')], { quorum: 2 })
    await ask(world, 'eth_getLogs', [{ fromBlock: hex(900), toBlock: hex(950) }])
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })
})

describe('a node with an exhausted quota', () => {
  const spent = fails(-32001, 'You have reached the usage limit for your current plan')

  test('is not asked again after a minute', async () => {
    const world = worldOf([inTurn(spent, says('0x1')), says('0x1')], { quorum: 1 })
    await ask(world, 'eth_getBalance', [account, 'latest'])
    const { on } = world.nodes.a as (typeof world.nodes)[string]
    on.eth_getBlockByNumber = spent
    expect(statesOf(world)).toEqual(['rate-limited', 'usable'])
    await world.clock.advance(120_000)
    await ask(world, 'eth_getBalance', [`0x${'bd'.repeat(20)}`, 'latest'])
    expect(asked(world, 'eth_getBalance')).toBe('b@0')
    expect(statesOf(world)?.[0]).toBe('rate-limited')
  })

  test('is asked again once it answers a head poll', async () => {
    const world = worldOf([inTurn(spent, says('0x1')), says('0x1')], { quorum: 1 })
    await ask(world, 'eth_getBalance', [account, 'latest'])
    expect(statesOf(world)).toEqual(['rate-limited', 'usable'])
    await world.clock.advance(60_000)
    await ask(world, 'eth_blockNumber')
    await world.clock.advance(1000)
    expect(statesOf(world)).toEqual(['usable', 'usable'])
  })
})
