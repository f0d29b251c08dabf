'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConfig } from 'wagmi'
import { askWallet } from '#lib/wallet/calls.ts'
import { follow } from '#lib/wallet/follow.ts'
import { useAsk } from '../_wallet/use-ask.ts'
import { transactions } from './own-transactions.ts'
import { useProtectedAsk } from './use-protected-ask.ts'

/** The first members of the keys of reads. */
const reads: ReadonlySet<unknown> = new Set([
  'chain',
  'quorum-read',
  'token',
  'balance',
  'readContract',
  'readContracts',
])

let isFollowing = false

/** Follows pending transactions from now on, on every page that this tab opens. */
export function useFollow(): void {
  const ask = useAsk()
  const askProtected = useProtectedAsk()
  const config = useConfig()
  const queries = useQueryClient()
  useEffect(() => {
    if (isFollowing) return
    isFollowing = true
    follow(transactions, {
      ask,
      askProtected,
      askWallet: (record) => askWallet(record, config),
      // What was read before is read again: balances, tokens, contracts, by our hooks and by wagmi's.
      onSettled: () =>
        void queries.invalidateQueries({ predicate: ({ queryKey }) => reads.has(queryKey[0]) }),
    })
  }, [ask, askProtected, config, queries])
}
