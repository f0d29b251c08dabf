'use client'

import { useEffect } from 'react'
import { useConfig } from 'wagmi'
import { askWallet } from '#lib/wallet/calls.ts'
import { follow } from '#lib/wallet/follow.ts'
import { useWallet } from '../../_wallet/wallet.ts'
import { transactions } from './own-transactions.ts'

/** Follows pending transactions while the page is open. Use it once per page with transactions. */
export function useFollow(): void {
  const { gateway } = useWallet()
  const config = useConfig()
  useEffect(
    () => follow(transactions, { gateway, askWallet: (record) => askWallet(record, config) }),
    [gateway, config],
  )
}
