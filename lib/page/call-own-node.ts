import type { OwnCall } from '../certificate/own-node.ts'
import { isRecord } from '../parse-json.ts'

interface NodeQuestion {
  readonly ownCall: OwnCall
  readonly chainId: number
  readonly signal: AbortSignal
}

const timeoutMs = 10_000

/** Asks a node of the visitor's own, from the browser. `none`: it cannot be reached, refuses this site, or has no result. */
export async function callOwnNode(
  url: string,
  { ownCall, chainId, signal }: NodeQuestion,
): Promise<{ readonly result: unknown } | 'none' | 'other-chain'> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const call = async ({ method, params }: OwnCall): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: late,
    })
    const reply: unknown = await response.json()
    return isRecord(reply) ? reply.result : undefined
  }
  try {
    const chain = await call({ method: 'eth_chainId', params: [] })
    if (typeof chain !== 'string' || Number(chain) !== chainId) return 'other-chain'
    const result = await call(ownCall)
    return result === undefined ? 'none' : { result }
  } catch {
    return 'none'
  }
}
