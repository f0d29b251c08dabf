import type { Engine } from '../engine/engine.ts'
import { type EvidenceSettings, evidenceOf, signerOf } from '../engine/public-evidence.ts'
import { type HostRequest, type HostResponse, json, refuse } from '../http.ts'
import { evidenceCost, type LimitCounts } from '../limits/host-limits.ts'

interface PublicEvidenceOptions {
  /** The build of this gateway. */
  readonly build: string | null
  readonly evidence: EvidenceSettings
  readonly counts: Pick<LimitCounts, 'met'>
}

/** Whether a path below `answers` is that of a public certificate. */
export function isEvidence([, part, ...more]: readonly string[]): boolean {
  return part === 'evidence' && more.length === 0
}

const notFound = refuse(404, 'no such answer')

/** What anybody may read of an answer, and the key to check it with. Each certificate costs its reader budget. */
export function createPublicEvidence(engine: Engine, { build, evidence, counts }: PublicEvidenceOptions) {
  return {
    /** `answers/{id}/evidence`. */
    async certificate({ caller }: HostRequest, [id = '']: readonly string[]): Promise<HostResponse> {
      if (!evidence.PUBLIC_EVIDENCE) return notFound
      const waitMs = engine.gateway.spend(evidenceCost, caller)
      if (waitMs > 0) {
        counts.met('evidenceBudget')
        return refuse(429, 'too many certificates', { 'retry-after': String(Math.ceil(waitMs / 1000)) })
      }
      const certificate = await evidenceOf(engine, id, { ...evidence, build })
      return certificate === null ? notFound : json(200, certificate)
    },
    keys(): HostResponse {
      const signer = signerOf(evidence)
      return json(200, {
        format: 'quorate-keys',
        version: 1,
        certificateVersions: evidence.PUBLIC_EVIDENCE ? [1] : [],
        keys: signer === null ? [] : [signer.key],
        chains: engine.config().chains.map(({ id }) => id),
      })
    },
  }
}
