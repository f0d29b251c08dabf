import { decodeReadings, encodeReadCalls } from './batch-readings.ts'
import type { ReadCall, ReadChain, Reading } from './reading.ts'
import { noteBuild } from './version.ts'

/** Request header that asks for an explanation of every reply. */
export const explain = 'x-quorate-explain'

const timeoutMs = 10_000

/** Asks the gateway in one batch, for at most ten seconds. `gateway` is empty for this site. */
export function createReadChain(gateway: string, headers: Readonly<Record<string, string>> = {}): ReadChain {
  return (chainId, calls, signal) => post(gateway, { chainId, calls, signal, headers })
}

interface BatchRead {
  readonly chainId: number
  readonly calls: readonly ReadCall[]
  readonly signal: AbortSignal | undefined
  readonly headers: Readonly<Record<string, string>>
}

async function post(
  gateway: string,
  { chainId, calls, signal, headers }: BatchRead,
): Promise<readonly Reading[]> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(gatewayPath(gateway, chainId), {
      method: 'POST',
      headers: { 'content-type': 'application/json', [explain]: '1', ...headers },
      body: encodeReadCalls(calls),
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    if (gateway === '') noteBuild(response.headers)
    return decodeReadings(await response.text(), calls)
  } catch {
    return calls.map(() => ({ state: 'refused', why: 'unreachable', answer: null }))
  }
}

/** A chain's RPC URL. `gateway` is empty for this site. */
export function gatewayPath(gateway: string, chainId: number): string {
  return `${gateway}/api/rpc/${chainId}`
}
