import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Address, type Hex, hashMessage, hexToBytes } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

/** The EIP-191 hash, which `personal_sign` signs. */
export const digestOf = (message: string): Hex => hashMessage(message)

/**
 * The account whose key made this signature; null when it is invalid. Valid are 65 bytes with a recovery byte of 0, 1, 27 or
 * 28, and 64 bytes (EIP-2098), both with s in the lower half, so that no signature has a second spelling.
 */
export function signerOf(digest: Hex, signature: Hex): Address | null {
  const parts = partsOf(hexToBytes(signature))
  if (parts === null) return null
  const { r, s, parity } = parts
  const { n } = secp256k1.Point.CURVE()
  if (r === 0n || r >= n || s === 0n || s > n / 2n) return null
  try {
    const key = new secp256k1.Signature(r, s, parity).recoverPublicKey(hexToBytes(digest)).toHex(false)
    return publicKeyToAddress(`0x${key}`)
  } catch {
    return null
  }
}

function partsOf(bytes: Uint8Array): { r: bigint; s: bigint; parity: number } | null {
  const r = numberIn(bytes.subarray(0, 32))
  if (bytes.length === 64) {
    const tail = bytes.slice(32)
    const parity = (tail[0] as number) >> 7
    tail[0] = (tail[0] as number) & 0x7f
    return { r, s: numberIn(tail), parity }
  }
  const parity = [0, 1, 27, 28].indexOf(bytes[64] ?? -1)
  if (bytes.length !== 65 || parity === -1) return null
  return { r, s: numberIn(bytes.subarray(32, 64)), parity: parity & 1 }
}

const numberIn = (bytes: Uint8Array) => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
