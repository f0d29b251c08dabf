import { RpcError } from './wallet-error.ts'

/** The gateway's error code if too few nodes agree. */
const noQuorum = -32010

/** Sends a call to this site's gateway, as a wallet sends it to its node. Retries if too few nodes agree. */
export async function callNode(
  chainId: number,
  method: string,
  params: readonly unknown[] = [],
  triesLeft = 3,
): Promise<unknown> {
  const response = await fetch(`/api/rpc/${chainId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const reply = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (reply.error?.code === noQuorum && triesLeft > 1) return callNode(chainId, method, params, triesLeft - 1)
  if (reply.error) throw new RpcError(reply.error.code, reply.error.message)
  return reply.result
}

/** Whether this site serves the chain. */
export async function knows(chainId: number): Promise<boolean> {
  return callNode(chainId, 'eth_chainId').then(
    () => true,
    () => false,
  )
}
