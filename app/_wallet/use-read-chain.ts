'use client'

import { useMemo } from 'react'
import { createReadChain } from '#lib/page/read-chain.ts'
import type { ReadChain } from '#lib/page/reading.ts'
import { useWallet } from './wallet.ts'

/** Asks chains through the gateway. */
export function useReadChain(): ReadChain {
  const { gateway } = useWallet()
  return useMemo(() => createReadChain(gateway), [gateway])
}
