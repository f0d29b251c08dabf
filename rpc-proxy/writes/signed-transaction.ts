import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { hexOf } from '../methods/block-ref.ts'
import { CallError } from '../runtime/errors.ts'
import { digestOf, RlpFault, type RlpItem, readRlp, rlp, rlpNumber } from '../wire/rlp.ts'
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
 * `raw` is 0x and an even number of lower-case hex digits. Throws CallError `bad-params` with a sentence for everything that is not
 * exactly one such transaction in its only spelling, and for blob transactions and those that any chain would take.
 */
export function decodeTransaction(raw: string): Transaction {
  const type = typeOf(Number(raw.slice(0, 4)))
  const isLegacy = type === 0
  const fields = fieldsOf(isLegacy ? raw : `0x${raw.slice(4)}`)
  checkFields(type, fields)

  const v = numberIn(fields.at(-3))
  const { chainId, parity } = isLegacy ? replayProtection(v) : { chainId: numberIn(fields[0]), parity: v }
  if (parity > 1n) throw invalid('invalid signature: yParity must be 0 or 1')
  const unsigned = fields.slice(0, -3)
  const preimage = isLegacy
    ? rlp([...unsigned, rlpNumber(hexOf(chainId)), '0x', '0x'])
    : `${raw.slice(0, 4)}${rlp(unsigned).slice(2)}`

  return {
    hash: digestOf(raw),
    chainId: safe(chainId, 'chain id'),
    type,
    nonce: safe(numberIn(fields[isLegacy ? 0 : 1]), 'nonce'),
    sender: recover(digestOf(preimage), {
      r: numberIn(fields.at(-2)),
      s: numberIn(fields.at(-1)),
      parity,
    }),
  }
}

function fieldsOf(hex: string): readonly RlpItem[] {
  try {
    const item = readRlp(hex)
    if (typeof item !== 'string') return item
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
function recover(digest: string, { r, s, parity }: Signature): string {
  const { n } = secp256k1.Point.CURVE()
  if (r === 0n || r >= n || s === 0n || s > n / 2n) throw invalid('invalid signature: r or s out of range')
  try {
    const key = new secp256k1.Signature(r, s, Number(parity))
      .recoverPublicKey(hexToBytes(digest.slice(2)))
      .toBytes(false)
    return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`
  } catch {
    throw invalid('invalid signature: no key could have made it')
  }
}

function safe(value: bigint, name: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(`${name} is too large`)
  return Number(value)
}
