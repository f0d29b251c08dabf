import { expect, test } from 'vitest'
import { defaultNodes, nodesFrom, nodesNamed } from '../../demo/default-nodes.ts'
import deployed from '../../deploy/chains.json' with { type: 'json' }

test('names of the zoo and of faultProfiles become the nodes of each chain', () => {
  expect(nodesNamed('geth, drpc-free,lying')).toEqual([
    { name: 'geth', faultProfile: { kind: 'real', name: 'geth' } },
    { name: 'drpc-free', faultProfile: { kind: 'real', name: 'drpc-free' } },
    { name: 'lying', faultProfile: { kind: 'lying', lieName: 'all' } },
  ])
})

test('an unknown name is refused with a list of valid ones', () => {
  expect(() => nodesNamed('geth,parity')).toThrow(/no node parity; there are geth, bor, .*publicnode.*lying/)
})

test('eight nodes are accepted, nine are not', () => {
  expect(nodesNamed(Array(8).fill('geth').join()).length).toBe(8)
  expect(() => nodesNamed(Array(9).fill('geth').join())).toThrow('8 nodes each at most')
})

const rolesOf = (given: Parameters<typeof nodesFrom>[0]) =>
  nodesFrom(given).map(({ name, role = 'voter' }) => `${name} ${role}`)

test('witnesses stand beside the nodes that were named, or beside the usual ones', () => {
  expect(rolesOf({ nodes: 'geth,lying', witnesses: 'geth,honest' })).toEqual([
    'geth voter',
    'lying voter',
    'witness-geth witness',
    'witness-honest witness',
  ])
  expect(rolesOf({ nodes: 'geth' })).toEqual(['geth voter'])
  const usual = ['honest-a voter', 'honest-b voter', 'late voter', 'liar voter']
  expect(rolesOf({ witnesses: 'besu' })).toEqual([...usual, 'witness-besu witness'])
  expect(rolesOf({})).toEqual([...usual, ...['a', 'b', 'c'].map((letter) => `witness-${letter} witness`)])
})

test('the stack on fixed ports knows the nodes of the demo', () => {
  // Control, then each chain and its nodes.
  for (const [chain, { nodes }] of deployed.chains.entries()) {
    const firstPort = 8540 + 1 + chain * (1 + defaultNodes.length) + 1
    const urlOf = (index: number) => `http://chains:${firstPort + index}`
    expect(nodes).toEqual(
      defaultNodes.map(({ name, role }, index) => ({ name, url: urlOf(index), ...(role && { role }) })),
    )
  }
})
