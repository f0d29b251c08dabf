import type { OwnCall } from './own-node.ts'

/** A call in one line for a shell whose ETH_RPC_URL is the node, by the program that it runs. */
export function shellLinesOf({ method, params }: OwnCall): readonly (readonly [string, string])[] {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return [
    ['cast', `cast rpc --raw ${method} ${quoted(JSON.stringify(params))}`],
    ['curl', `curl -s "$ETH_RPC_URL" -H 'content-type: application/json' -d ${quoted(body)}`],
  ]
}

/** Quotes any text as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
