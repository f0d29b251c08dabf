'use client'

import { createContext, use } from 'react'
import type { Config } from 'wagmi'
import type { ChainFacts } from '#lib/chains.ts'
import type { Figures } from '#lib/page/format.ts'
import type { ModalRequest } from './facts.ts'

/**
 * Where the visitor stands. `returning` looks like `connected`, but actions wait; `late` is a returning visitor whose
 * wallet has not answered, `locked` one whose wallet shows no account.
 */
export type Phase = 'none' | 'connecting' | 'returning' | 'late' | 'locked' | 'connected'

export interface Account {
  readonly phase: Phase
  readonly address: `0x${string}` | undefined
  readonly chainId: number | undefined
}

export interface Problem {
  readonly text: string
  readonly retry: () => void
}

export interface Wallet extends Account {
  readonly name: string | undefined
  /** The wallet's chain, when it is one of ours. */
  readonly chain: ChainFacts | undefined
  readonly chains: readonly ChainFacts[]
  readonly gateway: string
  /** Whether the server had a session for this visitor when it made the page. */
  readonly isSignedIn: boolean
  readonly figures: Figures
  /** wagmi's configuration, once its code is loaded. There is no WagmiProvider around the pages. */
  readonly config: Config | null
  /** What went wrong without anybody having asked for a window that could say so. */
  readonly problem: Problem | null
  /** The window that was asked for and is not open yet. */
  readonly opening: ModalRequest['view'] | null
  /** Loads what a click would need, on the first sign that one is coming. */
  readonly prepare: () => void
  readonly open: (view: ModalRequest['view']) => void
  /** Called by a page that has a use for the wallet: brings a returning visitor's back. */
  readonly welcome: () => void
}

export const WalletContext = createContext<Wallet | null>(null)

export function useWallet(): Wallet {
  const wallet = use(WalletContext)
  if (!wallet) throw new Error('useWallet needs Providers above it')
  return wallet
}

/** wagmi's configuration, for parts that are shown to a connected visitor only. */
export function useWalletConfig(): Config {
  const { config } = useWallet()
  if (!config) throw new Error('the wallet code is not loaded yet')
  return config
}
