import { useSyncExternalStore } from 'react'
import { ownStorage } from '#lib/page/stored-list.ts'
import { createTransactions, storageKey, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'

/** The transactions of this browser. Loaded in browsers only, so it may live as long as the tab. */
export const transactions = createTransactions(ownStorage())

if (typeof window === 'object') {
  // The storage event is fired only in other tabs, not in the one that wrote.
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey) transactions.reload()
  })
}

export function useTransactions(): readonly TransactionRecord[] {
  return useSyncExternalStore(transactions.subscribe, transactions.all, transactions.all)
}
