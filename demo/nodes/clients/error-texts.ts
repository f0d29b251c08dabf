import corpus from './errors.json' with { type: 'json' }
import { fillIn } from './fill-in.ts'
import type { Client } from './reply-format.ts'

/** A JSON-RPC error object. */
export interface ClientRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Why a node cannot answer. */
export type ClientError =
  | { readonly kind: 'no-method'; readonly method: string }
  | { readonly kind: 'beyond-head'; readonly block: number; readonly head: number; readonly method: string }
  | { readonly kind: 'pruned'; readonly block: number; readonly method: string }
  | { readonly kind: 'reverted'; readonly reason: string | null; readonly data: string }
  | { readonly kind: 'out-of-gas'; readonly gas: number; readonly method: string }
  | { readonly kind: 'halted' }
  | { readonly kind: 'nonce-too-low'; readonly sent: number; readonly state: number }
  | { readonly kind: 'nonce-too-high'; readonly sent: number; readonly state: number }
  | { readonly kind: 'already-known' }
  | { readonly kind: 'insufficient-funds' }
  | { readonly kind: 'intrinsic-gas' }
  | { readonly kind: 'fee-too-low' }
  | { readonly kind: 'replacement-underpriced' }

interface Row {
  readonly who: string
  readonly kinds?: readonly string[]
  readonly code: number
  readonly message: string
}

/** By client and kind, and by method where a client has a text of its own for it. */
const texts = new Map(
  Object.values(corpus as unknown as Record<string, readonly Row[]>).flatMap((rows) =>
    rows.flatMap(({ who, kinds = [], code, message }) =>
      who
        .split(', ')
        .flatMap((client) => kinds.map((kind) => [`${client} ${kind}`, { code, message }] as const)),
    ),
  ),
)

/**
 * The error of this client: code, message and data, from its sources or captured from public nodes (listed in
 * docs/nodes.md).
 */
export function wordsOf(client: Client, { kind, ...values }: ClientError): ClientRpcError {
  const { method, block, reason, data } = values as Readonly<Record<string, string | undefined>>
  const text = texts.get(`${client} ${kind} ${method}`) ?? texts.get(`${client} ${kind}`)
  if (text === undefined) throw new Error(`${client} has no text for ${kind}`)
  const number = Number(block)
  const more = { reason: reason ? `: ${reason}` : '', next: number + 1, blockHex: `0x${number.toString(16)}` }
  return { ...fillIn(text, { ...values, ...more }), ...(data !== undefined && { data }) }
}
