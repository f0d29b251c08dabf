import { type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { storageRootOf } from '../rpc-proxy/proofs/build-trie.ts'
import { ask, post } from '../support/ask.ts'
import {
  contract,
  headerHashOf,
  lie,
  nobodyThere,
  repliesOf,
  stateWith,
  truth,
} from '../support/proven-chain.ts'
import { fails, type Reply, says } from '../support/replies.ts'
import { blockAt, hex } from '../support/scripted-chain.ts'
import { asked, requestsOf, type Script, type World, type WorldOptions, worldOf } from '../support/world.ts'

/** A block that no head is linked to. */
const old = 900
const oldBlockOf = (stateRoot: Hex) => {
  const block = { ...blockAt(old), stateRoot }
  return { ...block, hash: headerHashOf(block) }
}
const oldBlock = oldBlockOf(truth.stateRoot)

const history: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935'
/** The state of the heads: the truth, and the hash of the old block where EIP-2935 keeps it. */
const now = (slots: readonly (readonly [Hex, bigint])[]) =>
  stateWith({ ...contract, address: history, slots, storageHash: storageRootOf(slots) })
const state = now([[pad(hex(old) as Hex), BigInt(oldBlock.hash)]])

/** A node that keeps old states. */
function archive(atHead: typeof state, block = oldBlock, stateThen = truth): Record<string, Reply> {
  const [newer, older] = [repliesOf(atHead), repliesOf(stateThen)]
  return {
    ...older,
    eth_getBlockByNumber: newer.eth_getBlockByNumber as Reply,
    eth_getBlockByHash: (received) => says(received.params[0] === block.hash ? block : null)(received),
    eth_getProof: (received) => {
      const { blockHash } = received.params[2] as { blockHash: string }
      return ((blockHash === block.hash ? older : newer).eth_getProof as Reply)(received)
    },
  }
}
const honest: Script = { on: archive(state) }
const worldWith = (scripts: readonly Script[], options: WorldOptions = {}): World =>
  worldOf(scripts, { proofs: 'auto', ...options })
const read = (world: World, method = 'eth_getBalance', of: Hex = contract.address) =>
  ask(world, method, [of, hex(old)])
const proven = { 'x-quorate-agreement': '3/1.5/3; proven', 'x-quorate-block': '900' }

describe('state of a block that is older than the agreed ones', () => {
  test('is proven: the head’s state has its hash, one node its header, one node the proof', async () => {
    const world = worldWith([honest, honest, honest])
    expect(await read(world)).toMatchObject({ result: hex(1e18), headers: proven })
    expect(requestsOf(world).map(({ node, method }) => `${node} ${method}`)).toEqual([
      'a eth_getProof',
      'a eth_getBlockByHash',
      'a eth_getProof',
    ])
  })

  test('takes one request more for each account then, and none for the same', async () => {
    const world = worldWith([honest, honest, honest])
    await read(world)
    const sent = () => world.requests.filter(({ method }) => method !== 'eth_getBlockByNumber').length
    const first = sent()
    expect(await read(world, 'eth_getBalance', nobodyThere)).toMatchObject({ result: '0x0', headers: proven })
    expect(await read(world, 'eth_getTransactionCount')).toMatchObject({ result: '0x1' })
    expect(sent() - first).toBe(1)
  })

  test('is looked up once for all calls of a batch', async () => {
    const world = worldWith([honest, honest, honest])
    const calls = ['eth_getBalance', 'eth_getTransactionCount'].map((method, id) => ({
      ...{ jsonrpc: '2.0', id, method, params: [contract.address, hex(old)] },
    }))
    expect(JSON.parse((await post(world, calls)).body)).toMatchObject([
      { result: hex(1e18) },
      { result: '0x1' },
    ])
    expect(requestsOf(world)).toHaveLength(3)
  })

  test('is true though all nodes but one made another up', async () => {
    const forged = oldBlockOf(lie.stateRoot)
    const poisoned: Script = {
      on: {
        ...archive(now([[pad(hex(old) as Hex), BigInt(forged.hash)]]), forged, lie),
        eth_getBlockByNumber: repliesOf(state).eth_getBlockByNumber as Reply,
      },
    }
    const world = worldWith([poisoned, poisoned, honest], { proofs: 'required' })
    expect(await read(world)).toMatchObject({ result: hex(1e18), headers: proven })
  })

  test('is not taken from a header that does not hash to the hash', async () => {
    const other = { ...oldBlock, stateRoot: lie.stateRoot }
    const forger: Script = { on: { ...archive(state), eth_getBlockByHash: says(other) } }
    const world = worldWith([forger, forger, honest], { proofs: 'required' })
    expect(await read(world)).toMatchObject({ result: hex(1e18), headers: proven })
    expect(world.events.flatMap((event) => (event.type === 'proof-fault' ? [event.method] : []))).toEqual([
      'eth_getBlockByHash',
      'eth_getBlockByHash',
    ])
  })

  test('is required to be proven: an error where the chain keeps no hashes', async () => {
    const plain: Script = { on: archive(now([])) }
    const world = worldWith([plain, plain, plain], { proofs: 'required' })
    expect(await read(world)).toMatchObject({ error: { code: -32010, data: { reason: 'unproven' } } })
  })

  test.each([
    ['the chain keeps no hashes', archive(now([])), 1],
    ['no node has its header', { ...archive(state), eth_getBlockByHash: says(null) }, 7],
    [
      'no node proves any state',
      {
        ...archive(state),
        eth_getProof: fails(-32601, 'the method eth_getProof does not exist/is not available'),
      },
      3,
    ],
  ])('is read by a quorum where %s', async (_, on, before) => {
    const world = worldWith([{ on }, { on }, { on }])
    expect(await read(world)).toMatchObject({
      result: hex(1e18),
      headers: { 'x-quorate-agreement': '2/1.5/3' },
    })
    expect(requestsOf(world)).toHaveLength(before + 2)
  })

  test('is read by a quorum where proofs are off, and nothing else is asked', async () => {
    const world = worldWith([honest, honest, honest], { proofs: 'off' })
    expect(await read(world)).toMatchObject({ result: hex(1e18) })
    expect(asked(world)).toBe('a@0 b@0')
  })

  test('is read by a quorum beyond the window of the contract', async () => {
    const world = worldWith([honest, honest, honest])
    for (const node of Object.values(world.nodes))
      node.on = { ...node.on, ...repliesOf(state, { head: 9092 }) }
    await read(world)
    expect(requestsOf(world, 'eth_getProof')).toEqual([])
  })
})

test('state of an old block at which all nodes fail is its caller’s doing: others have their proofs, and no node rests', async () => {
  const { eth_getProof: proof, ...rest } = archive(state)
  const failing = fails(-32099, 'broken')
  const overtaxed: Reply = (received) =>
    (received.params[2] as { blockHash: string }).blockHash === oldBlock.hash
      ? failing(received)
      : (proof as Reply)(received)
  const script = { on: { ...rest, eth_getProof: overtaxed, eth_getBalance: failing } }
  const world = worldWith([script, script, script])
  for (let of = 1; of <= 20; of++) {
    await read(world, 'eth_getBalance', pad(hex(of) as Hex, { size: 20 }))
    await world.clock.advance(50)
  }
  expect(requestsOf(world, 'eth_getProof').length).toBeGreaterThan(0)
  const { headers } = await ask(world, 'eth_getBalance', [nobodyThere, 'latest'])
  expect(headers['x-quorate-agreement']).toBe('3/1.5/3; proven')
  expect(world.gateway.snapshot().chains[0]?.nodes.map((node) => node.state)).toEqual(
    Array.from({ length: 3 }, () => 'usable'),
  )
})

test('the evidence of a look into the contract names its block and nothing else of it', async () => {
  const world = worldWith([honest, honest, honest])
  await read(world)
  const blocks = world.events.flatMap((event) => (event.type === 'verdict' ? [event.evidence.block] : []))
  for (const block of blocks) expect(Object.keys(block ?? {}).toSorted()).toEqual(['hash', 'number'])
})
