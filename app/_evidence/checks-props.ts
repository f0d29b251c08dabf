import type { CertifiedCall } from '#lib/certificate/known-call.ts'
import type { PublicCertificate } from '#lib/certificate/public-certificate.ts'

export interface ChecksProps {
  readonly certificate: PublicCertificate
  readonly call: CertifiedCall
  readonly chainName: string
  /** The origin of the gateway; empty for this site. */
  readonly gateway: string
  /** The visitor's own node, which the form of this page named. */
  readonly node: string | null
}
