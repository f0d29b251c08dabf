import type { Shape } from '#rpc-proxy'
import { canonical } from '#rpc-proxy/canonical.ts'
import { isTextOf } from './check-certificate.ts'
import type { PublicCertificate } from './public-certificate.ts'

/** What somebody says the result of a certificate is: the caller that it was given to, or another node. */
export interface ResultClaim {
  /** Of the method's results; null of a head. */
  readonly shape: Shape | null
  readonly result: unknown
}

/** The text of a result in the canonical form in which the engine compares results: members that it does not compare are left out. */
export function textOfResult(
  { chainId }: Pick<PublicCertificate, 'chainId'>,
  { shape, result }: ResultClaim,
): string {
  return (shape && canonical(shape, result, chainId)) ?? JSON.stringify(result)
}

/** Whether it is, in canonical form. */
export function isResultOf(
  certificate: Pick<PublicCertificate, 'chainId' | 'resultSha256'>,
  claim: ResultClaim,
): Promise<boolean> {
  return isTextOf(certificate.resultSha256, textOfResult(certificate, claim))
}
