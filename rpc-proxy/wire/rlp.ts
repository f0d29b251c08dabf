import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { malformed } from './codecs.ts'

/** What RLP encodes: bytes in lower-case hex, or a list of such. */
export type RlpItem = string | readonly RlpItem[]

/** The RLP of an item, in hex (Yellow Paper, appendix B). Throws `malformed` on text that is not whole bytes in lower-case hex. */
export const rlp = (item: RlpItem): string => `0x${encode(item)}`

function encode(item: RlpItem): string {
  if (typeof item !== 'string') return withHead(0xc0, item.map(encode).join(''))
  if (item.length % 2 !== 0 || !/^0x[0-9a-f]*$/.test(item)) throw malformed
  const isOwnEncoding = item.length === 4 && item < '0x80'
  return isOwnEncoding ? item.slice(2) : withHead(0x80, item.slice(2))
}

function withHead(offset: number, payload: string): string {
  const length = payload.length / 2
  if (length < 56) return wholeBytes((offset + length).toString(16)) + payload
  const size = wholeBytes(length.toString(16))
  return wholeBytes((offset + 55 + size.length / 2).toString(16)) + size + payload
}

const wholeBytes = (digits: string): string => (digits.length % 2 === 0 ? digits : `0${digits}`)

/** A number as RLP has it: no leading zeros, and nothing at all for zero. Takes canonical quantities. */
export function rlpNumber(quantity: string): string {
  return quantity === '0x0' ? '0x' : `0x${wholeBytes(quantity.slice(2))}`
}

/** The keccak-256 of bytes, both in hex. */
export const digestOf = (hex: string): string => `0x${bytesToHex(keccak_256(hexToBytes(hex.slice(2))))}`

/** Bytes that are not RLP, or RLP in another spelling than the only one. */
export class RlpFault extends Error {}

/** A transaction has lists in lists in lists in a list, and a trie's node no deeper ones. */
const depthMax = 5

/** Reads the one item that lower-case hex encodes; throws RlpFault where a reader of another mind could read otherwise. */
export function readRlp(hex: string): RlpItem {
  const { item, to } = readItem(hex, 2, hex.length, 0)
  if (to !== hex.length) throw new RlpFault('bytes after the end')
  return item
}

/** An item between two places of the text, and where the next one begins. */
function readItem(hex: string, from: number, end: number, depth: number): { item: RlpItem; to: number } {
  const head = from + 2
  const prefix = numberAt(hex, from, head, end)
  if (prefix < 0x80) return { item: `0x${hex.slice(from, head)}`, to: head }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  const start = head + 2 * Math.max(0, short - 55)
  const to = start + 2 * (start === head ? short : readLength(hex, head, start, end))
  if (to > end) throw new RlpFault('an item is longer than what holds it')

  if (isList) return { item: readItems(hex, start, to, depth + 1), to }
  if (to - start === 2 && numberAt(hex, start, to, end) < 0x80) throw new RlpFault('a byte is written as two')
  return { item: `0x${hex.slice(start, to)}`, to }
}

function readItems(hex: string, from: number, end: number, depth: number): readonly RlpItem[] {
  if (depth > depthMax) throw new RlpFault('lists in too many lists')
  const items: RlpItem[] = []
  for (let at = from; at < end; ) {
    const { item, to } = readItem(hex, at, end, depth)
    items.push(item)
    at = to
  }
  return items
}

function readLength(hex: string, from: number, to: number, end: number): number {
  const length = numberAt(hex, from, to, end)
  if (hex.startsWith('00', from)) throw new RlpFault('a length begins with zeros')
  if (length <= 55) throw new RlpFault('a short length is written as a long one')
  return length
}

function numberAt(hex: string, from: number, to: number, end: number): number {
  if (to > end) throw new RlpFault('cut short')
  return Number(`0x${hex.slice(from, to)}`)
}
