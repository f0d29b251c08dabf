'use client'

import { createContext, use } from 'react'
import type { ChainFacts } from '#lib/chains.ts'
import type { Figures } from '#lib/page/format.ts'
import type { Wish } from './facts.ts'

/**
 * Where the visitor stands. `returning` looks like `connected`, but actions wait; `late` is a returning visitor whose
 * wallet has not answered, `locked` one whose wallet shows no account.
 */
export type Phase = 'none' | 'connecting' | 'returning' | 'late' | 'locked' | 'connected'

export interface Wallet {
  readonly phase: Phase
  readonly address: `0x${string}` | undefined
  readonly name: string | undefined
  readonly chainId: number | undefined
  /** The wallet's chain, when it is one of ours. */
  readonly chain: ChainFacts | undefined
  readonly chains: readonly ChainFacts[]
  readonly gateway: string
  readonly figures: Figures
  /** A sentence when the wallet list could not be loaded. */
  readonly problem: string | null
  /** Loads what a click would need, on the first sign that one is coming. */
  readonly prepare: () => void
  readonly open: (view: Wish['view']) => void
}

export const WalletContext = createContext<Wallet | null>(null)

export function useWallet(): Wallet {
  const wallet = use(WalletContext)
  if (!wallet) throw new Error('useWallet needs Providers above it')
  return wallet
}
