import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { malformed } from './codecs.ts'

/** What RLP encodes: bytes in lower-case hex, or a list of such. */
export type RlpItem = string | readonly RlpItem[]

/**
 * The RLP of an item (Yellow Paper, appendix B). Throws `malformed` on text that is not whole bytes in lower-case hex.
 *
 * Measured first and then written into one buffer: a full block has hundreds of transactions, and copying each item into the list
 * around it took most of the time.
 */
export function rlp(item: RlpItem): Uint8Array {
  const bytes = new Uint8Array(sizeOf(item))
  write(item, bytes, 0)
  return bytes
}

/** A number as RLP has it: no leading zeros, and nothing at all for zero. Takes canonical quantities. */
export function rlpNumber(quantity: string): string {
  const digits = quantity === '0x0' ? '' : quantity.slice(2)
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

function sizeOf(item: RlpItem): number {
  const length = payloadOf(item)
  if (isOwnEncoding(item)) return 1
  return 1 + (length < 56 ? 0 : digitsOf(length)) + length
}

/** Bytes of an item without its head. */
function payloadOf(item: RlpItem): number {
  if (typeof item !== 'string') return item.reduce((sum, member) => sum + sizeOf(member), 0)
  if (item.length % 2 !== 0 || !item.startsWith('0x')) throw malformed
  return item.length / 2 - 1
}

/** A single byte below 0x80 has no head. */
function isOwnEncoding(item: RlpItem): boolean {
  return typeof item === 'string' && item.length === 4 && item < '0x80'
}

/** How many bytes a length takes. */
function digitsOf(length: number): number {
  return length < 256 ? 1 : 1 + digitsOf(Math.floor(length / 256))
}

/** Writes an item; returns where the next one begins. */
function write(item: RlpItem, bytes: Uint8Array, from: number): number {
  const isBytes = typeof item === 'string'
  const start = isOwnEncoding(item) ? from : writeHead(isBytes ? 0x80 : 0xc0, payloadOf(item), bytes, from)
  return isBytes
    ? writeHex(item, bytes, start)
    : item.reduce((next, member) => write(member, bytes, next), start)
}

function writeHead(offset: number, length: number, bytes: Uint8Array, from: number): number {
  const count = length < 56 ? 0 : digitsOf(length)
  bytes[from] = offset + (count === 0 ? length : 55 + count)
  for (let index = 0, rest = length; index < count; index += 1, rest = Math.floor(rest / 256))
    bytes[from + count - index] = rest % 256
  return from + 1 + count
}

function writeHex(hex: string, bytes: Uint8Array, from: number): number {
  let next = from
  for (let index = 2; index < hex.length; index += 2) {
    const high = values[hex.charCodeAt(index)] ?? -1
    const low = values[hex.charCodeAt(index + 1)] ?? -1
    if (high < 0 || low < 0) throw malformed
    bytes[next] = high * 16 + low
    next += 1
  }
  return next
}

/** Value of a hex digit by its character code; -1 for all others. */
const values = new Int8Array(128).fill(-1)
for (let value = 0; value < 16; value += 1) values[value.toString(16).charCodeAt(0)] = value

/** keccak-256, in hex. */
export const keccak = (bytes: Uint8Array): string => `0x${bytesToHex(keccak_256(bytes))}`

/** The same of what is written in hex. */
export const digestOf = (hex: string): string => keccak(hexToBytes(hex.slice(2)))

/** One RLP item; `from` and `to` are its place in the bytes, head included. */
export type Item = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
)

/** An item that was read, as it is encoded again: there is one spelling only. */
export function rlpItemOf(read: Item): RlpItem {
  return read.kind === 'list' ? read.items.map(rlpItemOf) : `0x${bytesToHex(read.bytes)}`
}

/** Bytes that are not RLP, or RLP in another spelling than the only one. */
export class RlpFault extends Error {}

/** A transaction has lists in lists in lists in a list, and a trie's node no deeper ones. */
const depthMax = 5

/** Reads the one item that fills all bytes from `from` on; throws RlpFault where a reader of another mind could read otherwise. */
export function readRlp(bytes: Uint8Array, from = 0): Item {
  const item = readItem(bytes, from, bytes.length, 0)
  if (item.to !== bytes.length) throw new RlpFault('bytes after the end')
  return item
}

function readItem(bytes: Uint8Array, from: number, end: number, depth: number): Item {
  const prefix = byteAt(bytes, from, end)
  if (prefix < 0x80) return { kind: 'bytes', from, to: from + 1, bytes: bytes.subarray(from, from + 1) }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  const lengthBytes = Math.max(0, short - 55)
  const start = from + 1 + lengthBytes
  const to = start + (lengthBytes === 0 ? short : readLength(bytes, from + 1, lengthBytes, end))
  if (to > end) throw new RlpFault('an item is longer than what holds it')

  if (isList) return { kind: 'list', from, to, items: readItems(bytes, start, to, depth + 1) }
  if (to - start === 1 && byteAt(bytes, start, end) < 0x80) throw new RlpFault('a byte is written as two')
  return { kind: 'bytes', from, to, bytes: bytes.subarray(start, to) }
}

function readItems(bytes: Uint8Array, from: number, end: number, depth: number): readonly Item[] {
  if (depth > depthMax) throw new RlpFault('lists in too many lists')
  const items: Item[] = []
  for (let at = from; at < end; ) {
    const item = readItem(bytes, at, end, depth)
    items.push(item)
    at = item.to
  }
  return items
}

function readLength(bytes: Uint8Array, from: number, count: number, end: number): number {
  let length = 0
  for (let index = 0; index < count; index += 1) length = length * 256 + byteAt(bytes, from + index, end)
  if (bytes[from] === 0) throw new RlpFault('a length begins with zeros')
  if (length <= 55) throw new RlpFault('a short length is written as a long one')
  return length
}

function byteAt(bytes: Uint8Array, at: number, end: number): number {
  const byte = at < end ? bytes[at] : undefined
  if (byte === undefined) throw new RlpFault('cut short')
  return byte
}
