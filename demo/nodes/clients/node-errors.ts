import type { DemoCall } from '../demo-call.ts'
import type { ClientError, ClientRpcError } from './error-texts.ts'

/** The meaning of an anvil error, to translate it to another client; null if all clients use the same text. */
export function nodeErrorOf(
  { method, params }: DemoCall,
  { code, message, data }: ClientRpcError,
): ClientError | null {
  if (code === 3 || /execution reverted/i.test(message))
    return { kind: 'reverted', reason: reasonIn(message), data: typeof data === 'string' ? data : '0x' }
  const [, nodeError] = rows.find(([pattern]) => pattern.test(message)) ?? []
  if (nodeError !== undefined) return nodeError({ method, params })
  return code === -32601 ? { kind: 'no-method', method } : null
}

const rows: readonly (readonly [pattern: RegExp, nodeError: (call: DemoCall) => ClientError])[] = [
  [/out ?of ?gas/i, ({ method, params }) => ({ kind: 'out-of-gas', method, gas: gasOf(params) })],
  [/invalidfe|invalid ?opcode|EVM error/i, () => ({ kind: 'halted' })],
  [/nonce too low/i, () => ({ kind: 'nonce-too-low', sent: 1, state: 2 })],
  [/nonce too high/i, () => ({ kind: 'nonce-too-high', sent: 9, state: 2 })],
  [/already (imported|known)/i, () => ({ kind: 'already-known' })],
  [/insufficient funds/i, () => ({ kind: 'insufficient-funds' })],
  [/intrinsic gas/i, () => ({ kind: 'intrinsic-gas' })],
  [/less than block base fee/i, () => ({ kind: 'fee-too-low' })],
  [/replacement transaction underpriced/i, () => ({ kind: 'replacement-underpriced' })],
]

function reasonIn(message: string): string | null {
  return /execution reverted: (.+)$/i.exec(message)?.[1] ?? null
}

function gasOf([call]: readonly unknown[]): number {
  return Number((call as { gas?: string } | undefined)?.gas ?? 30_000_000)
}
