import type { TransactionRecord } from '#lib/wallet/stored-transactions.ts'

/** A transaction that was just sent, with overrides. */
export const recordOf = (change: Partial<TransactionRecord> = {}): TransactionRecord => ({
  hash: `0x${'a'.repeat(64)}`,
  chainId: 137,
  from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  description: 'Send 1 POL',
  status: 'pending',
  confirmations: 3,
  seen: 0,
  block: null,
  nonce: null,
  sentMs: Date.now(),
  ...change,
})
