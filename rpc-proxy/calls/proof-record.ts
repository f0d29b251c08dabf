import { bytesToHex } from '@noble/hashes/utils.js'
import type { ProofRecord } from '../events/evidence-types.ts'
import { type BodyList, type BodyReceipt, type BodyTransaction, receiptLeaf } from '../proofs/block-body.ts'
import { headerItems, type VerifiedHeader } from '../proofs/header-hash.ts'
import { indexPath } from '../proofs/index-root.ts'
import type { AccountSlots } from '../proofs/trie-proof.ts'
import { digestOf } from '../proofs/trie-walk.ts'
import { signedBytesOf } from '../wire/transaction-codec.ts'

/** Slots that one certificate shows: some 5 kB each. */
export const slotsMax = 32
/** Bytes of a code, or of a transaction with its receipt, that a certificate has whole: twice the code that chains allow (EIP-170, EIP-7954). */
const wholeBytesMax = 65_536

/** What a certificate shows of a result: what is proven, and a proof of it that anybody can check. */
export interface Certified {
  readonly text: string
  readonly proof: ProofRecord | undefined
}

/** A reply of eth_getProof that was verified. */
export interface ProofReply {
  readonly accountProof: readonly string[] | null
  readonly storageProof: readonly { readonly proof: readonly string[] | null }[]
}

/** The proof without the names of what it is of: certificates are for everybody. Undefined where it is too long for one. */
export function recordOf(
  { accountProof, storageProof }: ProofReply,
  { address, slots }: AccountSlots,
  { fields }: Pick<VerifiedHeader, 'fields'>,
): ProofRecord | undefined {
  if (slots.length > slotsMax) return undefined
  const account = digestOf(address)
  return {
    header: headerItems(fields),
    accounts: [account],
    nodes: lowerCase(accountProof),
    slots: slots.map((slot, index) => ({
      account,
      slot: digestOf(slot),
      nodes: lowerCase(storageProof[index]?.proof),
    })),
    code: null,
    place: null,
  }
}

/** Certificates have hex in lower case; nodes may send it in upper case. */
const lowerCase = (nodes: readonly string[] | null = null) => (nodes ?? []).map((node) => node.toLowerCase())

/** The proof of an account with its code, JSON. */
export function withCode(proof: ProofRecord | undefined, raw: string): ProofRecord | undefined {
  const code = raw.slice(1, -1)
  if (proof === undefined || code.length > 2 + 2 * wholeBytesMax) return undefined
  return { ...proof, slots: [], code }
}

/** One proof of several accounts; undefined where one of them has none here, or all are too long together. */
export function joined(
  parts: readonly { readonly proof: ProofRecord | undefined; readonly of: AccountSlots }[],
): ProofRecord | undefined {
  const proofs = parts.flatMap(({ proof, of }) => (proof === undefined ? [] : [slotsOf(proof, of)]))
  const slots = proofs.flatMap((proof) => proof.slots)
  const [first] = proofs
  if (first === undefined || proofs.length < parts.length || slots.length > slotsMax) return undefined
  return {
    ...first,
    accounts: proofs.flatMap(({ accounts }) => accounts),
    nodes: proofs.flatMap(({ nodes }) => nodes),
    slots,
  }
}

/** Without what others have had proven by the same request. */
function slotsOf(proof: ProofRecord, { slots }: AccountSlots): ProofRecord {
  const digests = slots.map(digestOf)
  return {
    ...proof,
    slots: digests.flatMap((digest) => proof.slots.find(({ slot }) => slot === digest) ?? []),
  }
}

/** A place in a block that was verified. */
export interface Placed {
  readonly block: Pick<VerifiedHeader, 'fields'>
  readonly index: number
  /** Its transactions, and its receipts where they were read. */
  readonly lists: readonly [BodyList<BodyTransaction>, BodyList<BodyReceipt>?]
}

/** A transaction, or one with its receipt, as the block has them at a place; null where they are too long. */
export function placed({ block, index, lists: [transactions, receipts] }: Placed): Certified | null {
  const transaction = signedBytesOf(transactions.entries[index]?.fields)
  const receipt = receipts?.entries[index]
  if (transaction === null) return null
  const leaf = receipt && receiptLeaf(receipt)
  if (transaction.length + (leaf?.length ?? 0) > wholeBytesMax) return null
  const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
  return {
    text: JSON.stringify({ index, transaction: hex(transaction), receipt: leaf && hex(leaf) }),
    proof: {
      header: headerItems(block.fields),
      accounts: [],
      nodes: [
        ...indexPath(transactions.branches, { index, value: transaction }),
        ...(leaf === undefined ? [] : indexPath(receipts?.branches ?? [], { index, value: leaf })),
      ],
      slots: [],
      code: null,
      place: { index, receipt: leaf !== undefined },
    },
  }
}
