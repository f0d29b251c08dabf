import { createDecipheriv, pbkdf2Sync, scryptSync } from 'node:crypto'
import { type Hex, keccak256, toHex } from 'viem'

interface EncryptedKey {
  readonly ciphertext: string
  readonly cipherparams: { readonly iv: string }
  readonly mac: string
  readonly kdf: string
  readonly kdfparams: {
    readonly salt: string
    readonly dklen: number
    readonly n?: number
    readonly r?: number
    readonly p?: number
    readonly c?: number
  }
}

/** Of version 3, as Foundry and geth write it, or with ethers' capital. */
type Keystore = Partial<Record<'crypto' | 'Crypto', EncryptedKey>>

/** geth's keystores take 256 MiB. */
const memoryBytesMax = 1 << 29

/** The private key in a keystore. Throws for a wrong password. */
export function keyOfKeystore(text: string, password: string): Hex {
  const { crypto, Crypto: encrypted = crypto }: Keystore = JSON.parse(text)
  if (encrypted === undefined) throw new Error('this file is no keystore of version 3')
  const { ciphertext, cipherparams, mac, kdf, kdfparams } = encrypted
  const { salt, dklen, n = 0, r = 0, p = 0, c = 0 } = kdfparams
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  const derived =
    kdf === 'scrypt'
      ? scryptSync(password, bytes(salt), dklen, { N: n, r, p, maxmem: memoryBytesMax })
      : pbkdf2Sync(password, bytes(salt), c, dklen, 'sha256')
  if (keccak256(Buffer.concat([derived.subarray(16, 32), bytes(ciphertext)])) !== `0x${mac}`)
    throw new Error('the password of the keystore is another one')
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), bytes(cipherparams.iv))
  return toHex(Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()]))
}
