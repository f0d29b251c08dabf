import type { TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { own } from './accounts.ts'

/** A transaction that was just sent, with overrides. */
export const recordOf = (change: Partial<TransactionRecord> = {}): TransactionRecord => ({
  hash: `0x${'a'.repeat(64)}`,
  chainId: 137,
  from: own,
  description: 'Send 1 POL',
  status: 'pending',
  confirmations: 3,
  seen: 0,
  block: null,
  nonce: null,
  sentMs: Date.now(),
  ...change,
})

/** The storage of a browser that has this under every key, and the last key that was written. */
export function storage(text: string | null = null) {
  const kept = {
    key: '',
    getItem: () => text,
    setItem(key: string, value: string) {
      kept.key = key
      text = value
    },
  }
  return kept
}
