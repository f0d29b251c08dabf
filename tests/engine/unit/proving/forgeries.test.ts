import { type Hex, keccak256, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { verifyCode, verifyProof } from '../../../../rpc-proxy/proving/trie-proof.ts'
import { verifying, walkTrie } from '../../../../rpc-proxy/proving/trie-walk.ts'
import type { Reply } from '../../../support/build-trie.ts'
import {
  encode,
  hashed,
  honestReply,
  leafOf,
  pathItem,
  rootOf,
  stateRootOf,
} from '../../../support/build-trie.ts'
import { stateOf } from '../../../support/random-state.ts'

/** Sixty accounts; two of those that have forty slots. */
const { accounts, stateRoot } = stateOf(2)
const [mine, other] = accounts.filter(({ slots }) => slots.length === 40)
const [one, two] = (mine?.slots ?? []).map(([slot]) => slot)
if (mine === undefined || other === undefined || one === undefined || two === undefined)
  throw new Error('small')
const question = { stateRoot, address: mine.address, slots: [one, two] }
const honest = honestReply(accounts, mine.address, question.slots)
const ofOther = honestReply(accounts, other.address, question.slots)

const faultOf = (changes: Partial<Reply>) => {
  const result = verifyProof({ ...honest, ...changes }, question)
  return 'fault' in result ? result.fault : result
}
const withSlots = (change: (slots: Reply['storageProof']) => unknown) => ({
  storageProof: change(honest.storageProof) as Reply['storageProof'],
})
const withNodes = (change: (nodes: Reply['accountProof']) => readonly unknown[]) => ({
  accountProof: change(honest.accountProof) as Reply['accountProof'],
})

test('the honest reply is believed', () => {
  expect(verifyProof(honest, question)).toHaveProperty('verified')
  expect(honest.accountProof.length).toBeGreaterThan(2)
})

const absent = { balance: '0x0', nonce: '0x0', codeHash: pad('0x'), storageHash: pad('0x') } as const

test.each<[string, Partial<Reply>, string]>([
  ['1: the proof of another address', ofOther, 'wrong-address'],
  ['1: the same under this address', { ...ofOther, address: mine.address }, 'wrong-node'],
  ['2: slots in another order', withSlots(([first, second]) => [second, first]), 'wrong-slots'],
  [
    '2: slots under the keys of others',
    withSlots(([first, second]) => [
      { ...second, key: first?.key },
      { ...first, key: second?.key },
    ]),
    'wrong-node',
  ],
  ['2: a slot too few', withSlots(([first]) => [first]), 'wrong-slots'],
  ['2: a slot too many', withSlots((slots) => [...slots, slots[0]]), 'wrong-slots'],
  ['2: no list of slots', withSlots(() => null), 'malformed'],
  [
    '4: storage of a trie of their own, whatever storage hash they claim',
    { storageProof: ofOther.storageProof, storageHash: ofOther.storageHash },
    'wrong-node',
  ],
  ['5: no nodes, as absence', { ...absent, accountProof: [] }, 'cut-short'],
  ['5: an empty node, as absence', { ...absent, accountProof: ['0x80'] }, 'wrong-node'],
  ['5: a node too few, as absence', { ...absent, ...withNodes((nodes) => nodes.slice(0, -1)) }, 'cut-short'],
  ...[[], null].map((proof): [string, Partial<Reply>, string] => [
    `5: ${JSON.stringify(proof)} for the nodes of a slot, as absence`,
    withSlots(([first, second]) => [{ ...first, value: '0x0', proof }, second]),
    'cut-short',
  ]),
  ['6: a first node that does not hash to the root', withNodes((nodes) => nodes.slice(1)), 'wrong-node'],
  ['7: an empty node at the end', withNodes((nodes) => [...nodes, '0x80']), 'extra-node'],
  ['7: the last node twice', withNodes((nodes) => [...nodes, nodes.at(-1)]), 'extra-node'],
  ['7: the first node twice', withNodes((nodes) => [nodes[0], ...nodes]), 'wrong-node'],
  ['7: nodes in another order', withNodes((nodes) => [...nodes].reverse()), 'wrong-node'],
  [
    '7: an empty node before the end',
    withNodes(([first, ...nodes]) => [first, '0x', ...nodes]),
    'wrong-node',
  ],
])('a forged reply is refused: %s', (_, changes, fault) => {
  expect(faultOf(changes)).toBe(fault)
})

test.each([
  ['balance', '0x1'],
  ['nonce', null],
  ['codeHash', keccak256('0x')],
  ['storageHash', keccak256('0x80')],
  ['storageProof', honest.storageProof.map((slot) => ({ ...slot, value: '0x1' }))],
  ['accountProof', [...honest.accountProof, '0x', '0x']],
  ['storageProof', honest.storageProof.map((slot) => ({ ...slot, proof: [...slot.proof, '0x'] }))],
])('what a node writes beside a proof is not read, and no fault: its %s', (name, written) => {
  expect(verifyProof({ ...honest, [name]: written }, question)).toEqual(verifyProof(honest, question))
})

const path = '0'.repeat(64)
const rest = (length: number) => '0'.repeat(length)
const stranger = keccak256('0x01')
const leaf = (part: string, value: Hex = '0x01') => [pathItem(part, { isLeaf: true }), value] as const
const extension = (part: string, child: Parameters<typeof encode>[0]) =>
  [pathItem(part, { isLeaf: false }), child] as const
const branch = (child: Parameters<typeof encode>[0], value: Hex = '0x') =>
  [child, stranger, stranger, ...Array.from({ length: 13 }, () => '0x' as const), value] as const

type TrieNode = Parameters<typeof encode>[0] | { readonly raw: Hex }

/** What is read of nodes that do hash to their root, as nobody but the chain could make them. */
function faultOfNodes(...nodes: readonly TrieNode[]) {
  const proof = nodes.map((node) => (typeof node === 'object' && 'raw' in node ? node.raw : encode(node)))
  const result = verifying(() => walkTrie(keccak256(proof[0] ?? '0x'), path, proof))
  return 'fault' in result ? result.fault : result.verified
}
const hashOf = (node: Parameters<typeof encode>[0]) => keccak256(encode(node))

const long = leaf(rest(63), `0x${'11'.repeat(32)}`)

test('sound nodes are read', () => {
  expect(faultOfNodes(branch(hashOf(long)), long)).toBe(`0x${'11'.repeat(32)}`)
  expect(faultOfNodes(branch('0x'))).toBeNull()
})

const inner = extension(rest(20), stranger)
const last = branch('0x')
const above = branch(hashOf(last))
const plain = encode(leaf(path, `0x${'11'.repeat(40)}`))
const noHashes = [`0x${'11'.repeat(31)}`, `0x${'11'.repeat(33)}`, '0x01'] as const
const nothing = '0x' as const

test.each<[string, string, ...(readonly TrieNode[])]>([
  ['8: absence from a branch that has a child there', 'cut-short', branch(hashOf(long))],
  ['9: a leaf elsewhere', 'wrong-node', branch(stranger), leaf(`1${rest(62)}`)],
  ['9: an extension elsewhere', 'wrong-node', branch(stranger), extension('11', stranger)],
  ['10: a node inside another that is as long as its hash', 'bad-node', branch(long)],
  ['10: a hash of a node that is shorter', 'bad-node', branch(hashOf(leaf('0'))), leaf('0')],
  ...noHashes.flatMap((child): [string, string, TrieNode][] => [
    [`11: a child ${child} of a branch`, 'bad-node', branch(child)],
    [`11: a child ${child} of an extension`, 'bad-node', extension('00', child)],
  ]),
  ['12: a branch with a value', 'bad-node', branch('0x', '0x01')],
  ['12: a branch of 16 items', 'bad-node', branch(stranger).slice(0, 16)],
  ['12: a branch of 18 items', 'bad-node', [...branch(stranger), nothing]],
  ['12: a branch of one child', 'bad-node', [stranger, ...Array.from({ length: 16 }, () => nothing)]],
  ['12: an empty list', 'bad-node', []],
  ['12: no list', 'bad-node', '0x01'],
  ['13: an empty path of an extension', 'bad-path', extension('', stranger)],
  ['13: a path of no bytes', 'bad-path', [nothing, '0x01']],
  ['13: a path that is a list', 'bad-path', [[], '0x01']],
  ['13: a path of another kind', 'bad-path', [`0x40${rest(64)}`, '0x01']],
  ['13: a path with a nibble in its padding', 'bad-path', [`0x21${rest(64)}`, '0x01']],
  ['13: a path too short for a leaf', 'bad-path', leaf(rest(62))],
  ['13: a path too long for a leaf', 'bad-path', leaf(rest(66))],
  ['13: a path too long for an extension', 'bad-path', extension(rest(64), stranger)],
  ['13: an extension to another one', 'bad-node', extension('0', hashOf(inner)), inner],
  ['13: an extension to a leaf', 'bad-node', extension('0', hashOf(long)), long],
  ['13: a leaf that holds nothing', 'bad-node', leaf(path, '0x')],
  ['13: an extension that holds nothing', 'bad-node', extension('0', '0x')],
  [
    '13: a branch below the end of every path',
    'bad-node',
    ...[extension(rest(63), hashOf(above)), above, last],
  ],
  ['14: a length in another spelling', 'malformed', { raw: `0xf900${plain.slice(4)}` }],
  ['14: bytes after the end', 'malformed', { raw: `${plain}00` }],
  ['14: a byte too few', 'malformed', { raw: plain.slice(0, -2) as Hex }],
  ['20: more nodes than a path has', 'too-large', ...Array.from({ length: 66 }, () => '0x01' as const)],
  ['20: a node longer than any', 'too-large', { raw: `0x${'00'.repeat(601)}` }],
])('nodes that no trie has are refused, even under its root: %s', (_, fault, ...nodes) => {
  expect(faultOfNodes(...nodes)).toBe(fault)
})

test('RLP of these nodes has the spelling that is changed here', () => {
  expect(plain.startsWith('0xf8')).toBe(true)
})

describe('a leaf that is no account or no value is refused:', () => {
  const address = mine.address
  const empty = { nonce: 1n, balance: 2n, storageHash: keccak256('0x80'), codeHash: keccak256('0x') }
  const hashes = [empty.storageHash, empty.codeHash] as const
  const claims = { ...honest, ...empty, nonce: '0x1', balance: '0x2', storageProof: [] }

  /** Of a state that has one account with this leaf. */
  function faultOfLeaf(value: Hex, slots: readonly Hex[] = [], changes: object = {}) {
    const node = encode([pathItem(hashed(address), { isLeaf: true }), value])
    const reply = { ...claims, accountProof: [node], ...changes }
    const result = verifyProof(reply, { stateRoot: rootOf([[hashed(address), value]]), address, slots })
    return 'fault' in result ? result.fault : 'verified'
  }

  test('a sound one is read', () => {
    expect(faultOfLeaf(leafOf(empty))).toBe('verified')
  })

  test.each([
    ['three items', ['0x01', '0x02', hashes[0]]],
    ['five items', ['0x01', '0x02', ...hashes, '0x']],
    ['a nonce of nine bytes', [`0x${'11'.repeat(9)}`, '0x02', ...hashes]],
    ['a balance of 33 bytes', ['0x01', `0x${'11'.repeat(33)}`, ...hashes]],
    ['14: a nonce with leading zeros', ['0x0001', '0x02', ...hashes]],
    ['14: a zero that is written', ['0x01', '0x00', ...hashes]],
    ['a short hash', ['0x01', '0x02', '0x11', hashes[1]]],
    ['a list for a hash', ['0x01', '0x02', hashes[0], []]],
    ['no list', '0x01'],
  ] as const)('15: an account of %s', (_, item) => {
    expect(faultOfLeaf(encode(item))).toBe('bad-value')
  })

  test.each([
    ['zero', encode('0x')],
    ['a zero that is written', encode('0x00')],
    ['leading zeros', encode('0x0011')],
    ['33 bytes', encode(`0x${'11'.repeat(33)}`)],
    ['a list', encode(['0x01'])],
  ] as const)('15: a slot of %s', (_, value) => {
    const node = encode([pathItem(hashed(one), { isLeaf: true }), value])
    const storageHash = rootOf([[hashed(one), value]])
    const storageProof = [{ key: one, value: '0x0', proof: [node] }]
    expect(faultOfLeaf(leafOf({ ...empty, storageHash }), [one], { storageHash, storageProof })).toBe(
      'bad-value',
    )
  })
})

describe('what goes with a proof is refused:', () => {
  test('16: a code that does not hash to the proven code hash', () => {
    const codeHash = keccak256('0x6001')
    expect(verifyCode('0x6001', codeHash)).toEqual({ verified: '0x6001' })
    expect(verifyCode('0x6002', codeHash)).toEqual({ fault: 'wrong-code' })
    expect(verifyCode('0x', codeHash)).toEqual({ fault: 'wrong-code' })
    expect(verifyCode(null, codeHash)).toEqual({ fault: 'malformed' })
    expect(verifyCode(`0x${'60'.repeat(262_145)}`, codeHash)).toEqual({ fault: 'malformed' })
  })

  test('19: the state of another block', () => {
    const next = accounts.map((account) => ({ ...account, nonce: account.nonce / 2n + 1n }))
    const later = { ...question, stateRoot: stateRootOf(next) }
    expect(verifyProof(honest, later)).toEqual({ fault: 'wrong-node' })
  })
})
