import { hexToBytes } from '@noble/hashes/utils.js'
import { toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { leafOf, verifyReceipts, verifyTransactions } from '../../../rpc-proxy/proofs/block-body.ts'
import { receiptAt, transactionAt } from '../../../rpc-proxy/proofs/derived.ts'
import { verifyHeader } from '../../../rpc-proxy/proofs/header-hash.ts'
import { indexTrie } from '../../../rpc-proxy/proofs/index-root.ts'
import { transactionLeaf } from '../../../rpc-proxy/proofs/transaction-leaf.ts'
import type { Verified } from '../../../rpc-proxy/proofs/verified.ts'
import { chain, deposit, type Json, stateSync } from '../wire/canonical-chain.ts'
import { rootOf } from './build-trie.ts'
import { bodies, headerNamed, receipts as receiptsOfBlocks } from './fixtures.ts'

const { fullBlock, blockReceipts } = chain
const transactionsRoot = String(fullBlock.transactionsRoot)
const receiptsRoot = String(fullBlock.receiptsRoot)

function verifiedOf<Value>(read: Verified<Value>): Value {
  if ('fault' in read) throw new Error(read.fault)
  return read.verified
}

const body = () => ({
  header: verifiedOf(verifyHeader(fullBlock, { chainId: 31_337, hash: String(fullBlock.hash) })),
  transactions: verifiedOf(verifyTransactions(fullBlock, transactionsRoot)).entries,
  receipts: verifiedOf(verifyReceipts(blockReceipts, receiptsRoot)).entries,
})

describe('the root of a list', () => {
  test.each([0, 1, 2, 17, 127, 128, 129, 200, 300])('of %i items is that of a trie of its own', (count) => {
    const items = Array.from({ length: count }, (_, index) =>
      Uint8Array.from({ length: 1 + (index % 60) }, () => index % 251),
    )
    const entries = items.map((item, index) => {
      const key = toRlp(index === 0 ? '0x' : `0x${index.toString(16).padStart(index < 256 ? 2 : 4, '0')}`)
      return [key.slice(2), `0x${Buffer.from(item).toString('hex')}`] as const
    })
    const expected =
      count === 0 ? '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421' : rootOf(entries)
    expect(indexTrie(items).root).toBe(expected)
  })
})

describe('transactions', () => {
  test.each(bodies)('of $name are under their root, and each hashes to its hash', ({ block }) => {
    const transactions = verifiedOf(verifyTransactions(block, block.transactionsRoot)).entries
    expect(transactions.map(({ hash }) => hash)).toEqual(block.transactions.map(({ hash }) => hash))
  })

  test.each(bodies)('of $name are kept as they stand in the trie, signed or not', ({ block }) => {
    const { entries } = verifiedOf(verifyTransactions(block, block.transactionsRoot))
    expect(indexTrie(entries.map(leafOf)).root).toBe(block.transactionsRoot)
  })

  test.each(bodies)('of $name were sent by whom their node says', ({ block }) => {
    const header = { ...body().header, baseFeePerGas: '0x989680' }
    const read = {
      header,
      transactions: verifiedOf(verifyTransactions(block, block.transactionsRoot)).entries,
      receipts: [],
    }
    const senders = block.transactions.map(
      (_, index) => (transactionAt(read, index) as Json | undefined)?.from,
    )
    expect(senders).toEqual(block.transactions.map(({ type, from }) => (type === '0x6a' ? undefined : from)))
  })

  test('of a local chain are written as its node writes them', () => {
    fullBlock.transactions.forEach(({ blockTimestamp: _, ...sent }, index) => {
      expect(sent).toMatchObject(transactionAt(body(), index) as Json)
    })
    expect(transactionAt(body(), 4)).toBeNull()
  })

  test('that are read again and again are not recovered again: their hash tells who signed', () => {
    const { transactions, ...rest } = body()
    const before = transactions.map((_, index) => transactionAt({ ...rest, transactions }, index))
    const unsigned = transactions.map(({ hash, fields }) => ({ hash, fields: { ...fields, r: '0x0' } }))
    for (const [index, read] of before.entries())
      expect(transactionAt({ ...rest, transactions: unsigned }, index)).toMatchObject({
        from: (read as Json).from,
      })
  })

  test.each([
    ['lacks one', (sent: readonly Json[]) => sent.slice(1)],
    ['has one twice', (sent: readonly Json[]) => [...sent, sent[0]]],
    ['has them in another order', (sent: readonly Json[]) => sent.toReversed()],
    ['pays another', (sent: readonly Json[]) => [{ ...sent[0], value: '0x1' }, ...sent.slice(1)]],
  ])('are refused where the list %s', (_, forge) => {
    expect(verifyTransactions({ transactions: forge(fullBlock.transactions) }, transactionsRoot)).toEqual({
      fault: 'wrong-root',
    })
  })

  test('are not provable beside one whose JSON is not all that the root commits to', () => {
    const transactions = [...fullBlock.transactions, { ...stateSync, type: '0x7f', input: '0x' }]
    expect(verifyTransactions({ transactions }, transactionsRoot)).toEqual({ fault: 'unprovable' })
  })

  test('of Arbitrum that nobody signs are written as Nitro hashes them', () => {
    const { chainId, requestId, from, to, value } = deposit as Record<string, `0x${string}`>
    const number = (quantity = '0x0') =>
      (BigInt(quantity) === 0n
        ? '0x'
        : `0x${BigInt(quantity)
            .toString(16)
            .replace(/^(.(..)*)$/, '0$1')}`) as `0x${string}`
    const leaf = toRlp([number(chainId), requestId ?? '0x', from ?? '0x', to ?? '0x', number(value)])
    expect(transactionLeaf(deposit)).toEqual(hexToBytes(`64${leaf.slice(2)}`))
  })
})

describe('receipts', () => {
  test('of a local chain are under their root, and are written as its node writes them', () => {
    blockReceipts.forEach(({ blockTimestamp: _, blobGasPrice: __, ...sent }, index) => {
      expect(receiptAt(body(), index)).toEqual(sent)
    })
  })

  test.each(receiptsOfBlocks)('of $name are under their root', ({ header, receipts }) => {
    const receiptsRoot = String(headerNamed(header).block.receiptsRoot)
    const { entries } = verifiedOf(verifyReceipts(receipts, receiptsRoot))
    expect(entries).toHaveLength(receipts.length)
    expect(verifyReceipts(receipts.slice(1), receiptsRoot)).toEqual({ fault: 'wrong-root' })
  })

  const first = blockReceipts[0] as Json
  const forgeries: readonly (readonly [string, Json])[] = [
    ['that failed', { status: '0x0' }],
    ['of another type', { type: '0x2' }],
    ['of more gas', { cumulativeGasUsed: '0x557f' }],
    ['without its logs', { logs: [] }],
    ['with a log twice', { logs: [first.logs, first.logs].flat() }],
    ['whose log says more', { logs: [{ ...(first.logs as Json[])[0], data: '0xdeadbeef00' }] }],
    ['of another contract', { logs: [{ ...(first.logs as Json[])[0], address: `0x${'11'.repeat(20)}` }] }],
    ['with another bloom', { logsBloom: `0x${'ff'.repeat(256)}` }],
  ]
  test.each(forgeries)('are refused with one %s', (_, forged) => {
    expect(verifyReceipts([{ ...first, ...forged }, ...blockReceipts.slice(1)], receiptsRoot)).toEqual({
      fault: 'wrong-root',
    })
  })

  test('are refused where one is left out', () => {
    expect(verifyReceipts(blockReceipts.slice(0, 3), receiptsRoot)).toEqual({ fault: 'wrong-root' })
  })

  test('that are swapped are those of their places still', () => {
    const swapped = blockReceipts.map((receipt, index) => ({
      ...receipt,
      transactionHash: blockReceipts[3 - index]?.transactionHash,
      from: `0x${'11'.repeat(20)}`,
    }))
    const receipts = verifiedOf(verifyReceipts(swapped, receiptsRoot)).entries
    expect(receiptAt({ ...body(), receipts }, 0)).toMatchObject({
      transactionHash: first.transactionHash,
      from: first.from,
    })
  })

  test('are not provable beside a state sync, to which no root commits', () => {
    expect(verifyReceipts([...blockReceipts, stateSync], receiptsRoot)).toEqual({ fault: 'unprovable' })
  })

  test('of blobs are not provable: the price of a blob depends on which fork is active', () => {
    const { transactions, ...rest } = body()
    const ofBlobs = transactions.map((each) => ({ ...each, fields: { ...each.fields, type: '0x3' } }))
    expect(receiptAt({ ...rest, transactions: ofBlobs }, 0)).toBeUndefined()
  })

  test('beside a transaction that nobody signed are not provable: gas has a price of its own there', () => {
    const { transactions, ...rest } = body()
    expect(
      receiptAt({ ...rest, transactions: [...transactions, { hash: '0x00', fields: null }] }, 0),
    ).toBeUndefined()
  })
})
