import { describe, expect, test } from 'vitest'
import { protect, rpc } from '../../support/gateway-calls.ts'
import { fails, hangs, type Reply, says } from '../../support/replies.ts'
import { fullBloom, logAt, transactionHash } from '../../support/scripted-chain.ts'
import { type Script, type WorldOptions, worldOf } from '../../support/world.ts'
import { agreement, noQuorum } from '../support/outcomes.ts'

const bridge = { headers: { 'x-quorate-protect': 'bridge' } }
const block = 999
const logs = [logAt(block, 0)]
const [has, hasNone, isSilent, refuses] = [says(logs), says([]), hangs, fails(-32603, 'no')]
const params = [{ fromBlock: '0x3e7', toBlock: '0x3e7' }]
const node = (reply: Reply): Script => ({
  on: { eth_getLogs: reply, eth_getTransactionReceipt: reply },
  reply: says('0x1'),
  bloom: () => fullBloom,
})

async function logsOf(replies: readonly Reply[], options: WorldOptions = {}, headers: object = bridge) {
  const world = worldOf(replies.map(node), options)
  await rpc(world, 'eth_blockNumber')
  return rpc(world, 'eth_getLogs', params, headers)
}

describe('by the policy bridge', () => {
  test('logs are a result once all operators agree, an empty list too', async () => {
    const byAll = { result: logs, ...agreement('4/4/4; policy=bridge') }
    expect(await logsOf([has, has, has, has])).toMatchObject(byAll)
    expect(await logsOf([hasNone, hasNone, hasNone])).toMatchObject({ result: [] })
  })

  test.each([
    ['has none of them', hasNone],
    ['has another one', says([logAt(block, 1)])],
    ['is silent', isSilent],
    ['fails', refuses],
  ])('there is no result where one of five operators %s, nor is "no logs" one', async (_, reply) => {
    expect(await logsOf([has, has, has, has, reply])).toMatchObject(noQuorum())
    expect(await logsOf([has, has, has, has, reply], {}, {})).toMatchObject({ result: logs })
    if (reply !== hasNone)
      expect(await logsOf([hasNone, hasNone, hasNone, hasNone, reply])).toMatchObject(noQuorum())
  })

  test('two operators are too few, and three enough', async () => {
    expect(await logsOf([has, has])).toMatchObject(noQuorum())
    expect(await logsOf([has, has, has])).toMatchObject({ result: logs })
  })

  test('two nodes of one operator are one of the three', async () => {
    const world = worldOf(['x', 'y', 'x'].map((operator) => ({ ...node(has), operator })))
    expect(await rpc(world, 'eth_getLogs', params, bridge)).toMatchObject(noQuorum())
  })

  test('a receipt that one operator lacks is no result, nor is its absence', async () => {
    const none = says(null)
    const asking = (...replies: readonly Reply[]) =>
      rpc(worldOf(replies.map(node)), 'eth_getTransactionReceipt', [transactionHash], bridge)
    expect(await asking(none, none, none)).toMatchObject({ result: null })
    expect(await asking(none, none, none, isSilent)).toMatchObject(noQuorum())
  })

  test('what others agreed on is not served from the cache', async () => {
    const world = worldOf([has, has, has, isSilent].map(node))
    for (const options of [{}, protect])
      expect(await rpc(world, 'eth_getLogs', params, options)).toMatchObject({ result: logs })
    expect(await rpc(world, 'eth_getLogs', params, bridge)).toMatchObject(noQuorum())
  })

  test('other calls are protected', async () => {
    const world = worldOf([has, has, has, has, isSilent].map(node))
    const balance = await rpc(world, 'eth_getBalance', undefined, bridge)
    expect(balance.headers['x-quorate-agreement']).toMatch(/policy=protected$/)
  })
})

test.each([
  ['by chain', 'bridge', noQuorum()],
  ['by method', { methods: ['eth_getLogs'], policy: 'bridge' }, noQuorum()],
  ['not for other methods', { methods: ['eth_call'], policy: 'bridge' }, { result: logs }],
])('a configuration asks for it %s', async (_, policy, expected) => {
  const dissent = [has, has, has, hasNone]
  expect(await logsOf(dissent, { protect: policy as object }, {})).toMatchObject(expected)
})
