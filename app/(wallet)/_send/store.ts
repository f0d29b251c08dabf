'use client'

import { useSyncExternalStore } from 'react'
import { createTransactions, type TransactionRecord } from '#lib/wallet/transactions.ts'

/** This tab's transactions. Loaded in browsers only, so it may live as long as the tab. */
export const transactions = createTransactions(storage())

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
