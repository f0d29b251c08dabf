import { expect, test } from 'vitest'
import type { NodeListener, NodePeers } from '#rpc-proxy'
import { rpc } from '../../support/gateway-calls.ts'
import { answersHttp, says } from '../../support/replies.ts'
import { nodeOf, type Script, sends, three, type World, worldOf } from '../../support/world.ts'

/** Engines with the same three nodes, of which two must agree. What one says of a node the others learn at once. */
function engines(count: number, script: Partial<Script> = {}): readonly World[] {
  const all: Map<string, NodeListener>[] = []
  return Array.from({ length: count }, (_, own) => {
    const listeners = new Map<string, NodeListener>()
    all.push(listeners)
    const others = (node: string) => all.flatMap((each, at) => (at === own ? [] : (each.get(node) ?? [])))
    const nodePeers: NodePeers = {
      spent(node, requests) {
        for (const other of others(node)) other.spent(requests)
      },
      limited(node, ms) {
        for (const other of others(node)) other.limited(ms)
      },
      listen: (node, listener) => void listeners.set(node, listener),
    }
    return worldOf(three({ reply: says('0x1'), ...script }), { nodePeers })
  })
}

test('a node that limits the rate of one engine is left alone by all, for as long as it said', async () => {
  const [one, other] = engines(2) as [World, World]
  for (const world of [one, other]) await rpc(world, 'eth_blockNumber')
  one.nodes.a!.on.eth_getBalance = answersHttp(429, '', '30')
  await rpc(one, 'eth_getBalance')
  expect(nodeOf(other, 'a')).toMatchObject({ state: 'rate-limited' })
  await rpc(other, 'eth_getBalance')
  expect(sends(other)).toBe('b@0 c@0')
  await other.clock.advance(31_000)
  await rpc(other, 'eth_getTransactionCount')
  expect(sends(other)).toContain('a@')
})

test('three engines together send a node what it allows per day', async () => {
  const worlds = engines(3, { perDay: 40 })
  for (const world of worlds) await rpc(world, 'eth_getBalance')
  const sent = worlds.flatMap(({ requests }) => requests.filter(({ node }) => node === 'a'))
  for (const world of worlds) expect(nodeOf(world, 'a')?.leftToday).toBe(40 - sent.length)
})
