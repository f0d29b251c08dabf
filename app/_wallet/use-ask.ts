'use client'

import { useMemo } from 'react'
import { askGateway } from '#lib/page/ask.ts'
import type { AskChain } from '#lib/page/reading.ts'
import { useWallet } from './wallet.ts'

/** Asks chains through the gateway. */
export function useAsk(): AskChain {
  const { gateway } = useWallet()
  return useMemo(() => askGateway(gateway), [gateway])
}
