import { describe, expect, test } from 'vitest'
import { ask } from '../../support/ask.ts'
import { fails, hangs, type Reply, says } from '../../support/replies.ts'
import { fullBloom, logAt, transactionHash } from '../../support/scripted-chain.ts'
import { type Script, type WorldOptions, worldOf } from '../../support/world.ts'

const bridge = { headers: { 'x-quorate-protect': 'bridge' } }
const block = 999
const logs = [logAt(block, 0)]
const [has, hasNone, isSilent, refuses] = [says(logs), says([]), hangs, fails(-32603, 'no')]
const params = [{ fromBlock: '0x3e7', toBlock: '0x3e7' }]
const node = (reply: Reply): Script => ({
  on: { eth_getLogs: reply },
  reply: says('0x1'),
  bloom: () => fullBloom,
})

async function logsOf(replies: readonly Reply[], options: WorldOptions = {}, headers: object = bridge) {
  const world = worldOf(replies.map(node), options)
  await ask(world, 'eth_blockNumber')
  return ask(world, 'eth_getLogs', params, headers)
}

describe('by the policy bridge', () => {
  test('logs are a result once all operators agree, an empty list too', async () => {
    const found = await logsOf([has, has, has, has])
    expect(found).toMatchObject({ result: logs })
    expect(found.headers['x-quorate-agreement']).toBe('4/4/4; policy=bridge')
    expect(await logsOf([hasNone, hasNone, hasNone])).toMatchObject({ result: [] })
  })

  const kinds: readonly (readonly [string, Reply])[] = [
    ['has none of them', hasNone],
    ['has another one', says([logAt(block, 1)])],
    ['is silent', isSilent],
    ['fails', refuses],
  ]
  test.each(kinds)('there is no result where one of five operators %s', async (_, reply) => {
    const answered = await logsOf([has, has, has, has, reply])
    expect(answered).toMatchObject({ error: { code: -32010 } })
    expect(await logsOf([has, has, has, has, reply], {}, {})).toMatchObject({ result: logs })
  })

  test.each(kinds)('no logs is no result where one of five operators %s', async (_, reply) => {
    if (reply === hasNone) return
    expect(await logsOf([hasNone, hasNone, hasNone, hasNone, reply])).toMatchObject({
      error: { code: -32010 },
    })
  })

  test('two operators are too few, and three enough', async () => {
    expect(await logsOf([has, has])).toMatchObject({ error: { code: -32010 } })
    expect(await logsOf([has, has, has])).toMatchObject({ result: logs })
  })

  test('two nodes of one operator are one of the three', async () => {
    const world = worldOf(
      [has, has, has].map((reply, index) => ({ ...node(reply), operator: `o${index % 2}` })),
    )
    expect(await ask(world, 'eth_getLogs', params, bridge)).toMatchObject({ error: { code: -32010 } })
  })

  test('a receipt that one operator lacks is no result, nor is its absence', async () => {
    const receipt = (reply: Reply): Script => ({
      on: { eth_getTransactionReceipt: reply },
      reply: says('0x1'),
    })
    const asked = (replies: readonly Reply[]) =>
      ask(worldOf(replies.map(receipt)), 'eth_getTransactionReceipt', [transactionHash], bridge)
    const none = says(null)
    expect(await asked([none, none, none])).toMatchObject({ result: null })
    expect(await asked([none, none, none, isSilent])).toMatchObject({ error: { code: -32010 } })
  })

  test('what others agreed on is not served from the cache', async () => {
    const world = worldOf([has, has, has, isSilent].map(node))
    for (const headers of [{}, { headers: { 'x-quorate-protect': '1' } }])
      expect(await ask(world, 'eth_getLogs', params, headers)).toMatchObject({ result: logs })
    expect(await ask(world, 'eth_getLogs', params, bridge)).toMatchObject({ error: { code: -32010 } })
  })

  test('other calls are protected', async () => {
    const world = worldOf([has, has, has, has, isSilent].map(node))
    const balance = await ask(world, 'eth_getBalance', undefined, bridge)
    expect(balance.headers['x-quorate-agreement']).toMatch(/policy=protected$/)
  })
})

describe('a configuration asks for it', () => {
  const dissent = [has, has, has, hasNone]
  const refused = { error: { code: -32010 } }

  test('by chain, by method, and not for others', async () => {
    expect(await logsOf(dissent, { protect: 'bridge' as unknown as object }, {})).toMatchObject(refused)
    expect(
      await logsOf(dissent, { protect: { methods: ['eth_getLogs'], policy: 'bridge' } }, {}),
    ).toMatchObject(refused)
    expect(await logsOf(dissent, { protect: { methods: ['eth_call'], policy: 'bridge' } }, {})).toMatchObject(
      {
        result: logs,
      },
    )
  })
})
