import { parseJson } from '../parse-json.ts'
import { isTextOf } from './check-certificate.ts'
import type { PublicCertificate } from './public-certificate.ts'

/** What a link tells of the call that a certificate is of, which has only the digests. */
export type CertifiedCall =
  | { readonly params: readonly unknown[]; readonly result: unknown }
  | 'none'
  | 'wrong'

type Texts = Readonly<Partial<Record<'params' | 'result', string | string[] | undefined>>>

/** The call of a link; `wrong` where the certificate is of another call or result. */
export async function readKnownCall(
  { paramsSha256, resultSha256 }: PublicCertificate,
  { params, result }: Texts,
): Promise<CertifiedCall> {
  if (typeof params !== 'string' || typeof result !== 'string') return 'none'
  const isOfIt = (await isTextOf(paramsSha256, params)) && (await isTextOf(resultSha256, result))
  const read = parseJson(params)
  return isOfIt && Array.isArray(read) ? { params: read, result: parseJson(result) } : 'wrong'
}
