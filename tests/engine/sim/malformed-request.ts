import type { Chance } from '../../support/chance.ts'

/** A request that is refused as a whole, before its calls are read. */
export interface MalformedRequest {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly contentType: string | null
  readonly body: { readonly text: string } | { readonly fault: 'too-large' | 'too-slow' | 'not-utf8' }
  readonly status: number
  readonly code: number
}

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const usual = { method: 'POST', contentType: 'application/json', body: { text: call } } as const

/** A random malformed request. */
export function malformed(chance: Chance, chainId: number, batchCallsMax: number): MalformedRequest {
  const path = `/api/rpc/${chainId}`
  return chance.pick<MalformedRequest>([
    { ...usual, path, what: 'wrong verb', method: 'GET', status: 405, code: -32600 },
    { ...usual, path: '/api/rpc/77', what: 'unknown chain', status: 404, code: -32600 },
    { ...usual, path, what: 'wrong content type', contentType: 'text/plain', status: 415, code: -32600 },
    { ...usual, path, what: 'no content type', contentType: null, status: 415, code: -32600 },
    { ...usual, path, what: 'too large', body: { fault: 'too-large' }, status: 413, code: -32600 },
    { ...usual, path, what: 'not UTF-8', body: { fault: 'not-utf8' }, status: 400, code: -32700 },
    { ...usual, path, what: 'not JSON', body: { text: `${call}}` }, status: 400, code: -32700 },
    { ...usual, path, what: 'nothing', body: { text: '' }, status: 400, code: -32700 },
    { ...usual, path, what: 'an empty batch', body: { text: '[]' }, status: 400, code: -32600 },
    {
      ...usual,
      path,
      what: 'a batch that is too large',
      body: { text: `[${Array.from({ length: batchCallsMax + 1 }, () => call).join(',')}]` },
      status: 413,
      code: -32600,
    },
    {
      ...usual,
      path,
      what: 'too deep',
      body: { text: `${'['.repeat(40)}${']'.repeat(40)}` },
      status: 400,
      code: -32600,
    },
  ])
}
