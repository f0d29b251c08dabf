import type { Shape } from '#rpc-proxy'
import { canonical } from '#rpc-proxy/canonical.ts'
import { parseJson } from '../parse-json.ts'
import { isTextOf } from './check-certificate.ts'
import { isInBlock } from './in-block.ts'
import type { PublicCertificate } from './public-certificate.ts'

/** What somebody says the result of a certificate is: the caller that it was given to, or another node. */
export interface ResultClaim {
  /** Of the method's results; null of a head. */
  readonly shape: Shape | null
  readonly params: readonly unknown[]
  readonly result: unknown
}

/** Whether it is, in the canonical form in which the engine compares results: members that it does not compare tell nothing. */
export async function isResultOf(
  { proof, block, chainId, resultSha256 }: PublicCertificate,
  { shape, params, result }: ResultClaim,
): Promise<boolean> {
  const text = shape && canonical(shape, result, chainId)
  if (block !== null && proof !== null && (proof.place !== null || proof.body !== null))
    return text !== null && isInBlock({ proof, block }, params, parseJson(text))
  return isTextOf(resultSha256, text ?? JSON.stringify(result))
}
