import { parseJson } from '../parse-json.ts'
import { isTextOf } from './check-certificate.ts'
import type { PublicCertificate } from './public-certificate.ts'

/** A call with the agreed block in place of a tag, and its result. */
export interface KnownCall {
  readonly params: readonly unknown[]
  readonly result: unknown
}

/** What a link tells of the call that a certificate is of, which has only the digests. */
export type CertifiedCall = KnownCall | 'none' | 'wrong'

type Texts = Readonly<Partial<Record<'params' | 'result', string | string[] | undefined>>>

/** The call of a link; `wrong` where the certificate is of another call or result. */
export async function readKnownCall(
  { paramsSha256, resultSha256, rule }: PublicCertificate,
  { params, result }: Texts,
): Promise<CertifiedCall> {
  // What is proven is the whole account, of which a read is one value.
  if (typeof params !== 'string' || typeof result !== 'string' || rule === 'proven') return 'none'
  const isOfIt = (await isTextOf(paramsSha256, params)) && (await isTextOf(resultSha256, result))
  const call = { params: parseJson(params), result: parseJson(result) }
  // A revert or a refusal is certified in words, which are no JSON.
  return isOfIt && Array.isArray(call.params) && call.result !== undefined ? (call as KnownCall) : 'wrong'
}
