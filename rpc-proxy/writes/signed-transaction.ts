import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { hexOf } from '../methods/block-ref.ts'
import { CallError } from '../runtime/errors.ts'
import { type Item, keccak, RlpFault, readRlp, rlp, rlpItemOf, rlpNumber } from '../wire/rlp.ts'
import { checkFields, invalid, numberIn, type TransactionType, typeOf } from './layout.ts'

/** What a signed transaction says of itself, read from the bytes that were signed. Hex is lower-case. */
export interface Transaction {
  readonly hash: string
  readonly chainId: number
  readonly type: TransactionType
  readonly nonce: number
  readonly sender: string
}

/**
 * Reads a raw signed transaction: legacy with EIP-155, EIP-2930, EIP-1559 and EIP-7702.
 *
 * `raw` is 0x and an even number of hex digits. Throws CallError `bad-params` with a sentence for everything that is not
 * exactly one such transaction in its only spelling, and for blob transactions and those that any chain would take.
 */
export function decodeTransaction(raw: string): Transaction {
  const bytes = hexToBytes(raw.slice(2))
  const type = typeOf(bytes[0] ?? -1)
  const isLegacy = type === 0
  const fields = fieldsOf(bytes, isLegacy ? 0 : 1)
  checkFields(type, fields)

  const v = numberIn(fields.at(-3))
  const { chainId, parity } = isLegacy ? replayProtection(v) : { chainId: numberIn(fields[0]), parity: v }
  if (parity > 1n) throw invalid('invalid signature: yParity must be 0 or 1')
  const unsigned = fields.slice(0, -3).map(rlpItemOf)
  const preimage = rlp(isLegacy ? [...unsigned, rlpNumber(hexOf(chainId)), '0x', '0x'] : unsigned)

  return {
    hash: keccak(bytes),
    chainId: safe(chainId, 'chain id'),
    type,
    nonce: safe(numberIn(fields[isLegacy ? 0 : 1]), 'nonce'),
    sender: recover(keccak_256(isLegacy ? preimage : concatBytes(bytes.subarray(0, 1), preimage)), {
      r: numberIn(fields.at(-2)),
      s: numberIn(fields.at(-1)),
      parity,
    }),
  }
}

function fieldsOf(bytes: Uint8Array, from: number): readonly Item[] {
  try {
    const item = readRlp(bytes, from)
    if (item.kind === 'list') return item.items
  } catch (error) {
    if (!(error instanceof RlpFault)) throw error
    throw invalid(`not canonical RLP: ${error.message}`)
  }
  throw invalid('not a list of fields')
}

/** EIP-155: v is chain id x 2 + 35, and the parity on top. */
function replayProtection(v: bigint): { chainId: bigint; parity: bigint } {
  if (v === 27n || v === 28n)
    throw new CallError('bad-params', {
      message: 'only replay-protected (EIP-155) transactions allowed over RPC',
    })
  if (v < 35n) throw invalid('invalid signature: v')
  return { chainId: (v - 35n) >> 1n, parity: (v - 35n) & 1n }
}

interface Signature {
  readonly r: bigint
  readonly s: bigint
  readonly parity: bigint
}

/** The address whose key signed. s in the upper half would be the same transaction under another hash (EIP-2). */
function recover(digest: Uint8Array, { r, s, parity }: Signature): string {
  const { n } = secp256k1.Point.CURVE()
  if (r === 0n || r >= n || s === 0n || s > n / 2n) throw invalid('invalid signature: r or s out of range')
  try {
    const key = new secp256k1.Signature(r, s, Number(parity)).recoverPublicKey(digest).toBytes(false)
    return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`
  } catch {
    throw invalid('invalid signature: no key could have made it')
  }
}

function safe(value: bigint, name: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(`${name} is too large`)
  return Number(value)
}
