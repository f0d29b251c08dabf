import { concatHex, fromRlp, type Hex, keccak256, numberToHex, toRlp } from 'viem'
import { isRecord, parseJson } from '../parse-json.ts'
import { canonicalJson } from './canonical-json.ts'
import { provenText } from './check-proof.ts'
import type { PublicCertificate } from './public-certificate.ts'

type Proven = { readonly [Name in 'proof' | 'block']: NonNullable<PublicCertificate[Name]> }
type Block = Proven['block']

/** A transaction, a receipt or a log in canonical form. */
type Read = Readonly<Record<string, unknown>>

/** What a block commits to of a log. */
interface Log {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** What a block has at a place, as its roots commit to it. */
interface Place {
  readonly index: number
  readonly transaction: Hex
  readonly receipt?: Hex | undefined
}

/** What a proof proves of a block: its places, all of them in order or one. Null where it proves none. */
export function placesOf({ proof, block }: Proven): readonly Place[] | null {
  const read = parseJson(provenText(proof, block) ?? '')
  if (!isRecord(read)) return null
  if (proof.body === null) return [read as unknown as Place]
  const { transactions, receipts } = proof.body
  return transactions.map((transaction, index) => ({
    index,
    transaction: transaction as Hex,
    receipt: receipts?.[index] as Hex | undefined,
  }))
}

/**
 * Whether a result in canonical form is what a proof shows of its block: what the roots commit to is compared, and the place. Of logs it is
 * the list of all in the block that the filter takes.
 */
export function isInBlock(proven: Proven, [filter, place]: readonly unknown[], result: unknown): boolean {
  const places = placesOf(proven)
  if (places === null) return false
  const isAt = (read: Read, index: number) => isOfPlace(read, places[index], proven.block)
  if (proven.proof.body === null) return isRecord(result) && isAt(result, 0)
  if (result === null) return Number(place) >= places.length
  if (!Array.isArray(result)) return false
  if (isRecord(filter)) return canonicalJson(result) === canonicalJson(logsIn(places, proven.block, filter))
  return result.length === places.length && result.every(isAt)
}

function isOfPlace(read: Read, place: Place | undefined, { hash }: Block): boolean {
  if (place === undefined || read.blockHash !== hash || Number(read.transactionIndex) !== place.index)
    return false
  const own = keccak256(place.transaction)
  return place.receipt === undefined
    ? read.hash === own
    : read.transactionHash === own && receiptBytes(read) === place.receipt
}

/** A receipt as its block commits to it (EIP-2718). */
function receiptBytes({ type, status, root, cumulativeGasUsed, logsBloom, logs }: Read): Hex {
  const list = toRlp([
    status == null ? (root as Hex) : trimmed(status),
    trimmed(cumulativeGasUsed),
    logsBloom as Hex,
    (logs as readonly Log[]).map(({ address, topics, data }) => [address, topics, data]),
  ])
  return type === '0x0' ? list : concatHex([numberToHex(Number(type), { size: 1 }), list])
}

/** A number as RLP has it. */
const trimmed = (quantity: unknown): Hex => (quantity === '0x0' ? '0x' : numberToHex(BigInt(quantity as Hex)))

/** The logs of a block that a filter takes, in canonical form. */
function logsIn(places: readonly Place[], { number, hash }: Block, filter: Read): readonly Read[] {
  const all = places.flatMap(({ index, transaction, receipt = '0x' }) => {
    const transactionHash = keccak256(transaction)
    const place = { blockNumber: numberToHex(number), blockHash: hash, transactionIndex: numberToHex(index) }
    return logsOf(receipt).map((log) => ({ ...log, ...place, transactionHash }))
  })
  return all
    .map((log, index) => ({ ...log, logIndex: numberToHex(index), removed: false }))
    .filter((log) => isWanted(log, filter))
}

function logsOf(receipt: Hex): readonly Log[] {
  const isTyped = Number.parseInt(receipt.slice(2, 4), 16) < 0x80
  const fields = fromRlp(isTyped ? `0x${receipt.slice(4)}` : receipt) as readonly unknown[]
  const logs = fields[3] as readonly (readonly [Hex, readonly Hex[], Hex])[]
  return logs.map(([address, topics, data]) => ({ address, topics, data }))
}

function isWanted({ address, topics }: Log, filter: Read): boolean {
  const wanted = (filter.topics ?? []) as readonly unknown[]
  const isOneOf = (among: unknown, value: unknown) =>
    among == null || [among].flat().includes(value as NonNullable<unknown>)
  return (
    isOneOf(filter.address, address) &&
    wanted.length <= topics.length &&
    wanted.every((topic, at) => isOneOf(topic, topics[at]))
  )
}
