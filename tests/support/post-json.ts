/** Posts a value as JSON. */
export const postJson = (url: string, value: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  })

/** A call that nodes are asked for. */
export const balanceCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getBalance',
  params: [`0x${'ab'.repeat(20)}`, 'latest'],
} as const

/** The cookie of a new session of the operator. */
export async function operatorCookie(url: string, token: string): Promise<string> {
  const login = await postJson(`${url}/api/operator/session`, { token })
  return login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
