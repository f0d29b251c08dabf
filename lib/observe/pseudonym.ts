import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A keyed hash: a caller or account has the same pseudonym throughout one process's log, and it cannot be reversed. */
export function createPseudonyms(): (text: string) => string {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  return (text) => bytesToHex(hmac(sha256, secret, utf8ToBytes(text))).slice(0, 12)
}
