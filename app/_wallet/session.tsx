'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { catchError } from 'next/error'
import { useCallback, useEffect, useState } from 'react'
import { type Config, useConfig, WagmiProvider } from 'wagmi'
import { troubleTexts } from '#lib/page/texts/trouble.ts'
import type { CameBack } from '#lib/wallet/come-back.ts'
import { createWalletConfig } from '#lib/wallet/config.ts'
import { isOpenedBySafe } from '#lib/wallet/opened-by-safe.ts'
import { tabQueries } from '#lib/wallet/queries.ts'
import type { ModalRequest, WalletFacts } from './facts.ts'
import { useConnection } from './use-connection.ts'
import { useReturn } from './use-return.ts'
import { useSignInEnd } from './use-sign-in-end.ts'
import type { Account, Phase, Problem } from './wallet.ts'

/** The state of the visitor, from wagmi. */
export interface Told extends Account {
  readonly config: Config | null
  /** Handles a click on the account instead of a modal; null to open the modal. */
  readonly press: (() => void) | null
  readonly problem: Problem | null
}

export interface SessionProps {
  readonly facts: WalletFacts
  readonly modalRequest: ModalRequest | null
  /** The RainbowKit modals, once their code is loaded. */
  readonly windows: typeof import('./rainbow-host.tsx') | null
  readonly tell: (told: Told) => void
  readonly open: (view: ModalRequest['view']) => void
  readonly withdraw: (modalRequest: null) => void
  /** Called with the turn of a request that has been fulfilled. */
  readonly opened: (turn: number) => void
}

/** wagmi and everything that depends on it, next to the page, not around it. Loaded in browsers only. */
export function Session(props: SessionProps) {
  return (
    <SessionBoundary tell={props.tell} withdraw={props.withdraw}>
      <WalletLayer {...props} />
    </SessionBoundary>
  )
}

const SessionBoundary = catchError((props: BrokenProps, { reset }) => <Broken {...props} reset={reset} />)

type BrokenProps = Pick<SessionProps, 'tell' | 'withdraw'>

/** The page stands without the wallet layer, whatever an extension or a library does in it. */
function Broken({ tell, withdraw, reset }: BrokenProps & { readonly reset: () => void }) {
  useEffect(() => {
    withdraw(null)
    const problem = { text: troubleTexts.broken, retry: reset }
    tell({ phase: 'none', address: undefined, chainId: undefined, config: null, press: reset, problem })
  }, [tell, withdraw, reset])
  return null
}

function WalletLayer(props: SessionProps) {
  const [config] = useState(() => createWalletConfig(props.facts))
  return (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={tabQueries()}>
        <Connection {...props} />
      </QueryClientProvider>
    </WagmiProvider>
  )
}

function Connection({ facts, modalRequest, windows, tell, open, withdraw, opened }: SessionProps) {
  const config = useConfig()
  const { address, chainId, status } = useConnection()
  const { came, unlock, retry, giveUp } = useReturn(facts)
  const phase = phaseOf(status, address !== undefined, came)
  useSignInEnd(facts.signedIn, { phase, address, chainId })

  const restart = useCallback(() => {
    giveUp()
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
    open('connect')
  }, [config, open, giveUp])
  const reconnect = useCallback(
    () => void retry().then((how) => how === 'late' && restart()),
    [retry, restart],
  )
  const ask = useCallback(() => void unlock().catch(restart), [unlock, restart])

  useEffect(() => {
    const press = phase === 'locked' ? ask : phase === 'late' ? reconnect : null
    // Safe frames this page, so a visitor without an account is not a new one.
    const isNameless = phase === 'none' && came === 'refused' && isOpenedBySafe()
    const problem = isNameless ? { text: troubleTexts.safeSilent, retry: () => void retry() } : null
    tell({ phase, address, chainId, config, press, problem })
  }, [phase, came, address, chainId, config, ask, reconnect, retry, tell])
  useEffect(() => {
    if (phase === 'locked') withdraw(null)
  }, [phase, withdraw])

  // When the wallet locks, an open modal would show an unavailable account. A new key remounts the host and closes it.
  const key = phase === 'locked' ? 'locked' : 'open'
  return (
    windows && <windows.RainbowHost key={key} modalRequest={modalRequest} facts={facts} opened={opened} />
  )
}

function phaseOf(status: string, known: boolean, came: CameBack | null): Phase {
  if (status === 'connected') return 'connected'
  if (status === 'reconnecting' && known) return came === 'late' || came === 'locked' ? came : 'returning'
  return status === 'connecting' ? 'connecting' : 'none'
}
