import { describe, expect, test } from 'vitest'
import { begin, protect, rpc, until } from '../../support/gateway-calls.ts'
import { fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { hashOf, hex } from '../../support/scripted-chain.ts'
import { worldOf } from '../../support/world.ts'

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
  test.each([
    [
      'as far back as a quorum goes, with the window of the node that decides',
      [0, 910, 950],
      from(910, window),
    ],
    ['not what one node claims', [0, 900, 900], from(900)],
  ])('is %s', async (_, blocks, entry) => {
    const world = worldOf(
      blocks.map((block) => capable(block, block === 910 ? window : {})),
      { quorum: 2 },
    )
    expect(await rpc(world, method)).toMatchObject({ result: { head, ...all(entry) } })
  })
  test('counts two nodes of one operator once', async () => {
    const nodes = [0, 0, 900].map((block) => ({ ...capable(block), operator: block === 0 ? 'a' : 'b' }))
    const world = worldOf(nodes, { quorum: 2 })
    expect(await rpc(world, method)).toMatchObject({ result: all(from(900)) })
  })

  test('says disabled where too few have a kind of data', async () => {
    const without = saying(says({ head, ...all(from(0)), stateproofs: { disabled: true } }))
    const world = worldOf([without, without, capable(0)], { quorum: 2 })
    const { result } = await rpc(world, method)
    expect(result).toEqual({ head, ...all(from(0)), stateproofs: { disabled: true } })
  })

  test('leaves out the oldest block where nobody has said it', async () => {
    const world = worldOf([saying(missing), saying(missing), saying(missing)], { quorum: 2 })
    const { result } = await rpc(world, method)
    expect(result).toEqual({ head, ...all({ disabled: false }) })
  })

  test('begins behind the block that nodes have refused as pruned, whatever they say of themselves', async () => {
    const pruned = fails(-32000, 'missing trie node 0x01')
    const claim = says({ head, ...all(from(0)) })
    const world = worldOf([saying(claim, pruned), saying(missing, pruned), saying(hangs, pruned)], {
      quorum: 2,
    })
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
    expect(headless).toMatchObject({ error: { code: -32010 } })
    expect(headless.ms).toBeLessThan(2000)
    const next = await rpc(world, method)
    expect(next).toMatchObject({ result: { head } })
    expect(next.ms).toBeLessThanOrEqual(2000)
  })

  test('has nothing from a node of another chain', async () => {
    const { on, ...rest } = capable(0)
    const elsewhere = { ...rest, on: { ...on, eth_chainId: says('0x89') } }
    const world = worldOf([elsewhere, capable(900), capable(950)], { quorum: 2 })
    expect(await rpc(world, method)).toMatchObject({ result: all(from(950)) })
  })

  test('asks a node once in ten minutes, however many call at once', async () => {
    const script = saying(late(50, says({ head, ...all(from(0)) })))
    const world = worldOf([script, script, script], { quorum: 2 })
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
