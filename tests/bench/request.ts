import type { GatewayRequest } from '#rpc-proxy'

/** A POST of this text to a chain, as a host hands it in. */
export function requestOf(text: string, chainId = 1): GatewayRequest {
  return {
    method: 'POST',
    path: `/api/rpc/${chainId}`,
    header: (name) => (name === 'content-type' ? 'application/json' : null),
    body: () => Promise.resolve({ text }),
    caller: null,
    origin: null,
    signal: new AbortController().signal,
  }
}
