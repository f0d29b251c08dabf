'use client'

import { useEffect } from 'react'
import { useConfig } from 'wagmi'
import { askWallet } from '#lib/wallet/calls.ts'
import { follow } from '#lib/wallet/follow.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { transactions } from './store.ts'

let isFollowing = false

/** Follows pending transactions from now on, on every page that this tab opens. */
export function useFollow(): void {
  const { gateway } = useWallet()
  const config = useConfig()
  useEffect(() => {
    if (isFollowing) return
    isFollowing = true
    follow(transactions, { gateway, askWallet: (record) => askWallet(record, config) })
  }, [gateway, config])
}
