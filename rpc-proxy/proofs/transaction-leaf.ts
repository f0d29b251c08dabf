import { concatBytes } from '@noble/hashes/utils.js'
import { address, type Codec, data, hash, objectOf, quantity } from '../wire/codecs.ts'
import { type RlpItem, rlp, rlpNumber } from '../wire/encode-rlp.ts'
import { signedBytesOf } from '../wire/transaction-codec.ts'

/** What nobody signed, by type, in the order in which Nitro encodes it (OffchainLabs/go-ethereum, core/types/arb_types.go). */
const unsigned: Readonly<Record<string, string>> = {
  '0x64': 'chainId requestId from to value',
  '0x65': 'chainId from nonce gasPrice gas to value input',
  '0x66': 'chainId requestId from maxFeePerGas gas to value input',
  '0x68':
    'chainId nonce from maxFeePerGas gas to value input ticketId refundTo maxRefund submissionFeeRefund',
  '0x69': [
    'chainId requestId from l1BaseFee depositValue maxFeePerGas gas retryTo retryValue beneficiary',
    'maxSubmissionFee refundTo retryData',
  ].join(' '),
  '0x6a': 'chainId input',
}

const codecs = new Map<string, Codec>([
  ...['requestId', 'ticketId'].map((name) => [name, hash] as const),
  ...['from', 'to', 'refundTo', 'retryTo', 'beneficiary'].map((name) => [name, address] as const),
  ...['input', 'retryData'].map((name) => [name, data] as const),
])

/**
 * The bytes of a transaction in the trie of its block; null for a type whose JSON does not have them all, as Polygon's state syncs and
 * the deposits of OP chains. Throws `malformed` on a field that is none.
 */
export function transactionLeaf(value: unknown): Uint8Array | null {
  const sent = objectOf(value)
  const type = quantity.read(sent.type ?? '0x0', nowhere) as string
  const names = unsigned[type]?.split(' ')
  if (names === undefined) return signedBytesOf(sent)
  const items = names.map((name): RlpItem => {
    const codec = codecs.get(name) ?? quantity
    if (codec === address && sent[name] == null) return '0x'
    const read = codec.read(sent[name], nowhere) as string
    return codec === quantity ? rlpNumber(read) : read
  })
  return concatBytes(Uint8Array.of(Number(type)), rlp(items))
}

const nowhere = { chainId: 0 }
