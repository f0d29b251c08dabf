import { resultShape } from '#rpc-proxy'
import { parseJson } from '../parse-json.ts'
import { isTextOf } from './check-certificate.ts'
import { isComparable, isProofOf, isProvenCall, type KnownCall } from './proven-call.ts'
import type { PublicCertificate } from './public-certificate.ts'
import { textOfResult } from './result-of.ts'

/** What a link tells of the call that a certificate is of, which has only the digests. */
export type CertifiedCall = KnownCall | 'none' | 'wrong'

type Texts = Readonly<Partial<Record<'method' | 'params' | 'result', string | string[] | undefined>>>

/** The call of a link; `wrong` where the certificate is of another call or result. */
export async function readKnownCall(
  certificate: PublicCertificate,
  { method = certificate.method, params, result }: Texts,
): Promise<CertifiedCall> {
  if (typeof method !== 'string' || typeof params !== 'string' || typeof result !== 'string') return 'none'
  const read = { params: parseJson(params), result: parseJson(result) }
  // A revert or a refusal is certified in words, which are no JSON.
  if (!Array.isArray(read.params) || read.result === undefined) return 'wrong'
  const call = { method, params: read.params, result: read.result }
  if (await isOfCall(certificate, call)) {
    const text = textOfResult(certificate, { ...call, shape: resultShape(method) })
    // Only members that the digest covers are shown. The link may contain others.
    return (await isTextOf(certificate.resultSha256, text)) ? { ...call, result: JSON.parse(text) } : 'wrong'
  }
  const { rule, proof } = certificate
  // The proof covers the whole account. A read is one value of it.
  if (proof !== null && isComparable(call)) return isProvenCall(certificate, call) ? call : 'wrong'
  return rule === 'proven' && (proof === null || method !== certificate.method) ? 'none' : 'wrong'
}

async function isOfCall(certificate: PublicCertificate, { method, params }: KnownCall): Promise<boolean> {
  if (method !== certificate.method) return false
  const { proof, paramsSha256 } = certificate
  return proof === null ? isTextOf(paramsSha256, JSON.stringify(params)) : isProofOf(certificate, params)
}
