'use client'

import { createContext, use, useSyncExternalStore } from 'react'
import { useAccount } from 'wagmi'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import type { Figures } from '#lib/page/format.ts'
import type { Reconnect, ReconnectState } from '#lib/wallet/reconnect.ts'
import type { ModalRequest, WalletFacts } from './wallet-types.ts'

/**
 * The connection state. `returning` looks like `connected`, but actions wait; `late` is a returning visitor whose wallet has
 * not answered, `locked` one whose wallet exposes no account.
 */
export type Phase = 'none' | 'connecting' | 'returning' | 'late' | 'locked' | 'connected'

export interface WalletPrompt {
  readonly text: string
  readonly retry: () => void
}

/** What stays as long as the tab. */
export interface Site extends Pick<WalletFacts, 'chains' | 'gateway' | 'hasNames' | 'hasEvidence'> {
  /** Whether the visitor had a session when the server rendered the page. */
  readonly isSignedIn: boolean
  readonly figures: Figures
  /** Preloads the code for a click, e.g. on hover. */
  readonly prepare: () => void
  /** Shows a dialog over the page, whichever page that is; null ends it. */
  readonly show: (dialog: React.ReactNode) => void
  readonly reconnect: Pick<Reconnect, 'state' | 'subscribe'>
}

/** Who the visitor is. It stays when the wallet of a returning visitor has answered. */
export interface VisitorAccount {
  readonly address: `0x${string}` | undefined
  readonly chainId: number | undefined
  readonly name: string | undefined
  /** The wallet's chain, when it is one of ours. */
  readonly chain: ChainFacts | undefined
}

/** What is open over the page. */
export interface PageModals {
  /** An error without an open modal to show it. */
  readonly walletPrompt: WalletPrompt | null
  /** The requested modal that is not open yet. */
  readonly opening: ModalRequest['view'] | null
  readonly open: (view: ModalRequest['view']) => void
}

export interface WalletState extends PageModals {
  readonly phase: Phase
}

export interface Wallet extends Site, VisitorAccount, WalletState {}

/** One for each part that changes at a time of its own, so that a change renders what shows it and nothing else. */
export const SiteContext = createContext<Site | null>(null)
export const VisitorContext = createContext<VisitorAccount | null>(null)
export const ModalsContext = createContext<PageModals | null>(null)

export const useSite = (): Site => used(use(SiteContext))
export const useVisitor = (): VisitorAccount => used(use(VisitorContext))
/** The phase is in no context: above a part that is streamed, React would hydrate that before it shows the new phase. */
export function useWalletState(): WalletState {
  const { phase } = usePhase(useSite().reconnect)
  return { phase, ...used(use(ModalsContext)) }
}

/** All of it; a component that is there from the start uses the part it needs. */
export function useWallet(): Wallet {
  return { ...useSite(), ...useVisitor(), ...useWalletState() }
}

export interface PhaseState {
  readonly phase: Phase
  readonly address: `0x${string}` | undefined
  readonly chainId: number | undefined
  readonly reconnected: ReconnectState
}

/** The connection by wagmi, and how far the reconnect of a returning visitor is. */
export function usePhase({ subscribe, state }: Site['reconnect']): PhaseState {
  const { status, address, chainId } = useAccount()
  // wagmi says at the same moment that it is connected: one render less.
  const reconnected = useSyncExternalStore(
    subscribe,
    () => (state() === 'connected' ? null : state()),
    () => null,
  )
  return { phase: phaseOf(status, address !== undefined, reconnected), address, chainId, reconnected }
}

function phaseOf(status: string, isKnown: boolean, reconnected: ReconnectState): Phase {
  if (status === 'connected') return 'connected'
  if (status === 'reconnecting' && isKnown)
    return reconnected === 'late' || reconnected === 'locked' ? reconnected : 'returning'
  return status === 'connecting' ? 'connecting' : 'none'
}

function used<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the wallet needs Providers above it')
  return value
}
