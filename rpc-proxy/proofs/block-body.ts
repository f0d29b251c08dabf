import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { bloomOf } from '../wire/bloom.ts'
import { address, bytes, type Codec, data, hash, itemsOf, list, objectOf, quantity } from '../wire/codecs.ts'
import { type RlpItem, rlp, rlpNumber } from '../wire/encode-rlp.ts'
import { record } from '../wire/record.ts'
import { signedBytesOf, transaction as transactionCodec } from '../wire/transaction-codec.ts'
import { type Branch, indexTrie } from './index-root.ts'
import { transactionLeaf } from './transaction-leaf.ts'
import { keccak } from './trie-walk.ts'
import { fail, type Verified, verifying } from './verified.ts'

/** A transaction as its block commits to it. `fields` are those that were signed, in canonical form; null of a type that nobody signs. */
export interface BodyTransaction {
  readonly hash: string
  readonly fields: Readonly<Record<string, unknown>> | null
  /** What stands in the trie, in hex, where it does not follow from `fields`. */
  readonly leaf?: string
}

/** A receipt as its block commits to it: the rest of one follows from the transactions, or from nothing. */
export interface BodyReceipt {
  readonly type: string
  /** `root` before Byzantium. */
  readonly outcome: { readonly status: string } | { readonly root: string }
  readonly cumulativeGasUsed: string
  readonly logsBloom: string
  readonly logs: readonly BodyLog[]
}

export interface BodyLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** What is under a root: in order, and what leads to each of them. */
export interface BodyList<Entry> {
  readonly entries: readonly Entry[]
  readonly branches: readonly Branch[]
}

/** More would take a turn of the event loop too long: roots cost 0.3 ms for each transaction. */
export const transactionsMax = 32

/**
 * The transactions of a block with this root, in order. `unprovable` where one is of a type whose JSON is not all that the root commits
 * to: then nothing is known of any.
 */
export function verifyTransactions(block: unknown, root: string): Verified<BodyList<BodyTransaction>> {
  return verifying(() => {
    const sent = membersOf(objectOf(block).transactions)
    const leaves = sent.map((each) => transactionLeaf(each) ?? fail('unprovable'))
    const trie = indexTrie(leaves)
    if (trie.root !== root) fail('wrong-root')
    const entries = sent.map((each, index) => entryOf(each, leaves[index] as Uint8Array))
    return { entries, branches: trie.branches }
  })
}

function entryOf(sent: unknown, leaf: Uint8Array): BodyTransaction {
  const fields = fieldsOf(sent)
  return { hash: keccak(leaf), fields, ...(fields === null && { leaf: bytesToHex(leaf) }) }
}

/** What stands in the trie of its block. */
export function leafOf({ fields, leaf }: BodyTransaction): Uint8Array {
  return leaf === undefined ? (signedBytesOf(fields) as Uint8Array) : hexToBytes(leaf)
}

/** The transactions of a block or their receipts, where they are few enough. */
function membersOf(sent: unknown): readonly unknown[] {
  const members = itemsOf(sent)
  return members.length > transactionsMax ? fail('unprovable') : members
}

/** Who signed it is read from the signature when it is asked for. */
function fieldsOf(sent: unknown): BodyTransaction['fields'] {
  const { type = '0x0' } = objectOf(sent)
  if (Number(type) > lastSignedType) return null
  return transactionCodec.read(sent, nowhere) as Readonly<Record<string, unknown>>
}

/** EIP-7702. */
const lastSignedType = 4

/** The receipts of a block with this root, in order. */
export function verifyReceipts(receipts: unknown, root: string): Verified<BodyList<BodyReceipt>> {
  return verifying(() => {
    const sent = membersOf(receipts).map(objectOf)
    const inOrder = sent.toSorted(
      (one, other) => Number(one.transactionIndex) - Number(other.transactionIndex),
    )
    const entries = inOrder.map(readReceipt)
    const trie = indexTrie(entries.map(receiptLeaf))
    if (trie.root === root) return { entries, branches: trie.branches }
    return fail(sent.some(isStateSync) ? 'unprovable' : 'wrong-root')
  })
}

/** Polygon's, which its blocks did not commit to before Madhugiri: from nobody to nobody. */
function isStateSync({ type, from, to }: Readonly<Record<string, unknown>>): boolean {
  return Number(type ?? 0) === 0 && Number(from) === 0 && Number(to) === 0
}

const logs = list(record({ address, topics: list(hash), data }))

function readReceipt(sent: Readonly<Record<string, unknown>>): BodyReceipt {
  const read = (codec: Codec, name: string) => codec.read(sent[name], nowhere) as string
  const emitted = logs.read(sent.logs, nowhere) as readonly BodyLog[]
  return {
    type: typeOf(sent.type ?? '0x0'),
    outcome: sent.status == null ? { root: read(hash, 'root') } : { status: read(quantity, 'status') },
    cumulativeGasUsed: read(quantity, 'cumulativeGasUsed'),
    logsBloom:
      sent.logsBloom == null
        ? bloomOf(emitted.flatMap(({ address, topics }) => [address, ...topics]))
        : read(bytes(256), 'logsBloom'),
    logs: emitted,
  }
}

/** One byte of the leaf says it (EIP-2718). */
function typeOf(type: unknown): string {
  const read = quantity.read(type, nowhere) as string
  return Number(read) > typeMax ? fail('malformed') : read
}

const typeMax = 0x7f

/** What stands in the trie of its block. */
export function receiptLeaf({ type, outcome, cumulativeGasUsed, logsBloom, logs }: BodyReceipt): Uint8Array {
  const body = rlp([
    'status' in outcome ? rlpNumber(outcome.status) : outcome.root,
    rlpNumber(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }): RlpItem => [address, topics, data]),
  ])
  return type === '0x0' ? body : concatBytes(Uint8Array.of(Number(type)), body)
}

const nowhere = { chainId: 0 }
