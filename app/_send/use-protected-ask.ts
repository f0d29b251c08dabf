'use client'

import { useMemo } from 'react'
import { askProtected } from '#lib/page/ask-protected.ts'
import type { AskChain } from '#lib/page/reading.ts'
import { useWallet } from '../_wallet/wallet.ts'

/** Asks chains for protected results. */
export function useProtectedAsk(): AskChain {
  const { gateway } = useWallet()
  return useMemo(() => askProtected(gateway), [gateway])
}
