import { RpcError } from './wallet-error.ts'

/** What the gateway says where too few nodes agree at the moment. */
const noQuorum = -32010

/** Sends a call to the gateway of this site, like a wallet to its node, and again where nodes do not agree. */
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
