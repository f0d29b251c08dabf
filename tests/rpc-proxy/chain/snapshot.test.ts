import { expect, test } from 'vitest'
import { lagOf } from '../../../rpc-proxy/chain/snapshot.ts'

test.each([
  ['the lag of a node that has caught up follows its head', 17, 237, 241, 4],
  ['a node in sync that was not asked since stays in sync', 0, 237, 241, 0],
  ['a node above the agreed head is in sync', 2, 243, 241, 0],
  ['a node without a comparison has no lag', null, 237, 241, null],
  ['a node that has shown no block keeps its measured lag', 3, null, 241, 3],
] as const)('%s', (_, measured, height, agreed, lag) => {
  expect(lagOf(measured, height, agreed)).toBe(lag)
})
