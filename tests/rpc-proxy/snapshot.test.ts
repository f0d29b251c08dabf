import { expect, test } from 'vitest'
import { lagOf } from '../../rpc-proxy/snapshot.ts'

test.each([
  ['a node that has caught up since is as far behind as its head', 17, 237, 241, 4],
  ['a node that was level and was not asked since is level', 0, 237, 241, 0],
  ['a node above the agreed head is level', 2, 243, 241, 0],
  ['a node that was not compared has no lag', null, 237, 241, null],
  ['a node that has shown no block keeps what was measured', 3, null, 241, 3],
] as const)('%s', (_, measured, height, agreed, lag) => {
  expect(lagOf(measured, height, agreed)).toBe(lag)
})
