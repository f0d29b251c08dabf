import { describe, expect, test } from 'vitest'
import { blockFrom, contradicts, readHeader } from '../../../../rpc-proxy/heads/headers.ts'
import { blockAt, hashOf } from '../../../support/scripted-chain.ts'
import { headerNamed } from '../proving/fixtures.ts'

const block = blockAt(1000)
const read = (fields: object) => readHeader(JSON.stringify({ ...block, ...fields }), 137)

test('a header has number, hash and parent hash, in lower case', () => {
  const loud = (hash: string) => hash.toUpperCase().replace('X', 'x')
  expect(read({ hash: loud(block.hash), parentHash: loud(block.parentHash) })).toEqual({
    number: 1000,
    hash: hashOf(1000),
    parentHash: hashOf(999),
    logsBloom: block.logsBloom,
    gasLimit: 30_000_000,
    transactions: '7a60000000000000',
    timeMs: 1_700_002_000_000,
    stateRoot: block.stateRoot,
    verified: null,
  })
})

test.each([undefined, null, 1_700_000_000, '1700000000', `0x${'f'.repeat(14)}`])(
  'a header whose time is %j has none, and is a header',
  (timestamp) => {
    expect(read({ timestamp })).toMatchObject({ number: 1000, timeMs: null })
  },
)

test.each<[string, object]>([
  ['no number', { number: null }],
  ['a malformed number', { number: 1000 }],
  ['a number above the safe integers', { number: `0x${'f'.repeat(14)}` }],
  ['no hash, like pending blocks', { hash: null }],
  ['a short hash', { hash: '0xab' }],
  ['a malformed parent hash', { parentHash: '0x' }],
  ['no bloom', { logsBloom: undefined }],
  ['a short bloom', { logsBloom: '0x00' }],
])('a block with %s has no header', (_, fields) => {
  expect(read(fields)).toBeNull()
})

test.each([
  ...[undefined, null, '0x0', '30000000', 30_000_000, `0x${'f'.repeat(14)}`].map((none) => [none, null]),
  ['0x4000000000000', 2 ** 50],
])('a gas limit of %j is read as %j', (gasLimit, read_) => {
  expect(read({ gasLimit })?.gasLimit).toBe(read_)
})

test.each(['', 'null', '[]', '"0x"', '1', '{', '{"number":"0x1"}'])('nor has %j', (text) => {
  expect(readHeader(text, 137)).toBeNull()
})

test('a header of a chain has its state root by its hash', () => {
  const { chainId, block } = headerNamed('Polygon after London, its signer as the miner')
  const read = readHeader(JSON.stringify(block), chainId)
  expect(read?.verified).toMatchObject({ stateRoot: block.stateRoot })
  expect(read && blockFrom(read).stateRoot).toBe(block.stateRoot)
})

describe('a header that does not hash to its hash', () => {
  const { block: sent, chainId } = headerNamed('Osaka')
  const readIt = (fields: object) => {
    const header = readHeader(JSON.stringify({ ...sent, ...fields }), chainId)
    if (header === null) throw new Error('no header')
    return header
  }
  const honest = readIt({})
  const agreed = blockFrom(honest)

  test.each([
    ['state root', { stateRoot: hashOf(1) }],
    ['bloom', { logsBloom: `0x${'ff'.repeat(256)}` }],
    ['parent', { parentHash: hashOf(1) }],
    ['gas limit', { gasLimit: '0x1' }],
  ])('is a fault where its %s is not that of the agreed block', (_, lie) => {
    expect(readIt(lie).verified).toBeNull()
    expect(contradicts(readIt(lie), agreed)).toBe(true)
  })

  test('is none where a field is left out that its node does not know, or is new', () => {
    expect(contradicts(readIt({ requestsHash: undefined }), agreed)).toBe(false)
    expect(contradicts(honest, agreed)).toBe(false)
  })

  test('is none where no header of that block has been verified, and has no state root', () => {
    const unknown = blockFrom(readIt({ stateRoot: hashOf(1) }))
    expect(unknown.stateRoot).toBeNull()
    expect(contradicts(readIt({ logsBloom: `0x${'ff'.repeat(256)}` }), unknown)).toBe(false)
    expect(contradicts(readIt({ stateRoot: hashOf(1) }), null)).toBe(false)
  })
})
