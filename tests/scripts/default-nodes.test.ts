import { expect, test } from 'vitest'
import { nodesNamed } from '../../demo/default-nodes.ts'

test('names of the zoo and of faultProfiles become the nodes of each chain', () => {
  expect(nodesNamed('geth, drpc-free,lying')).toEqual([
    { name: 'geth', faultProfile: { kind: 'real', name: 'geth' } },
    { name: 'drpc-free', faultProfile: { kind: 'real', name: 'drpc-free' } },
    { name: 'lying', faultProfile: { kind: 'lying', about: 'values', lieName: null, blocksAhead: 1000 } },
  ])
})

test('a repeated name gets a number', () => {
  expect(nodesNamed('geth,geth,geth').map(({ name }) => name)).toEqual(['geth', 'geth-2', 'geth-3'])
})

test('an unknown name is refused with a list of valid ones', () => {
  expect(() => nodesNamed('geth,parity')).toThrow(/no node parity; there are geth, bor, .*publicnode.*lying/)
})

test('eight nodes are accepted, nine are not', () => {
  expect(nodesNamed(Array(8).fill('geth').join()).length).toBe(8)
  expect(() => nodesNamed(Array(9).fill('geth').join())).toThrow('8 nodes at most')
})
