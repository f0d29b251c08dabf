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

/** Whether it is, in the canonical form in which the engine compares results: members that it does not compare tell nothing. */
export function isResultOf(
  { chainId, resultSha256 }: Pick<PublicCertificate, 'chainId' | 'resultSha256'>,
  { shape, result }: ResultClaim,
): Promise<boolean> {
  const text = shape && canonical(shape, result, chainId)
  return isTextOf(resultSha256, text ?? JSON.stringify(result))
}
