'use client'

import { useEffect } from 'react'
import { askWallet } from '#lib/wallet/calls.ts'
import { follow } from '#lib/wallet/follow.ts'
import { useWallet, useWalletConfig } from '../../_wallet/wallet.ts'
import { transactions } from './store.ts'

/** Follows whatever is pending for as long as the page is open. For one part of each page that shows transactions. */
export function useFollow(): void {
  const { gateway } = useWallet()
  const config = useWalletConfig()
  useEffect(
    () => follow(transactions, { gateway, askWallet: (record) => askWallet(record, config) }),
    [gateway, config],
  )
}
