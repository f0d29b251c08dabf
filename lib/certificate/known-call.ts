import { parseJson } from '../parse-json.ts'
import { isTextOf } from './check-certificate.ts'
import type { KnownCall } from './own-node.ts'
import { isComparable, isProofOf, isProvenCall } from './proven-call.ts'
import type { PublicCertificate } from './public-certificate.ts'

/** What a link tells of the call that a certificate is of, which has only the digests. */
export type CertifiedCall = KnownCall | 'none' | 'wrong'

type Texts = Readonly<Partial<Record<'method' | 'params' | 'result', string | string[] | undefined>>>

/** The call of a link; `wrong` where the certificate is of another call or result. */
export async function readKnownCall(
  certificate: PublicCertificate,
  { method = certificate.method, params, result }: Texts,
): Promise<CertifiedCall> {
  if (typeof method !== 'string' || typeof params !== 'string' || typeof result !== 'string') return 'none'
  const call = { method, params: parseJson(params), result: parseJson(result) }
  // A revert or a refusal is certified in words, which are no JSON.
  if (!isCall(call)) return 'wrong'
  const { paramsSha256, resultSha256, rule, proof } = certificate
  const isOfIt = (await isTextOf(paramsSha256, params)) && (await isTextOf(resultSha256, result))
  if (isOfIt && method === certificate.method) return isProofOf(certificate, call.params) ? call : 'wrong'
  // What is proven is the whole account, of which a read is one value.
  if (rule === 'proven' && (proof === null || !isComparable(call))) return 'none'
  return isProvenCall(certificate, call) ? call : 'wrong'
}

function isCall(call: Omit<KnownCall, 'params'> & { readonly params: unknown }): call is KnownCall {
  return Array.isArray(call.params) && call.result !== undefined
}
