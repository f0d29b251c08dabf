import { describe, expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { inTurn, type ReceivedCall, type Reply, says } from '../../support/replies.ts'
import { blockAt, type Fork, hashOf, hex, receiptAt } from '../../support/scripted-chain.ts'
import {
  chainOf,
  move,
  nodeOf,
  type Script,
  stateOf,
  statesOf,
  type World,
  worldOf,
} from '../../support/world.ts'
import { faultsOf, noQuorum, pollHeads } from '../support/outcomes.ts'

const A = '0xa'
const B = '0xb'
/** Another history, under our chain's id. */
const other: Fork = { name: 'other', from: 900 }
const checkpoint = { number: 950, hash: hashOf(950) }

const worldWith = (scripts: readonly Script[]) => worldOf(scripts, { quorum: 2, checkpoint })
const foreign: Script = { reply: says(B), fork: other }
const honest: Script = { reply: says(A) }
const answersOf = (world: World, name: string) =>
  world.requests.filter(
    ({ node, method, params }) => node === name && method !== 'eth_chainId' && params[0] !== hex(950),
  )

describe('a node that shows another block at the checkpoint', () => {
  test('is sent nothing, be they a quorum, and says why', async () => {
    const world = worldWith([foreign, foreign, honest, honest])
    expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
    expect(answersOf(world, 'a')).toEqual([])
    const why = 'shows another block at the checkpoint'
    expect(nodeOf(world, 'a')).toMatchObject({ state: 'rate-limited', why })
  })

  test('leaves no answer where every node does', async () => {
    const world = worldWith([foreign, foreign, foreign])
    expect(await rpc(world, 'eth_getBalance')).toMatchObject(noQuorum())
    expect(chainOf(world)).toMatchObject({ status: 'down' })
  })

  test('serves again once it shows the block', async () => {
    const world = worldWith([foreign, honest, honest])
    await rpc(world, 'eth_getBalance')
    move(world, { fork: null }, ['a'])
    await pollHeads(world, 90, 1000)
    expect(stateOf(world, 'a')).toBe('usable')
  })

  test('later on counts no more, nor does what it said before', async () => {
    const world = worldWith([honest, honest, honest])
    await rpc(world, 'eth_getBalance')
    move(world, { fork: other, reply: says(B) }, ['a', 'b'])
    await world.clock.advance(3_600_000)
    await rpc(world, 'eth_blockNumber')
    await pollHeads(world, 5, 1000)
    expect(statesOf(world)).toEqual(['rate-limited', 'rate-limited', 'usable'])
    expect(await rpc(world, 'eth_getBalance')).not.toMatchObject({ result: B })
  })
})

test('a node that keeps no such block is not taken to serve another chain', async () => {
  const blocks: Reply = (received) => says(received.params[0] === hex(950) ? null : blockAt(1000))(received)
  const pruned: Script = { reply: says(A), on: { eth_getBlockByNumber: blocks } }
  const world = worldWith([pruned, pruned])
  expect(await rpc(world, 'eth_getBalance')).toMatchObject({ result: A })
  expect(stateOf(world, 'a')).toBe('usable')
})

describe('nodes that show the checkpoint and then contradict it', () => {
  const isTag = (received: ReceivedCall) => /^(latest|safe|finalized)$/.test(String(received.params[0]))

  test.each([
    ['in its place', 950],
    ['in its child’s parent hash', 951],
  ])('have no head: %s', async (_, latest) => {
    const forked = blockAt(latest, { name: 'late', from: latest - 1 })
    const blocks: Reply = (received) => says(isTag(received) ? forked : blockAt(950))(received)
    const liar: Script = { on: { eth_getBlockByNumber: blocks } }
    const world = worldWith([liar, liar])
    expect(await rpc(world, 'eth_blockNumber')).toMatchObject(noQuorum())
    expect(faultsOf(world)).toContain('a wrong-chain')
  })

  const blocks = says(blockAt(1000))
  const receipt = receiptAt(950)
  const lie = { ...receipt, blockHash: hashOf(950, other) }
  test.each([
    ['eth_getBlockByNumber', [hex(950), false], blockAt(950), blockAt(950, other)],
    ['eth_getBlockByNumber', [hex(951), false], blockAt(951), blockAt(951, { name: 'x', from: 950 })],
    ['eth_getTransactionReceipt', [receipt.transactionHash], receipt, lie],
  ] as const)('have no vote: %s %j', async (method, params, truth, lie) => {
    const nodeThatSays = (value: object): Script => {
      // The first time it is asked for the checkpoint it is asked which chain it serves.
      const atCheckpoint = inTurn(says(blockAt(950)), says(value))
      const answer: Reply = (received) => {
        if (received.params[0] === hex(950)) return atCheckpoint(received)
        return (isTag(received) ? blocks : says(value))(received)
      }
      return { on: { [method]: answer } }
    }
    const world = worldWith([lie, lie, truth, truth].map(nodeThatSays))
    expect(await rpc(world, method, params)).toMatchObject({ result: truth })
    expect(faultsOf(world)).toEqual(['a malformed', 'b malformed'])
  })
})

test('a gateway without a checkpoint asks no node for it', async () => {
  const world = worldOf([honest, honest], { quorum: 2 })
  await rpc(world, 'eth_getBalance')
  expect(world.requests.filter(({ params }) => params[0] === hex(950))).toEqual([])
})
