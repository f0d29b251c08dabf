import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

interface Signature {
  readonly r: bigint
  readonly s: bigint
  readonly parity: bigint
}

/** The address whose key signed a digest; null where no key could have. */
export function recoverSender(digest: Uint8Array, { r, s, parity }: Signature): string | null {
  try {
    const key = new secp256k1.Signature(r, s, Number(parity)).recoverPublicKey(digest).toBytes(false)
    return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`
  } catch {
    return null
  }
}
