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

/** A result in the canonical form that the engine compares. Members that it does not compare are omitted. */
export function textOfResult(
  { chainId }: Pick<PublicCertificate, 'chainId'>,
  { shape, result }: ResultClaim,
): string {
  return (shape && canonical(shape, result, chainId)) ?? JSON.stringify(result)
}

/** Whether the claim, in canonical form, is the certified result. */
export function isResultOf(
  certificate: Pick<PublicCertificate, 'chainId' | 'resultSha256'>,
  claim: ResultClaim,
): Promise<boolean> {
  return isTextOf(certificate.resultSha256, textOfResult(certificate, claim))
}
