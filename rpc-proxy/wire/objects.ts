import {
  address,
  bool,
  byQuantity,
  bytes,
  data,
  type Fields,
  type Form,
  hash,
  list,
  nullable,
  objectOf,
  quantity,
  record,
  withDefault,
} from './forms.ts'
import { looseFields } from './quirks.ts'
import { transaction } from './transaction.ts'

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

const receiptFields: Fields = {
  transactionHash: hash,
  transactionIndex: quantity,
  blockHash: hash,
  blockNumber: quantity,
  type: nullable(quantity),
  from: address,
  to: nullable(address),
  contractAddress: nullable(address),
  status: nullable(quantity),
  root: nullable(hash),
  cumulativeGasUsed: quantity,
  gasUsed: quantity,
  effectiveGasPrice: nullable(quantity),
  logs: list(log, { order: inChainOrder }),
  logsBloom: nullable(bloom),
}
const blobFields: Fields = { blobGasUsed: quantity, blobGasPrice: quantity }
const plainReceipt = record(receiptFields, looseFields('receipt'))
const blobReceipt = record({ ...receiptFields, ...blobFields }, looseFields('receipt'))

/** A receipt. Only a blob transaction has used blob gas; some clients give its price to every other receipt too. */
export const receipt: Form = {
  read: (value, reading) => receiptForm(value).read(value, reading),
  merge: (values, merging) => receiptForm(values[0]).merge(values, merging),
}

const blobType = '0x3'
const typeOf = nullable(quantity)
const receiptForm = (value: unknown) =>
  typeOf.read(objectOf(value).type, { chainId: 0 }) === blobType ? blobReceipt : plainReceipt

const withdrawal = record({ index: quantity, validatorIndex: quantity, address, amount: quantity })

/** A member of a block: its hash alone, or the whole of it. */
export const hashOrTransaction: Form = {
  read: (value, reading) => (typeof value === 'string' ? hash : transaction).read(value, reading),
  merge: (values, merging) => (typeof values[0] === 'string' ? hash : transaction).merge(values, merging),
}

/** Every field that the header's hash covers, up to Amsterdam, and the body. An uncle has no body. */
export const block = record(
  {
    hash,
    parentHash: hash,
    sha3Uncles: hash,
    miner: address,
    stateRoot: hash,
    transactionsRoot: hash,
    receiptsRoot: hash,
    logsBloom: bloom,
    difficulty: nullable(quantity),
    number: quantity,
    gasLimit: quantity,
    gasUsed: quantity,
    timestamp: quantity,
    extraData: data,
    mixHash: nullable(hash),
    nonce: nullable(bytes(8)),
    baseFeePerGas: nullable(quantity),
    withdrawalsRoot: nullable(hash),
    blobGasUsed: nullable(quantity),
    excessBlobGas: nullable(quantity),
    parentBeaconBlockRoot: nullable(hash),
    requestsHash: nullable(hash),
    blockAccessListHash: nullable(hash),
    slotNumber: nullable(quantity),
    transactions: nullable(list(hashOrTransaction)),
    uncles: list(hash),
    withdrawals: nullable(list(withdrawal)),
  },
  looseFields('block'),
)
