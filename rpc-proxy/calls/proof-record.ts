import type { ProofRecord } from '../events/events.ts'
import { headerItems, type VerifiedHeader } from '../proofs/header-hash.ts'
import type { AccountSlots } from '../proofs/trie-proof.ts'
import { digestOf } from '../proofs/trie-walk.ts'

/** Slots that one certificate shows: some 5 kB each. */
export const slotsMax = 32
/** Bytes of a code that a certificate has whole: twice what chains allow (EIP-170, EIP-7954). */
const codeBytesMax = 65_536

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
  }
}

/** Certificates have hex in lower case; nodes may send it in upper case. */
const lowerCase = (nodes: readonly string[] | null = null) => (nodes ?? []).map((node) => node.toLowerCase())

/** The proof of an account with its code, JSON. */
export function withCode(proof: ProofRecord | undefined, raw: string): ProofRecord | undefined {
  const code = raw.slice(1, -1)
  if (proof === undefined || code.length > 2 + 2 * codeBytesMax) return undefined
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
