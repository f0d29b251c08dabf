import { type Hex, keccak256, pad } from 'viem'
import { isRecord } from '../parse-json.ts'
import { type CheckedState, statesOf } from './check-proof.ts'
import type { PublicCertificate, PublicProof } from './public-certificate.ts'

/** A call with the agreed block in place of a tag, and its result. */
export interface KnownCall {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

/** What is read of a proven account. */
type Read = (state: CheckedState, params: readonly Hex[], proof: PublicProof) => string | undefined

/** By method; the block is the param after these. */
const reads = new Map<string, { readonly paramCount: number; readonly read: Read }>([
  ['eth_getBalance', { paramCount: 1, read: ({ account }) => account?.balance ?? '0x0' }],
  ['eth_getTransactionCount', { paramCount: 1, read: ({ account }) => account?.nonce ?? '0x0' }],
  ['eth_getStorageAt', { paramCount: 2, read: wordAt }],
  // A code has a proof of its own; that there is none is the account's.
  [
    'eth_getCode',
    { paramCount: 1, read: ({ account }, _, { code }) => code ?? (isBare(account) ? '0x' : undefined) },
  ],
])

/** Whether a proof could show the result of this call. */
export const isComparable = ({ method }: KnownCall): boolean => reads.has(method)

/** Whether the proof of a certificate proves that this is the result of this call, at its block. */
export function isProvenCall(
  { proof, block }: Pick<PublicCertificate, 'proof' | 'block'>,
  { method, params, result }: KnownCall,
): boolean {
  const known = reads.get(method)
  if (proof === null || block === null || params.length - 1 !== known?.paramCount) return false
  const keys = params.slice(0, known.paramCount)
  if (!keys.every(isHex) || !isAt(block, params[known.paramCount])) return false
  const at = proof.accounts.indexOf(keccak256(keys[0] as Hex))
  const state = statesOf(proof, block)?.[at]
  return state !== undefined && known.read(state, keys, proof) === result
}

/** Whether a proof is of the accounts and slots that these params name, at their block: that their digest is signed says nothing of it. */
export function isProofOf(
  { proof, block }: Pick<PublicCertificate, 'proof' | 'block'>,
  params: readonly unknown[],
): boolean {
  if (proof === null || block === null) return proof === null
  const [named, ...rest] = params
  if (isRecord(named) && rest.length !== 1) return false
  const wanted = isRecord(named) ? Object.entries(named) : [[named, rest.slice(0, -1).flat()] as const]
  const slots = wanted.flatMap(([, slots]) => slots)
  if (![...wanted.map(([address]) => address), ...(slots as unknown[])].every(isWord)) return false
  const accounts = wanted.map(([address]) => keccak256(address as Hex))
  const slotsOf = wanted.flatMap(([, slots], index) =>
    (slots as readonly Hex[]).map((slot) => ({ account: accounts[index], slot: keccak256(pad(slot)) })),
  )
  const proven = {
    accounts: proof.accounts,
    slots: proof.slots.map(({ account, slot }) => ({ account, slot })),
  }
  return isAt(block, params.at(-1)) && JSON.stringify({ accounts, slots: slotsOf }) === JSON.stringify(proven)
}

/** keccak-256 of nothing. */
const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const isBare = (account: CheckedState['account']) => account === null || account.codeHash === emptyCode

const isWord = (value: unknown) => isHex(value) && value.length <= wordLength
const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value)

function isAt({ number, hash }: NonNullable<PublicCertificate['block']>, param: unknown): boolean {
  if (!isRecord(param)) return param === `0x${number.toString(16)}`
  const { blockHash, requireCanonical = false, ...others } = param
  return blockHash === hash && typeof requireCanonical === 'boolean' && Object.keys(others).length === 0
}

/** A slot is named and returned as a word. */
function wordAt(
  { slots }: CheckedState,
  [address = '0x', slot = '0x']: readonly Hex[],
  proof: PublicProof,
): string | undefined {
  const digest = slot.length > wordLength ? null : keccak256(pad(slot))
  const own = proof.slots.filter(({ account }) => account === keccak256(address))
  const value = slots[own.findIndex((each) => each.slot === digest)]
  return value && pad(value as Hex)
}

const wordLength = 66
