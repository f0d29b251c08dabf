import type { Certificate } from '#rpc-proxy'

/** The proof of a proven result. All is hex: nodes and fields as they are hashed, keys as digests. */
export type PublicProof = Extract<Certificate['proof'], object>

/** One operator that may vote, and what it voted for. */
export interface PublicVote {
  readonly operator: string
  readonly weight: number
  /** Without its vote there is no quorum. */
  readonly required: boolean
  /** Its vote counts for the result. */
  readonly supports: boolean
  /** SHA-256 of the result that it sent; null where it did not vote, or contradicted itself. */
  readonly vote: string | null
}

export interface CertificateSignature {
  readonly algorithm: 'ed25519'
  readonly keyId: string
  readonly publicKey: string
  readonly value: string
}

/** What anybody may know of one answer, version 1. docs/certificates.md describes every member; digests and keys are hex. */
export interface PublicCertificate {
  readonly format: 'quorate-certificate'
  readonly version: 1
  readonly id: string
  /** When it was decided, ISO 8601. */
  readonly time: string
  readonly build: string | null
  readonly chainId: number
  readonly method: string
  readonly paramsSha256: string | null
  readonly block: { readonly number: number; readonly hash: string | null } | null
  readonly outcome: 'agreed' | 'failed'
  readonly reason: string | null
  readonly rule: string
  readonly policy: Certificate['policy']
  readonly thin: boolean
  /** What a quorum takes. */
  readonly quorum: { readonly weight: number; readonly operators: number }
  readonly resultSha256: string | null
  readonly votes: readonly PublicVote[]
  /** Of what was proven; null where votes alone tell. */
  readonly proof: PublicProof | null
  /** Why what was proven has no proof; null of all else. `forgotten`: newer answers have taken its place. */
  readonly proofAbsent: Extract<Certificate['proof'], string> | 'forgotten' | null
  /** Null where the gateway has no key. */
  readonly signature: CertificateSignature | null
}

export type UnsignedCertificate = Omit<PublicCertificate, 'signature'>

/** Leaves out nodes, texts, times of requests and the trace: certificates are found by ids in order, so none may tell what was asked. */
export function publicCertificate(certificate: Certificate, build: string | null): UnsignedCertificate {
  const { id, endMs, chainId, method, paramsSha256, block, outcome, reason, ruleId, policy } = certificate
  const { isThin, needed, operatorsMin, resultSha256, electorate, groups, proof = 'forgotten' } = certificate
  return {
    ...{ format: 'quorate-certificate', version: 1 },
    ...{ id, time: new Date(endMs).toISOString(), build, chainId, method, paramsSha256 },
    block: block && { number: block.number, hash: block.hash },
    ...{ outcome, reason, rule: ruleId, policy, thin: isThin },
    // Weights are whole, and half of three is none: two make it up.
    quorum: { weight: Math.ceil(needed), operators: operatorsMin },
    resultSha256,
    votes: electorate.map(({ name, ...rest }) => ({
      operator: name,
      ...rest,
      vote: groups.find(({ operators }) => operators.includes(name))?.sha256 ?? null,
    })),
    ...(typeof proof === 'object'
      ? { proof, proofAbsent: null }
      : { proof: null, proofAbsent: ruleId === 'proven' ? proof : null }),
  }
}
