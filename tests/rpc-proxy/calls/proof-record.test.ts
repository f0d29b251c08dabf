import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { provenText } from '#lib/certificate/check-proof.ts'
import { type Certified, placed, whole, withCode } from '../../../rpc-proxy/calls/proof-record.ts'
import { receiptLeaf } from '../../../rpc-proxy/proofs/block-body.ts'
import { verifyHeader } from '../../../rpc-proxy/proofs/header-hash.ts'
import { indexTrie } from '../../../rpc-proxy/proofs/index-root.ts'
import { signedBytesOf } from '../../../rpc-proxy/wire/transaction-codec.ts'
import { headerHashOf, provenBlockAt } from '../../support/proven-chain.ts'
import { chain, type Json } from '../wire/canonical-chain.ts'

const [first] = chain.fullBlock.transactions as unknown as readonly [Json]

const proof = { header: [], accounts: ['0x01'], nodes: [], slots: [], code: null, place: null, body: null }
const codeOf = (bytes: number) => `"0x${'60'.repeat(bytes)}"`

test('a certificate has a code of 64 KiB, and none of a longer one', () => {
  expect(withCode(proof, codeOf(65_536))).toMatchObject({ code: codeOf(65_536).slice(1, -1) })
  expect(withCode(proof, codeOf(65_537))).toBe('too-long')
  expect(withCode(undefined, codeOf(1))).toBeUndefined()
})

test('a certificate of a code has no slots that others have read with its account', () => {
  const slots = [{ account: '0x01', slot: '0x02', nodes: [] }]
  expect(withCode({ ...proof, slots }, codeOf(1))).toEqual({ ...proof, code: '0x60' })
})

/** Receipts of a block of this many, and what the engine shows of one of them and of all. */
function placeIn(count: number, index: number, dataBytes = 1) {
  const entries = Array.from({ length: count }, (_, at) => ({
    type: '0x2',
    outcome: { status: '0x1' },
    cumulativeGasUsed: `0x${(at + 1).toString(16)}`,
    logsBloom: `0x${'00'.repeat(256)}`,
    logs: [{ address: first.from as string, topics: [], data: `0x${'11'.repeat(dataBytes)}` }],
  }))
  const receipts = { entries, branches: indexTrie(entries.map(receiptLeaf)).branches }
  const transactions = Array.from({ length: count }, () => ({ hash: '0x', fields: first }))
  const leaves = transactions.map(({ fields }) => signedBytesOf(fields) as Uint8Array)
  const lists = [{ entries: transactions, branches: indexTrie(leaves).branches }, receipts] as const
  const roots = {
    transactionsRoot: indexTrie(leaves).root,
    receiptsRoot: indexTrie(entries.map(receiptLeaf)).root,
  }
  const block = { ...provenBlockAt(1000), ...roots } as ReturnType<typeof provenBlockAt>
  const hash = headerHashOf(block)
  const read = verifyHeader({ ...block, hash }, { chainId: 1, hash })
  if ('fault' in read) throw new Error(read.fault)
  const contents = { block: read.verified, lists }
  return { made: placed(contents, index), all: whole(contents), block: { number: 1000, hash } }
}

/** What a checker reads of it. */
const textOf = (certified: Certified | null, block: { number: number; hash: string }) =>
  typeof certified?.proof === 'object' ? provenText(certified.proof, block) : null

test.each([
  [1, 0],
  [2, 1],
  [20, 0],
  [130, 128],
  [300, 17],
  [300, 128],
  [300, 299],
])(
  'of a block of %i transactions, place %i is found by following its nodes down from the roots',
  (count, index) => {
    const { made, block } = placeIn(count, index)
    expect(textOf(made, block)).toBe(made?.text)
    expect(JSON.parse(made?.text ?? '')).toMatchObject({ index, receipt: expect.stringMatching(/^0x02f9/) })
  },
)

test('a transaction with a receipt above 64 KiB has no proof', () => {
  expect(placeIn(2, 0, 65_536).made).toBeNull()
})

test.each([1, 2, 17, 20, 130, 150])(
  'the lists of a block of %i transactions build the roots of its header',
  (count) => {
    const { all, block } = placeIn(count, 0)
    const text = textOf(all, block) ?? ''
    expect(all?.sha256 ?? all?.text).toBe(
      all?.sha256 ? createHash('sha256').update(text).digest('hex') : text,
    )
    expect(text.startsWith(all?.text ?? '-')).toBe(true)
    expect(JSON.parse(text).receipts).toHaveLength(count)
  },
)

test('what is in a block is written once for all lists that are asked of it', () => {
  expect(placeIn(17, 0).all).toBe(placeIn(17, 3).all)
})

test('a block of more than 64 KiB has no proof of its lists', () => {
  expect(placeIn(2, 0, 30_000).all).not.toBeNull()
  expect(placeIn(2, 0, 33_000).all).toBeNull()
})
