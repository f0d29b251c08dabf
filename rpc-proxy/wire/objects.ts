import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import {
  absent,
  address,
  bool,
  byQuantity,
  bytes,
  type CodecContext,
  data,
  emptiable,
  hash,
  isEmpty,
  list,
  nullable,
  objectOf,
  oneOf,
  preprocess,
  quantity,
  withDefault,
} from './codecs.ts'
import { forkFields, headerFields } from './header-hash.ts'
import { looseFields } from './quirks.ts'
import { type Fields, joinable, record } from './record.ts'
import { transaction } from './transaction-codec.ts'

const bloom = bytes(256)

export const log = record({
  address,
  topics: list(hash),
  data,
  blockNumber: quantity,
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: quantity,
  logIndex: quantity,
  removed: withDefault(bool, false),
})

/** Logs and receipts as the chain has them, whatever order a node lists them in. Takes canonical ones. */
export function inChainOrder(one: unknown, other: unknown): number {
  const a = one as Readonly<Record<string, string>>
  const b = other as Readonly<Record<string, string>>
  for (const name of ['blockNumber', 'transactionIndex', 'logIndex']) {
    const order = byQuantity(a[name] ?? '', b[name] ?? '')
    if (order !== 0) return order
  }
  return 0
}

/**
 * The state after a transaction, before Byzantium. Old nodes write what is no hash (`0x`, `0x1a`) or null where there is none
 * (https://github.com/erigontech/erigon/issues/2184). Nobody takes such a thing for a root, and it is never returned.
 */
const root = oneOf((value) => (isNoRoot(value) ? absent : hash))
const isNoRoot = (value: unknown) => value == null || data.read(value).length < 66

const receiptFields: Fields = {
  transactionHash: hash,
  transactionIndex: quantity,
  blockHash: hash,
  blockNumber: quantity,
  // Absent in receipts of nodes older than typed transactions (EIP-2718), which are of no other type.
  type: withDefault(quantity, '0x0'),
  from: address,
  to: nullable(address),
  contractAddress: nullable(address),
  status: joinable(nullable(quantity)),
  root: joinable(root),
  cumulativeGasUsed: quantity,
  gasUsed: quantity,
  effectiveGasPrice: joinable(nullable(quantity)),
  logs: list(log, { order: inChainOrder }),
  logsBloom: bloom,
}
const blobFields: Fields = { blobGasUsed: quantity, blobGasPrice: quantity }
const plainReceipt = record(receiptFields, looseFields('receipt'))
const blobReceipt = record({ ...receiptFields, ...blobFields }, looseFields('receipt'))

/** Old nodes leave the bloom out. It follows from the logs, so that a false one still stands alone. */
function withBloom(value: unknown, reading: CodecContext): Readonly<Record<string, unknown>> {
  const receipt = objectOf(value)
  if (receipt.logsBloom != null) return receipt
  const logs = list(log).read(receipt.logs, reading) as readonly Bloomed[]
  return { ...receipt, logsBloom: bloomOf(logs.flatMap(({ address, topics }) => [address, ...topics])) }
}

interface Bloomed {
  readonly address: string
  readonly topics: readonly string[]
}

/** A receipt. Only a blob transaction has used blob gas; some clients give its price to every other receipt too. */
export const receipt = preprocess(
  withBloom,
  oneOf((value) => {
    const { type } = objectOf(value)
    return type != null && quantity.read(type) === blobType ? blobReceipt : plainReceipt
  }),
)
const blobType = '0x3'

const withdrawal = record({ index: quantity, validatorIndex: quantity, address, amount: quantity })

/** A member of a block: its hash alone, or the whole of it. */
export const hashOrTransaction = oneOf((value) => (typeof value === 'string' ? hash : transaction))

/** Polygon has no requests, and its nodes say so by an empty list, by null or by no key. A hash is a hash still. */
const requestsHash = oneOf((value) => (isEmpty(value) ? absent : hash))

const header: Fields = {
  hash,
  ...headerFields,
  extraData: data,
  difficulty: nullable(quantity),
  mixHash: nullable(hash),
  // Nethermind has written `0x0` (https://github.com/NethermindEth/nethermind/issues/541): the same eight bytes.
  nonce: nullable(headerFields.nonce),
  ...Object.fromEntries(Object.entries(forkFields).map(([name, codec]) => [name, nullable(codec)])),
  requestsHash,
}

/**
 * Every field that the header's hash covers, up to Amsterdam, and the body. Uncles and withdrawals that are not written are
 * none: sha3Uncles and withdrawalsRoot, which are compared, say how many there must be.
 */
export const block = record(
  {
    ...header,
    transactions: list(hashOrTransaction),
    uncles: withDefault(list(hash), []),
    withdrawals: emptiable(list(withdrawal)),
  },
  looseFields('block'),
)

/** A header alone: some nodes write an empty body beside it, some none. */
export const uncle = record(header, looseFields('block'))

/** The three places of a value in a bloom of 2048 bits; place 0 is the lowest bit of the last byte (Yellow Paper, 4.3.1). */
export function bloomBits(hex: string): readonly number[] {
  const digest = keccak_256(hexToBytes(hex.slice(2)))
  return [0, 2, 4].map((at) => (((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0)) & 2047)
}

/** The bloom of addresses and topics. */
function bloomOf(values: readonly string[]): string {
  const bytes = new Uint8Array(256)
  for (const bit of [...new Set(values)].flatMap(bloomBits)) {
    const at = 255 - (bit >> 3)
    bytes[at] = (bytes[at] ?? 0) | (1 << (bit & 7))
  }
  return `0x${bytesToHex(bytes)}`
}
