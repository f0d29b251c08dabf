import type { Certificate, Gateway } from '#rpc-proxy'
import type { Traced } from './observe/traced.ts'

/** A certificate, and the trace in which its answer was found. */
export interface TracedCertificate extends Certificate {
  /** Null where that request was not traced. */
  readonly traceId: string | null
}

/** One answer's certificate; null where it is not kept any more. */
export function answerOf(
  { gateway, traced }: { readonly gateway: Gateway; readonly traced: Traced },
  id: string,
): TracedCertificate | null {
  const certificate = gateway.answer(id)
  return certificate && { ...certificate, traceId: traced.traceOf(id) }
}
