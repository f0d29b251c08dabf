import { describe, expect, test } from 'vitest'
import { SendFault } from '#rpc-proxy'
import { ask, callOf, post } from '../support/ask.ts'
import { answersHttp, fails, hangs, inTurn, late, type Reply, says } from '../support/replies.ts'
import { hex } from '../support/scripted-chain.ts'
import { asked, type World, worldOf } from '../support/world.ts'

/** Whoever calls chooses how much work a call is. Nobody may thereby have nodes left out of what others ask. */
const account = `0x${'ac'.repeat(20)}`
const states = (world: World) => world.gateway.snapshot().chains[0]?.nodes.map(({ state }) => state)
const tooLarge: Reply = () => ({ afterMs: 0, says: { fault: new SendFault('too-large') } })
const three = (script: object) => worldOf([{ ...script }, { ...script }, { ...script }], { quorum: 2 })

describe('what a caller has chosen opens no breaker', () => {
  const heavy: readonly (readonly [string, (turn: number) => readonly unknown[]])[] = [
    ['eth_getLogs', (turn) => [{ fromBlock: hex(900 + turn), toBlock: hex(950) }]],
    ['eth_call', (turn) => [{ to: account, data: `0x0${turn}` }, 'latest']],
    ['eth_getProof', (turn) => [account, [hex(turn)], 'latest']],
    ['eth_getBlockReceipts', (turn) => [hex(900 + turn)]],
  ]
  const troubles: readonly (readonly [string, Reply])[] = [
    ['an answer over the cap', tooLarge],
    ['a gateway that gave up', answersHttp(504)],
    ['an odd error', fails(-32603, 'Internal error')],
    ['a time-out in words', fails(-32002, 'request timed out')],
  ]
  test.each(
    heavy.flatMap(([method, params]) => troubles.map(([name, reply]) => ({ method, name, params, reply }))),
  )('$method with $name', async ({ method, params, reply }) => {
    const world = three({ reply: says('0x1'), on: { [method]: reply } })
    for (let turn = 0; turn < 4; turn++)
      expect(await ask(world, method, params(turn))).toMatchObject({ error: { code: -32010 } })
    expect(states(world)).toEqual(['usable', 'usable', 'usable'])
  })

  test('but a node that answers nothing at all is told by its head', async () => {
    const world = three({ reply: says('0x1') })
    await ask(world, 'eth_blockNumber')
    const { on } = world.nodes.a as (typeof world.nodes)[string]
    on.eth_getBlockByNumber = answersHttp(502)
    on.eth_call = answersHttp(502)
    for (let turn = 0; turn < 4; turn++) {
      await world.clock.advance(5000)
      await ask(world, 'eth_call')
      await ask(world, 'eth_blockNumber')
    }
    expect(states(world)).toEqual(['open', 'usable', 'usable'])
  })

  test('logs over the cap are asked in parts', async () => {
    const world = three({
      on: {
        eth_getLogs: ((heard) => {
          const { fromBlock, toBlock } = heard.params[0] as { fromBlock: string; toBlock: string }
          return Number(toBlock) - Number(fromBlock) > 100 ? tooLarge(heard) : says([])(heard)
        }) satisfies Reply,
      },
    })
    const range = [{ fromBlock: hex(500), toBlock: hex(900), address: account }]
    expect(await ask(world, 'eth_getLogs', range)).toMatchObject({ result: [] })
  })

  test('a call that takes everybody long is no silence of whoever was asked last', async () => {
    const world = three({ reply: late(1600, says('0x')) })
    await ask(world, 'eth_blockNumber')
    for (let turn = 0; turn < 4; turn++) {
      expect(await ask(world, 'eth_call', [{ to: account, data: `0x0${turn}` }, 'latest'])).toMatchObject({
        ms: 1600,
      })
      expect(asked(world)).toBe('a@0 b@0 c@750')
    }
    expect(states(world)).toEqual(['usable', 'usable', 'usable'])
  })

  test('a node that hangs where others answer is found out all the same', async () => {
    const world = three({ reply: says('0x') })
    await ask(world, 'eth_blockNumber')
    ;(world.nodes.a as (typeof world.nodes)[string]).on.eth_call = hangs
    for (let turn = 0; turn < 3; turn++)
      await ask(world, 'eth_call', [{ to: account, data: `0x0${turn}` }, 'latest'])
    expect(states(world)).toEqual(['open', 'usable', 'usable'])
  })
})

describe('a batch to a node', () => {
  const reads = (count: number) =>
    Array.from({ length: count }, (_, index) => callOf('eth_getBalance', [account, hex(index)], index))
  const results = (body: string) =>
    (JSON.parse(body) as { result?: string }[]).map(({ result }) => result ?? null)

  test('that fails as a whole is one fault, however many calls were in it', async () => {
    const world = worldOf(
      [
        { reply: inTurn(answersHttp(503), says('0x1')), batchCallsMax: 10 },
        { reply: says('0x1') },
        { reply: says('0x1') },
      ],
      { quorum: 2 },
    )
    await ask(world, 'eth_blockNumber')
    await post(world, reads(5))
    expect(states(world)).toEqual(['usable', 'usable', 'usable'])
  })

  test('whose answers together are over the cap is made smaller, and nobody is blamed', async () => {
    const reply: Reply = (heard) => ((heard.batch?.length ?? 1) > 4 ? tooLarge(heard) : says('0x1')(heard))
    const world = worldOf(
      [1, 2, 3].map(() => ({ reply, batchCallsMax: 10 })),
      { quorum: 2 },
    )
    await ask(world, 'eth_blockNumber')
    await post(world, reads(6))
    expect(states(world)).toEqual(['usable', 'usable', 'usable'])
    const { body } = await post(world, reads(6))
    expect(results(body)).toEqual(Array.from({ length: 6 }, () => '0x1'))
  })
})
