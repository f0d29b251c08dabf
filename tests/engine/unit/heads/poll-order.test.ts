import { expect, test } from 'vitest'
import { inTurn } from '../../../../rpc-proxy/heads/poll-order.ts'
import { electorateOf } from '../../../../rpc-proxy/quorum/electorate.ts'
import type { NodeIndex } from '../../../../rpc-proxy/runtime/indexes.ts'

const nodes = [0, 1, 2, 3, 4] as NodeIndex[]
const electorate = electorateOf(
  nodes.map((node) => ({ operator: `n${node}`, weight: 1 })),
  3,
  1,
)
const candidates = nodes.map((node) => ({
  node,
  isUsable: true,
  due: false,
  isWitness: false,
  isDown: false,
}))

test.each([
  ['a quorum and one more', [], [0, 1, 2, 3]],
  ['every node where too few are prompt', [2, 3, 4], [0, 1, 2, 3, 4]],
])('a poll waits for %s', (_, late, first) => {
  const isLate = (node: NodeIndex) => late.includes(node as never)
  expect(inTurn(candidates, electorate, { isLate, isLongUnpolled: () => false }).first).toEqual(first)
})
