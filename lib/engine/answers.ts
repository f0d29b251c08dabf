import type { Certificate, Gateway } from '#rpc-proxy'
import type { Traced } from '../observe/traced.ts'

/** A certificate and the trace that produced its answer. */
export interface TracedCertificate extends Certificate {
  /** Null when that request was not traced. */
  readonly traceId: string | null
}

/** One answer's certificate; null when it is no longer stored. */
export function answerOf(
  { gateway, traced }: { readonly gateway: Gateway; readonly traced: Traced },
  id: string,
): TracedCertificate | null {
  const certificate = gateway.certificate(id)
  return certificate && { ...certificate, traceId: traced.traceOf(id) }
}
