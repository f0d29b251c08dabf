import { isRecord } from '../parse-json.ts'
import type { PublicCertificate } from './public-certificate.ts'

/** A call that a node of one's own is asked. */
export interface OwnCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A call with the agreed block in place of a tag, and its result. */
export interface KnownCall extends OwnCall {
  readonly result: unknown
}

/**
 * The same question for another node: of a head, the block of that number. Null where its answer could not be compared: what was asked is
 * not known, or the result is an object, which honest nodes write in different ways.
 */
export function ownCallOf({ method, block }: PublicCertificate, known: KnownCall | null): OwnCall | null {
  if (method === 'eth_blockNumber')
    return block && { method: 'eth_getBlockByNumber', params: [`0x${block.number.toString(16)}`, false] }
  return known !== null && typeof known.result === 'string'
    ? { method: known.method, params: known.params }
    : null
}

/** Whether another node's result is the one of the certificate. */
export function isSameResult(
  { method, block }: PublicCertificate,
  known: KnownCall | null,
  result: unknown,
): boolean {
  if (method === 'eth_blockNumber') return isRecord(result) && result.hash === block?.hash
  return known !== null && result === known.result
}

/** The same in one line for a shell whose ETH_RPC_URL is the node, by the program that it runs. */
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
