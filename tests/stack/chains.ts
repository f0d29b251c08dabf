import { postJson } from '../support/post-json.ts'
import { awaited } from './shell.ts'

export const chainIds = [137, 1, 42161] as const
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A balance from a gateway, with its agreement. */
export async function readBalance(origin: string, chainId: number) {
  const response = await fetch(`${origin}/api/rpc/${chainId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [account, 'latest'] }),
    signal: AbortSignal.timeout(10_000),
  })
  const { result } = (await response.json()) as { readonly result?: string }
  return {
    result,
    agreement: response.headers.get('x-quorate-agreement') ?? '',
    block: response.headers.get('x-quorate-block'),
  }
}

/** Reads every chain; returns results like `137: 2/2/4 at block 90`. */
export async function readChains(origin: string): Promise<string> {
  const read = (chainId: number) =>
    awaited(`chain ${chainId} read through the quorum`, async () => {
      const { result, agreement, block } = await readBalance(origin, chainId)
      const [agreed = 0, needed = 1] = agreement.split('/').map(Number)
      const isAgreed = agreed >= needed && BigInt(result ?? 0) > 10n ** 21n
      return isAgreed ? `${chainId}: ${agreement} at block ${block}` : null
    })
  return (await Promise.all(chainIds.map(read))).join(', ')
}

/** Injects a fault into a node of a local chain. */
export async function setFaultProfile(
  origin: string,
  fault: { readonly chain: number; readonly node: string; readonly faultProfile: string },
): Promise<void> {
  const response = await postJson(`${origin}/control`, fault)
  if (!response.ok) throw new Error(await response.text())
}

export async function json<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return (await response.json()) as T
}
