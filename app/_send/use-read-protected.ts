'use client'

import { useMemo } from 'react'
import { createReadProtected } from '#lib/page/read-protected.ts'
import type { ReadChain } from '#lib/page/reading.ts'
import { useWallet } from '../_wallet/wallet.ts'

/** Reads chains in protected rounds. */
export function useReadProtected(): ReadChain {
  const { gateway } = useWallet()
  return useMemo(() => createReadProtected(gateway), [gateway])
}
