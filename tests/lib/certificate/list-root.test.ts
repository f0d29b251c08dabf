import { bytesToHex } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { emptyRoot, rootOf } from '#lib/certificate/list-root.ts'
import { receiptLeaf, verifyReceipts } from '../../../rpc-proxy/proofs/block-body.ts'
import { headerNamed, receipts } from '../../rpc-proxy/proofs/fixtures.ts'

test.each(receipts)(
  'the checker finds the root of the receipts of $name in its header',
  ({ header, receipts }) => {
    const root = String(headerNamed(header).block.receiptsRoot)
    const read = verifyReceipts(receipts, root)
    if ('fault' in read) throw new Error(read.fault)
    const leaves = read.verified.entries.map((each): Hex => `0x${bytesToHex(receiptLeaf(each))}`)
    expect(rootOf(leaves)).toBe(root)
    expect(rootOf(leaves.toReversed())).not.toBe(root)
  },
)

test('an empty list has the root of nothing', () => {
  expect(rootOf([])).toBe(emptyRoot)
})
