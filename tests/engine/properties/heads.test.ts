import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ask } from '../../support/ask.ts'
import { hangs } from '../../support/replies.ts'
import { hashOf } from '../../support/scripted-chain.ts'
import { type ScriptedNode, worldOf } from '../../support/world.ts'

/** One step: the height of the chain, the lag of each honest node, and the head of the liar. */
const turn = fc.record({
  grows: fc.nat(3),
  lags: fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4)),
  liar: fc.oneof(
    fc.constant(null),
    fc.record({ head: fc.nat(3000), name: fc.constantFrom('x', 'y'), from: fc.nat(900) }),
  ),
  waitMs: fc.constantFrom(5, 50, 2000),
})

test('the head is a block that enough honest nodes have, and it never goes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async (story) => {
      const world = worldOf([{}, {}, {}, {}], { quorum: 2, headMaxAgeMs: 10 })
      const [a, b, c, liar] = ['a', 'b', 'c', 'd'].map((name) => world.nodes[name]) as [
        ScriptedNode,
        ScriptedNode,
        ScriptedNode,
        ScriptedNode,
      ]
      let tip = 1000
      let highest = 0
      for (const { grows, lags, liar: lie, waitMs } of story) {
        tip += grows
        for (const [index, node] of [a, b, c].entries())
          node.head = Math.max(node.head, tip - (lags[index] ?? 0))
        if (lie === null) liar.on.eth_getBlockByNumber = hangs
        else {
          delete liar.on.eth_getBlockByNumber
          Object.assign(liar, { head: lie.head, fork: lie })
        }
        await world.clock.advance(waitMs)
        // A node that hangs may hold the poll up until its stall.
        const looked = world.gateway.refresh(0)
        await world.clock.advance(3000)
        await looked
        const { result } = await ask(world, 'eth_blockNumber')
        const head = world.gateway.snapshot().chains[0]?.head
        // Nodes that are apart are asked on after the answer: the poll may have found a higher block by now.
        expect(Number(result)).toBeGreaterThanOrEqual(highest)
        expect(Number(result)).toBeLessThanOrEqual(head?.number ?? 0)
        expect(head?.hash).toBe(hashOf(head?.number ?? 0))
        expect(head?.number).toBeGreaterThanOrEqual(highest)
        // Two of three honest nodes have it, and no node is above the tip.
        const reached = [a, b, c].map((node) => node.head).sort((one, other) => other - one)
        expect(head?.number).toBeLessThanOrEqual(reached[1] ?? 0)
        highest = head?.number ?? 0
      }
      expect(world.events.filter(({ type }) => type === 'reorg')).toEqual([])
    }),
    { numRuns: 25 },
  )
})
