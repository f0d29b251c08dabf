import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A keyed hash: the same caller or account has the same name in one process's log, and what it is cannot be read from it. */
export function createPseudonyms(): (text: string) => string {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  return (text) => bytesToHex(hmac(sha256, secret, utf8ToBytes(text))).slice(0, 12)
}
