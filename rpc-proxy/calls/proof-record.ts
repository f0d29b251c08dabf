import { bytesToHex } from '@noble/hashes/utils.js'
import QuickLRU from 'quick-lru'
import type { ProofAbsence, ProofRecord } from '../events/evidence-types.ts'
import { type Excerpt, excerptOfHex } from '../evidence/excerpt.ts'
import {
  type BodyList,
  type BodyReceipt,
  type BodyTransaction,
  leafOf,
  receiptLeaf,
} from '../proofs/block-body.ts'
import { headerItems, type VerifiedHeader } from '../proofs/header-hash.ts'
import { indexPath } from '../proofs/index-root.ts'
import type { AccountSlots } from '../proofs/trie-proof.ts'
import { digestOf } from '../proofs/trie-walk.ts'

/** Slots that one certificate shows: some 5 kB each. */
export const slotsMax = 32
/** Bytes of a code, of a transaction with its receipt, or of all in a block, that a certificate has whole: twice the code that chains allow (EIP-170, EIP-7954). */
const wholeBytesMax = 65_536

/** A proof that anybody can check, or why there is none; undefined where it is not kept any more. */
export type CertifiedProof = ProofRecord | ProofAbsence | undefined

/** What a certificate shows of a result: what is proven, and by what. */
export interface Certified extends Partial<Pick<Excerpt, 'sha256'>> {
  /** The beginning of it where there is a digest of the whole. */
  readonly text: string
  readonly proof: CertifiedProof
}

/** A reply of eth_getProof that was verified. */
export interface ProofReply {
  readonly accountProof: readonly string[] | null
  readonly storageProof: readonly { readonly proof: readonly string[] | null }[]
}

const nothing = { accounts: [], nodes: [], slots: [], code: null, place: null, body: null } as const

/** The proof without the names of what it is of: certificates are for everybody. */
export function recordOf(
  { accountProof, storageProof }: ProofReply,
  { address, slots }: AccountSlots,
  { fields }: Pick<VerifiedHeader, 'fields'>,
): ProofRecord | ProofAbsence {
  if (slots.length > slotsMax) return 'too-long'
  const account = digestOf(address)
  return {
    ...nothing,
    header: headerItems(fields),
    accounts: [account],
    nodes: lowerCase(accountProof),
    slots: slots.map((slot, index) => ({
      account,
      slot: digestOf(slot),
      nodes: lowerCase(storageProof[index]?.proof),
    })),
  }
}

/** Certificates have hex in lower case; nodes may send it in upper case. */
const lowerCase = (nodes: readonly string[] | null = null) => (nodes ?? []).map((node) => node.toLowerCase())

/** The proof of an account with its code, JSON. */
export function withCode(proof: CertifiedProof, raw: string): CertifiedProof {
  const code = raw.slice(1, -1)
  if (code.length > 2 + 2 * wholeBytesMax) return 'too-long'
  return typeof proof === 'object' ? { ...proof, slots: [], code } : proof
}

/** One proof of several accounts; none where one of them has none, or all are too long together. */
export function joined(
  parts: readonly { readonly proof: CertifiedProof; readonly of: AccountSlots }[],
): CertifiedProof {
  const proofs = parts.flatMap(({ proof, of }) => (typeof proof === 'object' ? [slotsOf(proof, of)] : []))
  const slots = proofs.flatMap((proof) => proof.slots)
  const [first] = proofs
  if (first === undefined || proofs.length < parts.length)
    return parts.some(({ proof }) => proof === undefined) ? undefined : 'too-long'
  if (slots.length > slotsMax) return 'too-long'
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

/** What is in a block that was verified. */
export interface Contents {
  readonly block: Pick<VerifiedHeader, 'fields' | 'hash'>
  /** Its transactions, and its receipts where they were read. */
  readonly lists: readonly [BodyList<BodyTransaction>, BodyList<BodyReceipt>?]
}

/** A transaction, or one with its receipt, as the block has them at a place; null where they are too long, or the block has none there. */
export function placed(
  { block, lists: [transactions, receipts] }: Contents,
  index: number,
): Certified | null {
  const [sent, made] = [transactions.entries[index], receipts?.entries[index]]
  const transaction = sent && leafOf(sent)
  const receipt = made && receiptLeaf(made)
  if (transaction === undefined || isTooLong([transaction, receipt])) return null
  return {
    text: JSON.stringify({ index, transaction: hex(transaction), receipt: receipt && hex(receipt) }),
    proof: {
      ...nothing,
      header: headerItems(block.fields),
      nodes: [
        ...indexPath(transactions.branches, { index, value: transaction }),
        ...(receipt === undefined ? [] : indexPath(receipts?.branches ?? [], { index, value: receipt })),
      ],
      place: { index, receipt: receipt !== undefined },
    },
  }
}

/** By block: of one block many lists are asked, and what is in it costs 3 ms to write. */
const wholes = new QuickLRU<string, Certified | null>({ maxSize: 16 })

/** All that is in a block, which shows that a list is whole; null where it is too long. */
export function whole(contents: Contents): Certified | null {
  const key = `${contents.block.hash}|${contents.lists.length}`
  const known = wholes.get(key)
  if (known !== undefined) return known
  const made = wholeOf(contents)
  wholes.set(key, made)
  return made
}

function wholeOf({ block, lists: [transactions, receipts] }: Contents): Certified | null {
  const sent = transactions.entries.map(leafOf)
  const made = receipts?.entries.map(receiptLeaf) ?? null
  if (isTooLong([...sent, ...(made ?? [])])) return null
  const body = { transactions: sent.map(hex), receipts: made?.map(hex) ?? null }
  const proof = { ...nothing, header: headerItems(block.fields), body }
  return { ...excerptOfHex(JSON.stringify(body)), proof }
}

const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`

const isTooLong = (leaves: readonly (Uint8Array | undefined)[]) =>
  leaves.reduce((sum, leaf) => sum + (leaf?.length ?? 0), 0) > wholeBytesMax
