import type { Certificate } from '#rpc-proxy'
import type { Guarded, isCertificate } from './certificate-shape.ts'

/** What anybody may know of one answer, version 1. docs/certificates.md describes every member; digests and keys are hex. */
export type PublicCertificate = Guarded<typeof isCertificate>
export type PublicProof = NonNullable<PublicCertificate['proof']>
export type PublicVote = PublicCertificate['votes'][number]
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
