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
const withSlots = (change: (slots: Reply['storageProof']) => unknown) =>
  faultOf({ storageProof: change(honest.storageProof) as Reply['storageProof'] })
const withNodes = (change: (nodes: Reply['accountProof']) => readonly unknown[]) =>
  faultOf({ accountProof: change(honest.accountProof) as Reply['accountProof'] })

test('the honest reply is believed', () => {
  expect(verifyProof(honest, question)).toHaveProperty('verified')
  expect(honest.accountProof.length).toBeGreaterThan(2)
})

describe('a forged reply is refused:', () => {
  test('1: the proof of another address', () => {
    expect(faultOf(ofOther)).toBe('wrong-address')
    expect(faultOf({ ...ofOther, address: mine.address })).toBe('wrong-node')
  })

  test('2: storage proofs of other slots, in another order, or too few or too many', () => {
    expect(withSlots(([first, second]) => [second, first])).toBe('wrong-slots')
    expect(
      withSlots(([first, second]) => [
        { ...second, key: first?.key },
        { ...first, key: second?.key },
      ]),
    ).toBe('wrong-node')
    expect(withSlots(([first]) => [first])).toBe('wrong-slots')
    expect(withSlots((slots) => [...slots, slots[0]])).toBe('wrong-slots')
    expect(withSlots(() => null)).toBe('malformed')
  })

  test('4: storage of a trie of their own, whatever storage hash they claim', () => {
    const { storageProof, storageHash } = ofOther
    expect(faultOf({ storageProof, storageHash })).toBe('wrong-node')
  })

  test('5: no nodes, or too few, as absence', () => {
    const absent = { balance: '0x0', nonce: '0x0', codeHash: pad('0x'), storageHash: pad('0x') }
    expect(faultOf({ ...absent, accountProof: [] })).toBe('cut-short')
    expect(faultOf({ ...absent, accountProof: ['0x80'] })).toBe('wrong-node')
    expect(faultOf({ ...absent, accountProof: honest.accountProof.slice(0, -1) })).toBe('cut-short')
    expect(withSlots(([first, second]) => [{ ...first, value: '0x0', proof: [] }, second])).toBe('cut-short')
    expect(withSlots(([first, second]) => [{ ...first, value: '0x0', proof: null }, second])).toBe(
      'cut-short',
    )
  })

  test('6: a first node that does not hash to the root', () => {
    expect(withNodes((nodes) => nodes.slice(1))).toBe('wrong-node')
  })

  test('7: nodes that are too many, twice or in another order', () => {
    expect(withNodes((nodes) => [...nodes, '0x80'])).toBe('extra-node')
    expect(withNodes((nodes) => [...nodes, nodes.at(-1)])).toBe('extra-node')
    expect(withNodes((nodes) => [nodes[0], ...nodes])).toBe('wrong-node')
    expect(withNodes((nodes) => [...nodes].reverse())).toBe('wrong-node')
  })
})

describe('what a node writes beside a proof is not read, and no fault:', () => {
  test.each([
    ['balance', '0x1'],
    ['nonce', null],
    ['codeHash', keccak256('0x')],
    ['storageHash', keccak256('0x80')],
    ['storageProof', honest.storageProof.map((slot) => ({ ...slot, value: '0x1' }))],
    ['accountProof', [...honest.accountProof, '0x', '0x']],
    ['storageProof', honest.storageProof.map((slot) => ({ ...slot, proof: [...slot.proof, '0x'] }))],
  ])('its %s', (name, written) => {
    expect(verifyProof({ ...honest, [name]: written }, question)).toEqual(verifyProof(honest, question))
  })

  test('but an empty node before the end is one', () => {
    expect(withNodes(([first, ...nodes]) => [first, '0x', ...nodes])).toBe('wrong-node')
  })
})

const path = '0'.repeat(64)
const rest = (length: number) => '0'.repeat(length)
const stranger = keccak256('0x01')
const leaf = (part: string, value: Hex = '0x01') => [pathItem(part, { isLeaf: true }), value] as const
const extension = (part: string, child: Parameters<typeof encode>[0]) =>
  [pathItem(part, { isLeaf: false }), child] as const
const branch = (child: Parameters<typeof encode>[0], value: Hex = '0x') =>
  [child, stranger, stranger, ...Array.from({ length: 13 }, () => '0x' as const), value] as const

/** What is read of nodes that do hash to their root, as nobody but the chain could make them. */
function faultOfNodes(...nodes: readonly (Parameters<typeof encode>[0] | { readonly raw: Hex })[]) {
  const proof = nodes.map((node) => (typeof node === 'object' && 'raw' in node ? node.raw : encode(node)))
  const result = verifying(() => walkTrie(keccak256(proof[0] ?? '0x'), path, proof))
  return 'fault' in result ? result.fault : result.verified
}
const hashOf = (node: Parameters<typeof encode>[0]) => keccak256(encode(node))

describe('nodes that no trie has are refused, even under its root:', () => {
  const long = leaf(rest(63), `0x${'11'.repeat(32)}`)

  test('sound ones are read', () => {
    expect(faultOfNodes(branch(hashOf(long)), long)).toBe(`0x${'11'.repeat(32)}`)
    expect(faultOfNodes(branch('0x'))).toBeNull()
  })

  test('8: absence from a branch that has a child there', () => {
    expect(faultOfNodes(branch(hashOf(long)))).toBe('cut-short')
  })

  test('9: a leaf or an extension elsewhere that is not in the trie', () => {
    expect(faultOfNodes(branch(stranger), leaf(`1${rest(62)}`))).toBe('wrong-node')
    expect(faultOfNodes(branch(stranger), extension('11', stranger))).toBe('wrong-node')
  })

  test('10: a node inside another that is as long as its hash, and a hash of a node that is shorter', () => {
    expect(faultOfNodes(branch(long))).toBe('bad-node')
    expect(faultOfNodes(branch(hashOf(leaf('0'))), leaf('0'))).toBe('bad-node')
  })

  test.each([
    ['31 bytes', `0x${'11'.repeat(31)}`],
    ['33 bytes', `0x${'11'.repeat(33)}`],
    ['one byte', '0x01'],
  ] as const)('11: a child of %s', (_, child) => {
    expect(faultOfNodes(branch(child))).toBe('bad-node')
    expect(faultOfNodes(extension('00', child))).toBe('bad-node')
  })

  test('12: a branch with a value, or of another length', () => {
    expect(faultOfNodes(branch('0x', '0x01'))).toBe('bad-node')
    expect(faultOfNodes(branch(stranger).slice(0, 16))).toBe('bad-node')
    expect(faultOfNodes([...branch(stranger), '0x'])).toBe('bad-node')
    expect(faultOfNodes([stranger, ...Array.from({ length: 16 }, () => '0x' as const)])).toBe('bad-node')
    expect(faultOfNodes([])).toBe('bad-node')
    expect(faultOfNodes('0x01')).toBe('bad-node')
  })

  test('13: a path of a wrong kind or length', () => {
    expect(faultOfNodes(extension('', stranger))).toBe('bad-path')
    expect(faultOfNodes(['0x', '0x01'])).toBe('bad-path')
    expect(faultOfNodes([[], '0x01'])).toBe('bad-path')
    expect(faultOfNodes([`0x40${rest(64)}`, '0x01'])).toBe('bad-path')
    expect(faultOfNodes([`0x21${rest(64)}`, '0x01'])).toBe('bad-path')
    expect(faultOfNodes(leaf(rest(62)))).toBe('bad-path')
    expect(faultOfNodes(leaf(rest(66)))).toBe('bad-path')
    expect(faultOfNodes(extension(rest(64), stranger))).toBe('bad-path')
  })

  test('13: an extension to another one or to a leaf, and a leaf or an extension that holds nothing', () => {
    const inner = extension(rest(20), stranger)
    expect(faultOfNodes(extension('0', hashOf(inner)), inner)).toBe('bad-node')
    expect(faultOfNodes(extension('0', hashOf(long)), long)).toBe('bad-node')
    expect(faultOfNodes(leaf(path, '0x'))).toBe('bad-node')
    expect(faultOfNodes(extension('0', '0x'))).toBe('bad-node')
  })

  test('13: a branch below the end of every path', () => {
    const last = branch('0x')
    const above = branch(hashOf(last))
    expect(faultOfNodes(extension(rest(63), hashOf(above)), above, last)).toBe('bad-node')
  })

  test('14: RLP in another spelling', () => {
    const plain = encode(leaf(path, `0x${'11'.repeat(40)}`))
    expect(plain.startsWith('0xf8')).toBe(true)
    expect(faultOfNodes({ raw: `0xf900${plain.slice(4)}` })).toBe('malformed')
    expect(faultOfNodes({ raw: `${plain}00` })).toBe('malformed')
    expect(faultOfNodes({ raw: plain.slice(0, -2) as Hex })).toBe('malformed')
  })

  test('20: more nodes than a path has, and nodes longer than any', () => {
    expect(faultOfNodes(...Array.from({ length: 66 }, () => '0x01' as const))).toBe('too-large')
    expect(faultOfNodes({ raw: `0x${'00'.repeat(601)}` })).toBe('too-large')
  })
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
