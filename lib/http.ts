import { CallError, type GatewayRequest } from '#rpc-proxy'
import { closedHeaders } from './headers.ts'

/** A request as either host hands it in: what the engine needs, and what our own routes need besides. */
export interface HostRequest extends GatewayRequest {
  /** What follows the question mark, without it. */
  readonly query: string
  /** Whether the visitor came by https, as far as we can tell. */
  readonly secure: boolean
}

export interface HostResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Empty with 204. */
  readonly body: string | ReadableStream<Uint8Array>
}

/** Bytes up to which an answer is never compressed: it fits one packet either way. */
export const plainBytesMax = 1000

/** JSON for our own routes; errors are `{ "error": sentence }`. */
export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HostResponse {
  return {
    status,
    headers: { ...closedHeaders, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  }
}

export function refuse(
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): HostResponse {
  return json(status, { error: sentence }, headers)
}

/** In place of an answer whose reader leaves too many unread. */
export const unread: HostResponse = json(
  503,
  { jsonrpc: '2.0', id: null, error: new CallError('overloaded').error },
  { 'retry-after': '5', 'cache-control': 'no-store' },
)
