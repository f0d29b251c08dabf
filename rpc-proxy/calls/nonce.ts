import { hexText } from '../methods/local.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { methodSpec } from '../methods/table.ts'
import { Abort, type Signal } from '../runtime/abort.ts'
import { cachedRead } from './cached-read.ts'
import type { CallResult, ReadScope, WriteServices } from './services.ts'

/** The next nonce: the highest that a quorum's pools reach, at least that of the agreed state, and above those sent through us. */
export async function pendingNonce(
  services: WriteServices,
  spec: MethodSpec,
  params: readonly unknown[],
  scope: ReadScope,
): Promise<CallResult> {
  const [pending, settled] = await together(scope.signal(), (signal) => {
    // Async: a call that cannot be pinned rejects instead of throwing, so that the other one is aborted.
    const read = async (own: MethodSpec, named: readonly unknown[]) =>
      cachedRead(services, own, named, { ...scope, signal: () => signal })
    return [read(spec, params), read(methodSpec(spec.method), [params[0], 'latest'])]
  })
  if ('error' in pending.outcome || 'error' in settled.outcome) return pending
  const agreed = Math.max(Number(JSON.parse(pending.outcome.raw)), Number(JSON.parse(settled.outcome.raw)))
  const nonce = services.writes.nonces.next(scope.chain.config.id, String(params[0]), agreed)
  return { ...pending, outcome: { raw: hexText(nonce) } }
}

/** Both answers; when one fails or the caller leaves, the other is aborted. */
async function together(
  signal: Signal,
  start: (signal: Signal) => readonly [Promise<CallResult>, Promise<CallResult>],
): Promise<readonly [CallResult, CallResult]> {
  const controller = new Abort()
  const leave = () => controller.abort()
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.all(start(controller))
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}
