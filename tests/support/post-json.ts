/** Posts a value as JSON. */
export const postJson = (
  url: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
    signal,
  })

/** A call that nodes are asked for. */
export const balanceCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getBalance',
  params: [`0x${'ab'.repeat(20)}`, 'latest'],
} as const
