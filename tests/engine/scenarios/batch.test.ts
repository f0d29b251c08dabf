import { expect, test, vi } from 'vitest'
import { eachTurn, underWayMax } from '../../../rpc-proxy/admission/batch-turns.ts'
import { beginPost, callOf, post, rpc, until } from '../../support/gateway-calls.ts'
import { late, says } from '../../support/replies.ts'
import { blockAt, hashOf } from '../../support/scripted-chain.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { move, requestsOf, three, worldOf } from '../../support/world.ts'
import { uncached } from '../support/outcomes.ts'

test('the calls of a large batch begin a few in each turn of the event loop, and are answered in their order', async () => {
  const turns: (() => void)[] = []
  const clock = { ...virtualClock(), defer: (run: () => void) => void turns.push(run) }
  const node = { inFlightMax: 1000, batchCallsMax: 1, on: { eth_getBalance: late(100, says('0xa')) } }
  const world = worldOf([node], { quorum: 1, clock })
  await rpc(world, 'eth_blockNumber')
  const ids = Array.from({ length: underWayMax + eachTurn + 1 }, (_, id) => id)
  const calls = ids.map((id) => callOf('eth_getBalance', uncached(id), id))
  const response = beginPost(world, calls)
  const sent = () => requestsOf(world, 'eth_getBalance').length
  await clock.advance(0)
  expect(sent()).toBe(underWayMax)
  turns.shift()?.()
  await clock.advance(0)
  expect(sent()).toBe(underWayMax + eachTurn)
  turns.shift()?.()
  expect(turns).toEqual([])
  const replies: readonly { id: number; result: string }[] = JSON.parse((await until(world, response)).body)
  expect(replies).toMatchObject(ids.map((id) => ({ id, result: '0xa' })))
})

test('a batch of a hundred calls for the same block parses it once', async () => {
  const input = `0x${'ab'.repeat(5000)}`
  const world = worldOf(three(says({ ...blockAt(1000), vendor: input })))
  const calls = Array.from({ length: 100 }, (_, id) => callOf('eth_getBlockByHash', undefined, id))
  const body = JSON.stringify(calls)
  const parse = vi.spyOn(JSON, 'parse')
  const response = await post(world, body)
  const parsed = parse.mock.calls.filter(([text]) => text.startsWith('{"number"') && text.includes(input))
  parse.mockRestore()
  expect(JSON.parse(response.body)).toHaveLength(100)
  expect(parsed).toHaveLength(1)
})

test('a made-up extra block number in one reply does not delay the call', async () => {
  const odd = { ...blockAt(1000), blockNumber: '0xffffff' }
  const world = worldOf([says(odd), says(blockAt(1000))], { quorum: 2 })
  expect(await rpc(world, 'eth_getBlockByHash')).toMatchObject({ result: blockAt(1000), ms: 0 })
})

test('after a caller has seen a block above the head, eth_blockNumber is at least that block', async () => {
  const seen = says(blockAt(1002))
  const world = worldOf([seen, seen], { quorum: 2 })
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: '0x3e8' })
  move(world, { head: 1002 })
  await rpc(world, 'eth_getBlockByHash', [hashOf(1002), false])
  expect(await rpc(world, 'eth_blockNumber')).toMatchObject({ result: '0x3ea', ms: 0 })
})
