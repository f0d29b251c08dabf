import { publicCertificate } from '../certificate/public-certificate.ts'
import { createSigner } from '../certificate/sign-certificate.ts'
import type { Env } from '../config/env.ts'
import type { Engine } from '../engine/engine.ts'
import { type HostRequest, type HostResponse, json, refuse } from '../http.ts'
import { evidenceCost, type LimitCounts } from '../limits/host-limits.ts'

export type EvidenceSettings = Pick<Env, 'SIGNING_KEY' | 'PUBLIC_EVIDENCE'>

interface PublicEvidenceOptions {
  /** The build of this gateway. */
  readonly build: string | null
  readonly evidence: EvidenceSettings
  readonly counts: Pick<LimitCounts, 'met'>
}

const notFound = refuse(404, 'no such answer')

/** What anybody may read of an answer, and the key to check it with. Each certificate costs its reader budget. */
export function createPublicEvidence(
  engine: Engine,
  { build, evidence: { SIGNING_KEY, PUBLIC_EVIDENCE }, counts }: PublicEvidenceOptions,
) {
  const signer = SIGNING_KEY === undefined ? null : createSigner(SIGNING_KEY)
  return {
    /** `answers/{id}/evidence`. */
    async certificate({ caller }: HostRequest, [id = '']: readonly string[]): Promise<HostResponse> {
      if (!PUBLIC_EVIDENCE) return notFound
      const waitMs = engine.gateway.spend(evidenceCost, caller)
      if (waitMs > 0) {
        counts.met('evidenceBudget')
        return refuse(429, 'too many certificates', { 'retry-after': String(Math.ceil(waitMs / 1000)) })
      }
      const certificate = await engine.certificate(id)
      if (certificate === null) return notFound
      const unsigned = publicCertificate(certificate, build)
      return json(200, signer?.sign(unsigned) ?? { ...unsigned, signature: null })
    },
    keys(): HostResponse {
      return json(200, {
        format: 'quorate-keys',
        version: 1,
        certificateVersions: PUBLIC_EVIDENCE ? [1] : [],
        keys: signer === null ? [] : [signer.key],
        chains: engine.config().chains.map(({ id }) => id),
      })
    },
  }
}
