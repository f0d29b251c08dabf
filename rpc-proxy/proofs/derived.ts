import QuickLRU from 'quick-lru'
import { rlp, rlpNumber } from '../wire/encode-rlp.ts'
import { senderOf } from '../wire/transaction-codec.ts'
import type { BodyReceipt, BodyTransaction } from './block-body.ts'
import type { VerifiedHeader } from './header-hash.ts'
import { keccak } from './trie-walk.ts'

/** A block of which everything is verified. */
export interface Body {
  readonly header: VerifiedHeader
  readonly transactions: readonly BodyTransaction[]
  /** As many; empty where they were not asked for. */
  readonly receipts: readonly BodyReceipt[]
}

/**
 * What JSON-RPC writes of the transaction at a place; null where there is none, undefined where some of it follows from no root: of types
 * that nobody signs.
 */
export function transactionAt({ header, transactions }: Body, index: number): object | null | undefined {
  const transaction = transactions[index]
  if (transaction === undefined) return null
  const { hash, fields } = transaction
  const from = senderIn(transaction)
  if (fields === null || from === null) return undefined
  return {
    ...fields,
    ...chainOf(fields),
    hash,
    from,
    ...placeOf(header, index),
    gasPrice: priceOf(fields, header),
  }
}

/**
 * The same of a receipt. Undefined where it cannot be derived: the gas price of a block with unsigned transactions is set by rules of its
 * chain, and the price of blobs depends on which fork is active.
 */
export function receiptAt(body: Body, index: number): object | null | undefined {
  const { header, transactions, receipts } = body
  const [transaction, receipt] = [transactions[index], receipts[index]]
  if (transaction === undefined || receipt === undefined) return null
  const { hash, fields } = transaction
  const from = senderIn(transaction)
  const isOwn = transactions.some((each) => each.fields === null)
  if (fields === null || from === null || isOwn || fields.type === blobType) return undefined
  const before = BigInt(receipts[index - 1]?.cumulativeGasUsed ?? 0)
  return {
    transactionHash: hash,
    ...placeOf(header, index),
    type: receipt.type,
    from,
    to: fields.to,
    contractAddress: fields.to === null ? createdBy(from, fields.nonce as string) : null,
    ...receipt.outcome,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    gasUsed: hex(BigInt(receipt.cumulativeGasUsed) - before),
    effectiveGasPrice: priceOf(fields, header),
    logs: logsAt(body, index),
    logsBloom: receipt.logsBloom,
  }
}

/** A log as JSON-RPC writes it. */
export interface ProvenLog {
  readonly address: string
  readonly topics: readonly string[]
}

/** By hash. To read one from its signature takes a millisecond, and the same blocks are read again and again. */
const senders = new QuickLRU<string, string | null>({ maxSize: 4096 })

function senderIn({ hash, fields }: BodyTransaction): string | null {
  if (fields === null) return null
  const known = senders.get(hash)
  if (known !== undefined) return known
  const sender = senderOf(fields)
  senders.set(hash, sender)
  return sender
}

/** The logs of all receipts. */
export function logsOf(body: Body): readonly ProvenLog[] {
  return body.receipts.flatMap((_, index) => logsAt(body, index))
}

function logsAt({ header, transactions, receipts }: Body, index: number): readonly ProvenLog[] {
  const first = receipts.slice(0, index).reduce((sum, { logs }) => sum + logs.length, 0)
  const { timestamp } = header
  const place = {
    ...placeOf(header, index),
    blockTimestamp: timestamp,
    transactionHash: transactions[index]?.hash,
  }
  return (receipts[index]?.logs ?? []).map((log, at) => ({
    ...log,
    ...place,
    logIndex: hex(first + at),
    removed: false,
  }))
}

const blobType = '0x3'

const placeOf = ({ hash, number }: VerifiedHeader, index: number) => ({
  blockHash: hash,
  blockNumber: number,
  transactionIndex: hex(index),
})

type Fields = Readonly<Record<string, unknown>>

/** What a gas costs its sender (EIP-1559). */
function priceOf(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Fields,
  { baseFeePerGas }: VerifiedHeader,
): string {
  if (typeof gasPrice === 'string') return gasPrice
  const [most, tipped] = [
    BigInt(maxFeePerGas as string),
    BigInt(baseFeePerGas ?? 0) + BigInt(maxPriorityFeePerGas as string),
  ]
  return hex(most < tipped ? most : tipped)
}

/** EIP-155: a legacy transaction has its chain's id in its signature, or none. */
function chainOf({ type, v }: Fields): { readonly chainId?: string } {
  const bit = BigInt(v as string)
  return type === '0x0' && bit >= 35n ? { chainId: hex((bit - 35n) >> 1n) } : {}
}

/** The address of what a transaction creates (Yellow Paper, 7). */
function createdBy(sender: string, nonce: string): string {
  return `0x${keccak(rlp([sender, rlpNumber(nonce)])).slice(-40)}`
}

const hex = (number: bigint | number): string => `0x${number.toString(16)}`
