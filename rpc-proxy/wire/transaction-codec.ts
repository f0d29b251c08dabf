import {
  address,
  type Codec,
  type CodecContext,
  data,
  emptiable,
  hash,
  list,
  malformed,
  nullable,
  objectOf,
  oneOf,
  preprocess,
  quantity,
  withDefault,
} from './codecs.ts'
import { nobody } from './quirks.ts'
import { type Fields, record } from './record.ts'
import { digestOf, type RlpItem, rlp, rlpNumber } from './rlp.ts'

const accessList = list(record({ address, storageKeys: list(hash) }))
const authorizationList = list(
  record({ chainId: quantity, address, nonce: quantity, yParity: quantity, r: quantity, s: quantity }),
)

/** Where it was included, which no signature covers; all null while it waits. */
const inclusion: Fields = {
  blockHash: nullable(hash),
  blockNumber: nullable(quantity),
  transactionIndex: nullable(quantity),
}
const identity: Fields = { hash, type: quantity, from: address, ...inclusion }
const to = nullable(address)
const legacyFields: Fields = {
  nonce: quantity,
  gasPrice: quantity,
  gas: quantity,
  to,
  value: quantity,
  input: data,
}
const feeFields: Fields = {
  chainId: quantity,
  nonce: quantity,
  maxPriorityFeePerGas: quantity,
  maxFeePerGas: quantity,
  gas: quantity,
  to,
  value: quantity,
  input: data,
  accessList,
}
const signature: Fields = { r: quantity, s: quantity }
const parity: Fields = { yParity: quantity, v: quantity, ...signature }

/** The signed payload of each type, in the order in which it is signed; then what signs it. */
const payloads: Readonly<Record<string, Fields>> = {
  '0x0': legacyFields,
  '0x1': { chainId: quantity, ...legacyFields, accessList },
  '0x2': feeFields,
  '0x3': { ...feeFields, maxFeePerBlobGas: quantity, blobVersionedHashes: list(hash) },
  '0x4': { ...feeFields, authorizationList },
}

/**
 * What a client can act on in a type that is not Ethereum's: Arbitrum's 0x64 to 0x6a and 0x78, OP's 0x7e, Polygon's 0x7f.
 * Its hash is not checked here, so every field is compared.
 */
const unknownFields: Fields = {
  ...identity,
  ...Object.fromEntries(
    [
      'chainId nonce gasPrice maxPriorityFeePerGas maxFeePerGas maxFeePerBlobGas gas value v yParity r s',
      'mint maxRefund submissionFeeRefund maxSubmissionFee depositValue retryValue l1BaseFee',
    ]
      .join(' ')
      .split(' ')
      .map((name) => [name, nullable(quantity)]),
  ),
  to,
  input: nullable(data),
  accessList: emptiable(accessList),
  authorizationList: emptiable(authorizationList),
  blobVersionedHashes: emptiable(list(hash)),
  sourceHash: nullable(hash),
  requestId: nullable(hash),
  ticketId: nullable(hash),
  refundTo: to,
  retryTo: to,
  beneficiary: to,
  retryData: nullable(data),
}

const knownCodecs = new Map(
  Object.entries(payloads).map(([type, payload]) => [
    type,
    record({ ...identity, ...payload, ...(type === '0x0' ? { v: quantity, ...signature } : parity) }),
  ]),
)
const unknownCodec = record(unknownFields)

/**
 * Polygon's state syncs, by sender: one hash is a legacy transaction to bor before PIP-74 and of type 0x7f after it, with or
 * without a chain id and a signature. Nobody signed it and nobody pays for it, so that its type, price and signature, returned
 * where a quorum has them alike, tell a client nothing that it could act on; all that it can is compared.
 */
const stateSyncCodec = record({
  hash,
  from: address,
  ...inclusion,
  nonce: withDefault(quantity, '0x0'),
  gas: withDefault(quantity, '0x0'),
  to,
  value: withDefault(quantity, '0x0'),
  input: withDefault(data, '0x'),
})
const polygon = 137

/**
 * A transaction, compared on what was signed and on where it was included. The price that mined transactions of types 2
 * and up show as `gasPrice`, and a legacy one's `chainId`, follow from those and are not compared.
 */
export const transaction = preprocess(tidy, oneOf(formOf))

/** The same, and its payload must hash to its key wherever we know how it was signed. */
export const provenTransaction: Codec = {
  ...transaction,
  read: (value, reading) => {
    const proven = transactionHashOf(value)
    if (proven !== null && proven !== hash.read(objectOf(value).hash)) throw malformed
    return transaction.read(value, reading)
  },
}

/**
 * The hash of what a transaction object says was signed (EIP-2718); null where that cannot be told: a type that is not
 * Ethereum's, a field missing or malformed, no signature.
 */
export function transactionHashOf(value: unknown): string | null {
  try {
    const tidied = tidy(value)
    const type = tidied.type as string
    const payload = payloads[type]
    if (payload === undefined || isUnsigned(tidied)) return null
    const names = [...Object.keys(payload), type === '0x0' ? 'v' : 'yParity', 'r', 's']
    const list = rlp(names.map((name) => itemOf(name, tidied[name])))
    // EIP-2718: a legacy transaction is its list alone.
    return digestOf(type === '0x0' ? list : `0x0${type.slice(2)}${list.slice(2)}`)
  } catch {
    return null
  }
}

const nowhere: CodecContext = { chainId: 0 }

function itemOf(name: string, value: unknown): RlpItem {
  if (name === 'to') return value == null ? '0x' : address.read(value)
  if (name === 'input') return data.read(value)
  if (name === 'blobVersionedHashes') return list(hash).read(value, nowhere) as string[]
  if (name === 'accessList')
    return (accessList.read(value, nowhere) as { address: string; storageKeys: string[] }[]).map((entry) => [
      entry.address,
      entry.storageKeys,
    ])
  if (name === 'authorizationList')
    return (authorizationList.read(value, nowhere) as Record<string, string>[]).map((entry) =>
      Object.entries(entry).map(([key, member]) => (key === 'address' ? member : rlpNumber(member))),
    )
  return rlpNumber(quantity.read(value))
}

/** Transactions of the chain itself (Polygon's state syncs, OP's old deposits) come with a signature of zeros. */
function isUnsigned({ r, s }: Readonly<Record<string, unknown>>): boolean {
  return quantity.read(r) === '0x0' && quantity.read(s) === '0x0'
}

/**
 * The type where none is named, the parity under both of its names (`v` of a typed transaction is the same bit), and the input
 * under its one name: old Nethermind calls it `data`, and what it signs still hashes to its key.
 */
function tidy(value: unknown): Readonly<Record<string, unknown>> {
  const given = withInput(objectOf(value))
  const type = given.type == null ? '0x0' : quantity.read(given.type)
  if (type === '0x0' || !Object.hasOwn(payloads, type)) return { ...given, type }
  const bit = given.yParity ?? given.v
  return { ...given, type, yParity: bit, v: bit, accessList: given.accessList ?? [] }
}

function withInput(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (given.input != null || given.data == null) return given
  const { data: input, ...rest } = given
  return { ...rest, input }
}

function formOf(value: unknown, { chainId }: CodecContext): Codec {
  const { from, type } = objectOf(value)
  if (chainId === polygon && from === nobody) return stateSyncCodec
  return knownCodecs.get(type as string) ?? unknownCodec
}
