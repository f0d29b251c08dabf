import { hexToBytes } from '@noble/hashes/utils.js'
import { malformed } from './codecs.ts'

/** What RLP encodes: bytes in hex, or a list of such. */
export type RlpItem = string | readonly RlpItem[]

/** The RLP of an item (Yellow Paper, appendix B). Throws `malformed` on text that is not whole bytes in hex. */
export function rlp(item: RlpItem): Uint8Array {
  if (typeof item === 'string') return bytesItem(item)
  return joined(0xc0, item.map(rlp))
}

/** A number as RLP has it: no leading zeros, and nothing at all for zero. Takes canonical quantities. */
export function rlpNumber(quantity: string): string {
  const digits = quantity === '0x0' ? '' : quantity.slice(2)
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

function bytesItem(hex: string): Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/.test(hex)) throw malformed
  const bytes = hexToBytes(hex.slice(2))
  return bytes.length === 1 && (bytes[0] as number) < 0x80 ? bytes : joined(0x80, [bytes])
}

function joined(offset: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head = headOf(offset, length)
  const bytes = new Uint8Array(head.length + length)
  bytes.set(head)
  let at = head.length
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function headOf(offset: number, length: number): readonly number[] {
  if (length < 56) return [offset + length]
  const size: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256)
  return [offset + 55 + size.length, ...size]
}
