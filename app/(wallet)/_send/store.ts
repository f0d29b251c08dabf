'use client'

import { useSyncExternalStore } from 'react'
import { createTransactions, storageKey, type TransactionRecord } from '#lib/wallet/transactions.ts'

/** This browser's transactions. Loaded in browsers only, so it may live as long as the tab. */
export const transactions = createTransactions(storage())

if (typeof window === 'object') {
  // Browsers tell this to the other tabs alone, never to the one that wrote.
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey) transactions.reload()
  })
}

const none: readonly TransactionRecord[] = []

export function useTransactions(): readonly TransactionRecord[] {
  return useSyncExternalStore(transactions.subscribe, transactions.all, () => none)
}

function storage(): Storage | null {
  try {
    return typeof window === 'object' ? window.localStorage : null
  } catch {
    return null
  }
}
