'use client'

import { createContext, use } from 'react'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import type { Figures } from '#lib/page/format.ts'
import type { ModalRequest } from './wallet-types.ts'

/**
 * The connection state. `returning` looks like `connected`, but actions wait; `late` is a returning visitor whose wallet has
 * not answered, `locked` one whose wallet exposes no account.
 */
export type Phase = 'none' | 'connecting' | 'returning' | 'late' | 'locked' | 'connected'

export interface Account {
  readonly phase: Phase
  readonly address: `0x${string}` | undefined
  readonly chainId: number | undefined
}

export interface WalletPrompt {
  readonly text: string
  readonly retry: () => void
}

export interface Wallet extends Account {
  readonly name: string | undefined
  /** The wallet's chain, when it is one of ours. */
  readonly chain: ChainFacts | undefined
  readonly chains: readonly ChainFacts[]
  /** The origin of the gateway; empty for this site. */
  readonly gateway: string
  /** Whether the visitor had a session when the server rendered the page. */
  readonly isSignedIn: boolean
  readonly figures: Figures
  /** An error without an open modal to show it. */
  readonly walletPrompt: WalletPrompt | null
  /** The requested modal that is not open yet. */
  readonly opening: ModalRequest['view'] | null
  /** Preloads the code for a click, e.g. on hover. */
  readonly prepare: () => void
  readonly open: (view: ModalRequest['view']) => void
  /** Shows a dialog over the page, whichever page that is; null ends it. */
  readonly show: (dialog: React.ReactNode) => void
}

export const WalletContext = createContext<Wallet | null>(null)

export function useWallet(): Wallet {
  const wallet = use(WalletContext)
  if (!wallet) throw new Error('useWallet needs Providers above it')
  return wallet
}
