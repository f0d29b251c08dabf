import {
  address,
  bytes,
  bytesAtMost,
  hash,
  malformed,
  objectOf,
  paddedBytes,
  quantity,
  type Scalar,
} from './codecs.ts'
import { nobody } from './quirks.ts'
import { digestOf, rlp, rlpNumber } from './rlp.ts'

/** The root of a trie that has nothing. */
export const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** The hash of no code. */
export const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** What the hash of a block commits to. Numbers are canonical quantities, the rest is lower-case hex. */
export interface VerifiedHeader {
  readonly hash: string
  readonly number: string
  readonly stateRoot: string
  readonly receiptsRoot: string
  readonly logsBloom: string
  /** All that is hashed, in order. */
  readonly fields: Readonly<Record<string, string>>
}

/** Polygon's have the keys of its validators, and what its transactions depend on: some kilobytes. */
const extraBytesMax = 65_536

/** The fields of every header, in the order in which they are hashed (Yellow Paper, 4.3). */
export const headerFields = {
  parentHash: hash,
  sha3Uncles: hash,
  miner: address,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: bytes(256),
  difficulty: quantity,
  number: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  timestamp: quantity,
  extraData: bytesAtMost(extraBytesMax),
  mixHash: hash,
  nonce: paddedBytes(8),
}

/** Those that forks have added since; a header ends with the last one that its chain has. */
export const forkFields = {
  baseFeePerGas: quantity,
  withdrawalsRoot: hash,
  blobGasUsed: quantity,
  excessBlobGas: quantity,
  parentBeaconBlockRoot: hash,
  requestsHash: hash,
  blockAccessListHash: hash,
  slotNumber: quantity,
}
const codecs: Readonly<Record<string, Scalar<string>>> = { ...headerFields, ...forkFields }

const polygon = 137
const arbitrum = 42_161

interface ExpectedBlock {
  readonly chainId: number
  /** The agreed hash. What the block says of its own hash proves nothing. */
  readonly hash: string
}

/** The header in a JSON-RPC block; null where its fields do not hash to the agreed hash. */
export function verifyHeader(block: unknown, expected: ExpectedBlock): VerifiedHeader | null {
  try {
    const sent = objectOf(block)
    // Null while a block is pending.
    if ([sent.hash, sent.nonce, sent.miner].includes(null)) return null
    const fields = spellingsOf(fieldsOf(sent), expected).find((each) => headerHash(each) === expected.hash)
    if (fields === undefined || hash.read(sent.hash) !== expected.hash) return null
    if (expected.chainId === arbitrum && !isDerived(sent, fields)) return null
    const { number, stateRoot, receiptsRoot, logsBloom } = fields
    return { hash: expected.hash, number, stateRoot, receiptsRoot, logsBloom, fields }
  } catch {
    return null
  }
}

type Fields = Readonly<
  Record<keyof typeof headerFields, string> & Partial<Record<keyof typeof forkFields, string>>
>

function fieldsOf(block: Readonly<Record<string, unknown>>): Fields {
  const later = Object.keys(forkFields)
  const present = later.filter((name) => !isAbsent(block[name]))
  // A gap.
  if (present.some((name, index) => name !== later[index])) throw malformed
  const names = [...Object.keys(headerFields), ...present]
  return Object.fromEntries(names.map((name) => [name, codecs[name]?.read(block[name])])) as Fields
}

/** Some nodes of chains without requests write an empty list. */
const isAbsent = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0)

/** Some of Polygon's nodes write who signed as the miner; bor hashes zeros (https://github.com/erigontech/erigon/issues/6080). */
function spellingsOf(fields: Fields, { chainId }: ExpectedBlock): readonly Fields[] {
  return chainId === polygon ? [fields, { ...fields, miner: nobody }] : [fields]
}

const headerHash = (fields: Fields): string => digestOf(rlp(headerItems(fields)))

/** What is hashed of a header, in order. */
export function headerItems(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(codecs).flatMap(([name, codec]) => {
    const value = fields[name]
    return value === undefined ? [] : [codec === quantity ? rlpNumber(value) : value]
  })
}

/** What Nitro writes beside the header is in its extra data and mix hash. Classic blocks, which have no base fee, are not checked. */
function isDerived(block: Readonly<Record<string, unknown>>, fields: Fields): boolean {
  const { extraData, mixHash, baseFeePerGas } = fields
  if (baseFeePerGas === undefined) return true
  const number = (from: number) => quantity.read(`0x${mixHash.slice(2 + 2 * from, 18 + 2 * from)}`)
  const derived = [
    ['sendRoot', hash, extraData],
    ['sendCount', quantity, number(0)],
    ['l1BlockNumber', quantity, number(8)],
  ] as const
  return derived.every(([name, codec, value]) => block[name] == null || codec.read(block[name]) === value)
}
