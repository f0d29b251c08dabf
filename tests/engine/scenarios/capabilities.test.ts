import { describe, expect, test } from 'vitest'
import { begin, protect, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { hashOf, hex } from '../../support/scripted-chain.ts'
import { type Script, three, worldOf } from '../../support/world.ts'
import { noQuorum } from '../support/outcomes.ts'

const method = 'eth_capabilities'
const missing = fails(-32601, 'the method eth_capabilities does not exist/is not available')
const all = (entry: object) =>
  Object.fromEntries(
    ['state', 'tx', 'logs', 'receipts', 'blocks', 'stateproofs'].map((resource) => [resource, entry]),
  )
const head = { number: hex(1000), hash: hashOf(1000) }
const from = (block: number, more: object = {}) => ({ disabled: false, oldestBlock: hex(block), ...more })
const saying = (reply: Reply, rest: Reply = says('0x10')) => ({ reply: rest, on: { [method]: reply } })
const capable = (block: number, more?: object) => saying(says({ head, ...all(from(block, more)) }))

describe('eth_capabilities', () => {
  const window = { deleteStrategy: { type: 'window', retentionBlocks: '0x5a' } }
  const ofX = { ...capable(0), operator: 'x' }
  const disabled = { ...all(from(0)), stateproofs: { disabled: true } }
  const without = saying(says({ head, ...disabled }))
  const unsaid = saying(missing)
  const elsewhere = { ...capable(0), chainId: 137 }
  test.each<[string, readonly Script[], object]>([
    ['is that of a quorum', [capable(0), capable(910, window), capable(950)], all(from(910, window))],
    ['and not what one node claims', [capable(0), capable(900), capable(900)], all(from(900))],
    ['counts two nodes of one operator once', [ofX, ofX, capable(900)], all(from(900))],
    ['says disabled where too few have a kind of data', [without, without, capable(0)], disabled],
    ['leaves out the oldest block where nobody says it', [unsaid, unsaid, unsaid], all({ disabled: false })],
    ['has nothing from a node of another chain', [elsewhere, capable(900), capable(950)], all(from(950))],
  ])('%s', async (_, nodes, expected) => {
    const { result } = await rpc(worldOf(nodes, { quorum: 2 }), method)
    expect(result).toEqual({ head, ...expected })
  })

  test('begins behind the block that nodes have refused as pruned, whatever they say of themselves', async () => {
    const pruned = fails(-32000, 'missing trie node 0x01')
    const claim = says({ head, ...all(from(0)) })
    const world = worldOf([claim, missing, hangs].map((reply) => saying(reply, pruned)))
    await rpc(world, 'eth_getBalance', [`0x${'ac'.repeat(20)}`, hex(5)])
    const { result } = await rpc(world, method)
    expect(result).toEqual({ head, ...all({ disabled: false }), state: from(6) })
  })

  test('is answered without a node that hangs, and without what nobody can read', async () => {
    const odd = saying(says({ state: { oldestBlock: -1 }, logs: null }))
    const world = worldOf([capable(0), saying(hangs), odd], { quorum: 2 })
    const { result, ms } = await rpc(world, method)
    expect(result).toEqual({ head, ...all({ disabled: false }) })
    expect(ms).toBe(2000)
  })

  test('is answered though an earlier call had no head and one node hangs', async () => {
    const world = worldOf([capable(0), capable(0), saying(hangs)], { quorum: 2 })
    await rpc(world, 'eth_blockNumber')
    for (const { on } of Object.values(world.nodes)) on.eth_getBlockByNumber = hangs
    const headless = await rpc(world, method, [], protect)
    expect(headless).toMatchObject(noQuorum())
    expect(headless.ms).toBeLessThan(2000)
    const next = await rpc(world, method)
    expect(next).toMatchObject({ result: { head } })
    expect(next.ms).toBeLessThanOrEqual(2000)
  })

  test('asks a node once in ten minutes, however many call at once', async () => {
    const world = worldOf(three(saying(late(50, says({ head, ...all(from(0)) })))))
    const times = () => world.requests.filter((request) => request.method === method).length
    const both = [begin(world, method), begin(world, method)]
    for (const pending of both) expect(await until(world, pending)).toMatchObject({ result: all(from(0)) })
    await world.clock.advance(590_000)
    await rpc(world, method)
    expect(times()).toBe(3)
    await world.clock.advance(20_000)
    await rpc(world, method)
    expect(times()).toBe(6)
  })
})
