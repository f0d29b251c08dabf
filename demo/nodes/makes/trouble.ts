import type { Call } from '../exchange.ts'
import type { RpcError, Trouble } from './words.ts'

/** What anvil's error means, so that it can be said in another client's words; null for what no client says differently. */
export function troubleOf({ method, params }: Call, { code, message, data }: RpcError): Trouble | null {
  if (code === 3 || /execution reverted/i.test(message))
    return { kind: 'reverted', reason: reasonIn(message), data: typeof data === 'string' ? data : '0x' }
  const row = rows.find(({ pattern }) => pattern.test(message))
  if (row !== undefined) return row.trouble({ method, params })
  return code === -32601 ? { kind: 'no-method', method } : null
}

type Asked = Pick<Call, 'method' | 'params'>

const rows: readonly {
  readonly pattern: RegExp
  readonly trouble: (call: Asked) => Trouble
}[] = [
  {
    pattern: /out ?of ?gas/i,
    trouble: ({ method, params }) => ({ kind: 'out-of-gas', method, gas: gasOf(params) }),
  },
  { pattern: /invalidfe|invalid ?opcode|EVM error/i, trouble: () => ({ kind: 'halted' }) },
  { pattern: /nonce too low/i, trouble: () => ({ kind: 'nonce-too-low', sent: 1, state: 2 }) },
  { pattern: /nonce too high/i, trouble: () => ({ kind: 'nonce-too-high', sent: 9, state: 2 }) },
  { pattern: /already (imported|known)/i, trouble: () => ({ kind: 'already-known' }) },
  { pattern: /insufficient funds/i, trouble: () => ({ kind: 'insufficient-funds' }) },
  { pattern: /intrinsic gas/i, trouble: () => ({ kind: 'intrinsic-gas' }) },
  { pattern: /less than block base fee/i, trouble: () => ({ kind: 'fee-too-low' }) },
  { pattern: /replacement transaction underpriced/i, trouble: () => ({ kind: 'replacement-underpriced' }) },
]

function reasonIn(message: string): string | null {
  return /execution reverted: (.+)$/i.exec(message)?.[1] ?? null
}

function gasOf([call]: readonly unknown[]): number {
  return Number((call as { gas?: string } | undefined)?.gas ?? 30_000_000)
}
