import type { ProofAbsence, ProofRecord } from '../events/evidence-types.ts'
import type { AccountSlots } from '../methods/proves.ts'
import { headerItems, type VerifiedHeader } from '../wire/header-hash.ts'
import { digestOf } from '../wire/rlp.ts'
import { readProof } from './trie-walk.ts'

/** Slots that one certificate shows: some 5 kB each. */
export const slotsMax = 32
/** Bytes of a code that a certificate has: twice what chains allow (EIP-170, EIP-7954). */
const codeBytesMax = 65_536

/** A proof that anybody can check, or why there is none; undefined where it is not kept any more. */
type CertifiedProof = ProofRecord | ProofAbsence | undefined

/** What a certificate shows of a result: what is proven, and by what. */
export interface Certified {
  readonly text: string
  readonly proof: CertifiedProof
}

/** A reply of eth_getProof that was verified. */
export interface ProofReply {
  readonly accountProof: readonly string[] | null
  readonly storageProof: readonly { readonly proof: readonly string[] | null }[]
}

/** The proof without the names of what it is of: certificates are for everybody. */
export function recordOf(
  { accountProof, storageProof }: ProofReply,
  { address, slots }: AccountSlots,
  { fields }: Pick<VerifiedHeader, 'fields'>,
): ProofRecord | ProofAbsence {
  if (slots.length > slotsMax) return 'too-long'
  const account = digestOf(address)
  return {
    header: headerItems(fields),
    accounts: [account],
    nodes: readProof(accountProof),
    slots: slots.map((slot, index) => ({
      account,
      slot: digestOf(slot),
      nodes: readProof(storageProof[index]?.proof),
    })),
    code: null,
  }
}

/** The proof of an account with its code, JSON. */
export function withCode(proof: CertifiedProof, raw: string): CertifiedProof {
  const code = raw.slice(1, -1)
  if (code.length > 2 + 2 * codeBytesMax) return 'too-long'
  return typeof proof === 'object' ? { ...proof, slots: [], code } : proof
}

/** One proof of several accounts; none where one of them has none, or all are too long together. */
export function joinProofs(
  parts: readonly (Pick<AccountSlots, 'slots'> & { readonly proof: CertifiedProof })[],
): CertifiedProof {
  const proofs = parts.flatMap(({ proof, slots }) =>
    typeof proof === 'object' ? [withSlots(proof, slots)] : [],
  )
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
function withSlots(proof: ProofRecord, slots: readonly string[]): ProofRecord {
  const digests = slots.map(digestOf)
  return {
    ...proof,
    slots: digests.flatMap((digest) => proof.slots.find(({ slot }) => slot === digest) ?? []),
  }
}
