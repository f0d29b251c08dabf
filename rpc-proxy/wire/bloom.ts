import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

/** The three places of a value in a bloom of 2048 bits; place 0 is the lowest bit of the last byte (Yellow Paper, 4.3.1). */
export function bloomBits(hex: string): readonly number[] {
  const digest = keccak_256(hexToBytes(hex.slice(2)))
  return [0, 2, 4].map((at) => (((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0)) & 2047)
}

/** The bloom of addresses and topics. */
export function bloomOf(values: readonly string[]): string {
  const bytes = new Uint8Array(256)
  for (const bit of [...new Set(values)].flatMap(bloomBits)) {
    const at = 255 - (bit >> 3)
    bytes[at] = (bytes[at] ?? 0) | (1 << (bit & 7))
  }
  return `0x${bytesToHex(bytes)}`
}
