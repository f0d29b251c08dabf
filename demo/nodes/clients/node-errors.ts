import type { DemoCall } from '../demo-call.ts'
import type { ClientError, ClientRpcError } from './error-texts.ts'

/** The meaning of an anvil error, to translate it to another client; null if all clients use the same text. */
export function nodeErrorOf(
  { method, params }: DemoCall,
  { code, message, data }: ClientRpcError,
): ClientError | null {
  if (code === 3 || /execution reverted/i.test(message))
    return { kind: 'reverted', reason: reasonIn(message), data: typeof data === 'string' ? data : '0x' }
  const row = rows.find(({ pattern }) => pattern.test(message))
  if (row !== undefined) return row.nodeError({ method, params })
  return code === -32601 ? { kind: 'no-method', method } : null
}

type CallInput = Pick<DemoCall, 'method' | 'params'>

const rows: readonly {
  readonly pattern: RegExp
  readonly nodeError: (call: CallInput) => ClientError
}[] = [
  {
    pattern: /out ?of ?gas/i,
    nodeError: ({ method, params }) => ({ kind: 'out-of-gas', method, gas: gasOf(params) }),
  },
  { pattern: /invalidfe|invalid ?opcode|EVM error/i, nodeError: () => ({ kind: 'halted' }) },
  { pattern: /nonce too low/i, nodeError: () => ({ kind: 'nonce-too-low', sent: 1, state: 2 }) },
  { pattern: /nonce too high/i, nodeError: () => ({ kind: 'nonce-too-high', sent: 9, state: 2 }) },
  { pattern: /already (imported|known)/i, nodeError: () => ({ kind: 'already-known' }) },
  { pattern: /insufficient funds/i, nodeError: () => ({ kind: 'insufficient-funds' }) },
  { pattern: /intrinsic gas/i, nodeError: () => ({ kind: 'intrinsic-gas' }) },
  { pattern: /less than block base fee/i, nodeError: () => ({ kind: 'fee-too-low' }) },
  { pattern: /replacement transaction underpriced/i, nodeError: () => ({ kind: 'replacement-underpriced' }) },
]

function reasonIn(message: string): string | null {
  return /execution reverted: (.+)$/i.exec(message)?.[1] ?? null
}

function gasOf([call]: readonly unknown[]): number {
  return Number((call as { gas?: string } | undefined)?.gas ?? 30_000_000)
}
