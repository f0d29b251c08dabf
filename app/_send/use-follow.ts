import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConfig } from 'wagmi'
import { readWalletStatus } from '#lib/wallet/calls.ts'
import { follow } from '#lib/wallet/follow.ts'
import { useReadChain, useReadProtected } from '../_wallet/use-read-chain.ts'
import { transactions } from './own-transactions.ts'

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
  const readChain = useReadChain()
  const readProtected = useReadProtected()
  const config = useConfig()
  const queries = useQueryClient()
  useEffect(() => {
    if (isFollowing) return
    isFollowing = true
    follow(queries, transactions, {
      readChain,
      readProtected,
      readWalletStatus: (record) => readWalletStatus(record, config),
      // What was read before is read again: balances, tokens, contracts, by our hooks and by wagmi's.
      onSettled: () =>
        void queries.invalidateQueries({ predicate: ({ queryKey }) => reads.has(queryKey[0]) }),
    })
  }, [readChain, readProtected, config, queries])
}
