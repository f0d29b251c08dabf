import { expect, test } from 'vitest'
import { begin, callText, rpc, until } from '../../support/gateway-calls.ts'
import { hangs, late, says } from '../../support/replies.ts'
import { blockAt, hex } from '../../support/scripted-chain.ts'
import { hash, raw } from '../../support/signed-transfer.ts'
import { requestsOf, type Script, worldOf } from '../../support/world.ts'
import { drain } from '../support/outcomes.ts'

const send = 'eth_sendRawTransaction'

test('a transaction reaches every node, even when the engine drains after its caller was answered', async () => {
  const takes = says(hash)
  const late50 = { eth_chainId: late(50, says('0x1')) }
  const world = worldOf([takes, { reply: takes, on: late50 }, late(100, takes)], { quorum: 2 })
  await rpc(world, send, [raw])
  const { done, isDrained } = drain(world)
  await world.clock.until(isDrained)
  await done
  world.gateway.close()
  const ends = requestsOf(world, send).map(({ node, end }) => `${node} ${end}`)
  expect(ends).toEqual(['a answered', 'c answered', 'b answered'])
})

test('every call to drain resolves', async () => {
  const world = worldOf([{ reply: late(300, says('0x1')) }], { quorum: 1 })
  const call = begin(world, 'eth_getBalance')
  await world.clock.advance(0)
  const resolved: string[] = []
  void world.gateway.drain().then(() => resolved.push('first'))
  void world.gateway.drain().then(() => resolved.push('second'))
  await world.clock.advance(299)
  expect(resolved).toEqual([])
  await until(world, call)
  await world.clock.advance(0)
  expect(resolved).toEqual(['first', 'second'])
})

test('an idle engine drains at once', async () => {
  await expect(worldOf([says('0x1')]).gateway.drain()).resolves.toBeUndefined()
})

test('a closed engine sends nothing any more, also where it was looking for a block that enough nodes have', async () => {
  const node = (latest: number): Script => ({
    on: {
      eth_getBlockByNumber: (received) =>
        (received.params[0] === 'latest' ? says(blockAt(latest)) : hangs)(received),
    },
  })
  const world = worldOf([node(100), node(104)], { quorum: 2 })
  void begin(world, 'eth_blockNumber')
  await world.clock.advance(10)
  const sent = world.requests.length
  expect(world.requests.at(-1)?.params[0]).toBe(hex(100))
  world.gateway.close()
  await world.clock.advance(10_000)
  expect(world.requests).toHaveLength(sent)
})

test.each([{}, { 'x-quorate-protect': '1' }])(
  'a closed engine looks for no head for a call whose body comes later: %o',
  async (headers) => {
    const world = worldOf([says('0x1'), says('0x1'), says('0x1')])
    let arrive = () => {}
    const body = new Promise<{ text: string }>((resolve) => {
      arrive = () => resolve({ text: callText('eth_blockNumber', []) })
    })
    const call = begin(world, 'eth_blockNumber', [], { headers, read: () => body })
    world.gateway.close()
    arrive()
    expect((await until(world, call)).error?.code).toBe(-32010)
    expect(world.requests).toEqual([])
  },
)
