import type { ErrorObject } from '../runtime/errors.ts'
import type { IdText } from './types.ts'

/** One response object. `raw` is JSON that has been parsed; `member` is a further member (`"quorate":{…}`) or empty. */
export function encodeResult(id: IdText, raw: string, member = ''): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${raw}${member === '' ? '' : `,${member}`}}`
}

export function encodeError(id: IdText, error: ErrorObject, member = ''): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}${member === '' ? '' : `,${member}`}}`
}

/** The text of one request to a node; `params` is the JSON text of the params. */
export function encodeCall(id: number, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`
}
