import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from './canonical-json.ts'
import type { PublicCertificate, UnsignedCertificate } from './public-certificate.ts'

/** A gateway's key as it is published. */
export interface PublishedKey {
  /** The first 16 digits of the SHA-256 of the public key. */
  readonly id: string
  readonly algorithm: 'ed25519'
  readonly publicKey: string
}

export interface Signer {
  readonly key: PublishedKey
  readonly sign: (certificate: UnsignedCertificate) => PublicCertificate
}

/** Signs the canonical JSON of a certificate without its `signature` (RFC 8032). `secret`: 32 bytes in hex. */
export function createSigner(secret: string): Signer {
  const secretKey = hexToBytes(secret)
  const publicKey = ed25519.getPublicKey(secretKey)
  const keyId = bytesToHex(sha256(publicKey)).slice(0, 16)
  const named = { algorithm: 'ed25519', publicKey: bytesToHex(publicKey) } as const
  return {
    key: { id: keyId, ...named },
    sign(certificate) {
      const signature = ed25519.sign(utf8ToBytes(canonicalJson(certificate)), secretKey)
      return { ...certificate, signature: { keyId, ...named, value: bytesToHex(signature) } }
    },
  }
}
