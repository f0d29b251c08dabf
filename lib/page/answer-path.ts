import type { KnownCall } from '#lib/certificate/proven-call.ts'

/** The page that explains a result. With the call it shows what was read, once the digests or the proof of the certificate agree with it. */
export function answerPath(id: string, call: KnownCall | null): `/answers/${string}` {
  const path = `/answers/${id}` as const
  if (call === null) return path
  return `${path}?${new URLSearchParams({
    method: call.method,
    params: JSON.stringify(call.params),
    result: JSON.stringify(call.result),
  })}`
}
