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
  try {
    const parsed = secp256k1.Signature.fromBytes(parts.rs, 'compact').addRecoveryBit(parts.parity)
    if (parsed.hasHighS()) return null
    return publicKeyToAddress(`0x${parsed.recoverPublicKey(hexToBytes(digest)).toHex(false)}`)
  } catch {
    // r or s is not in the range of the curve, or r is no point of it.
    return null
  }
}

/** r and s, and the parity of the point, which EIP-2098 has in the first bit of s. */
function partsOf(bytes: Uint8Array): { readonly rs: Uint8Array; readonly parity: number } | null {
  if (bytes.length === 64) {
    const rs = bytes.slice()
    const first = bytes[32] as number
    rs[32] = first & 0x7f
    return { rs, parity: first >> 7 }
  }
  const parity = [0, 1, 27, 28].indexOf(bytes[64] ?? -1)
  return bytes.length === 65 && parity !== -1 ? { rs: bytes.subarray(0, 64), parity: parity & 1 } : null
}
