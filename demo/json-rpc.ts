/** Sends one call to a JSON-RPC endpoint and returns the result. An error reply is thrown, with the error object as cause. */
export async function callNode<Result = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const reply = (await response.json()) as { result?: Result; error?: { code: number; message: string } }
  if (reply.error !== undefined)
    throw new Error(`${method}: ${reply.error.message} (${reply.error.code})`, { cause: reply.error })
  return reply.result as Result
}
