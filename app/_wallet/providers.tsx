'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { WagmiProvider } from 'wagmi'
import { replayPress } from '#lib/page/early-press.ts'
import { createFigures } from '#lib/page/format.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { walletErrorTexts } from '#lib/page/texts/wallet-error.ts'
import { isOpenedBySafe } from '#lib/wallet/opened-by-safe.ts'
import { setDisconnected } from '#lib/wallet/placeholder.ts'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { ConnectShell } from './connect-shell.tsx'
import { listedCode } from './listed-code.ts'
import { createTab, startTab, type Tab } from './tab.ts'
import { useOwnName } from './use-own-name.ts'
import { useSignInEnd } from './use-sign-in-end.ts'
import {
  ModalsContext,
  type PageModals,
  type Phase,
  type PhaseState,
  type Site,
  SiteContext,
  usePhase,
  type VisitorAccount,
  VisitorContext,
  type WalletPrompt,
  type WalletState,
} from './wallet.ts'
import type { ModalRequest, WalletFacts } from './wallet-types.ts'

const modalsCode = lazyCode('modals', () => import('./modals-host.tsx'))

let ofBrowser: Tab | undefined

/** One for each tab; on the server one for each request. */
function tabOf(facts: WalletFacts): Tab {
  if (typeof window === 'undefined') return createTab(facts)
  ofBrowser ??= createTab(facts)
  return ofBrowser
}

/**
 * wagmi, the query cache and the modals around every page: any hook of wagmi, viem and TanStack Query works on every page, on
 * the server too. On return the account comes from the cookie until the wallet has answered.
 */
export function Providers(props: { facts: WalletFacts; children: React.ReactNode }) {
  // Later values from the server apply from the next page load on.
  const [facts] = useState(props.facts)
  const [tab] = useState(() => tabOf(facts))
  return (
    <WagmiProvider config={tab.config} reconnectOnMount={false}>
      <QueryClientProvider client={tab.queries}>
        <WalletProvider facts={facts} tab={tab}>
          {props.children}
        </WalletProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}

let isStarted = false

function WalletProvider({
  facts,
  tab,
  children,
}: {
  facts: WalletFacts
  tab: Tab
  children: React.ReactNode
}) {
  // As early as React allows, and once per tab, although development runs every effect twice.
  useLayoutEffect(() => {
    if (isStarted) return
    isStarted = true
    startTab(tab, facts)
  }, [tab, facts])
  const connection = usePhase(tab.reconnect)
  const { phase, address, chainId } = connection
  const modals = useModals(facts)
  const name = useOwnName(tab.queries, facts, connection)
  useSignInEnd(facts.signedIn, connection)
  useEffect(replayPress, [])
  useEffect(() => {
    if (!facts.visitor) whenIdle(modals.prepare)
  }, [facts, modals.prepare])

  const press = usePress(tab, phase, modals.open)
  const { withdraw } = modals
  useEffect(() => {
    if (phase === 'locked') withdraw()
  }, [phase, withdraw])

  const walletPrompt = useWalletPrompt(modals, tab, connection)
  const [dialog, show] = useState<React.ReactNode>(null)
  const { opening, prepare } = modals
  const site = useMemo<Site>(
    () => ({
      ...facts,
      isSignedIn: facts.signedIn !== null,
      figures: createFigures(facts.numberMarks),
      prepare,
      show,
      reconnect: tab.reconnect,
    }),
    [facts, prepare, tab],
  )
  const visitor = useMemo<VisitorAccount>(
    () => ({ address, chainId, name, chain: facts.chains.find(({ id }) => id === chainId) }),
    [address, chainId, name, facts],
  )
  const open = press ?? modals.open
  const over = useMemo<PageModals>(() => ({ walletPrompt, opening, open }), [walletPrompt, opening, open])

  return (
    <SiteContext value={site}>
      <VisitorContext value={visitor}>
        <ModalsContext value={over}>
          <ConnectShell isOpen={opening === 'connect'} onClose={withdraw} />
          {children}
          {dialog}
          {modals.host && (
            // When the wallet locks, an open modal would show an unavailable account. A new key remounts the host and closes it.
            <modals.host.ModalsHost
              key={phase === 'locked' ? 'locked' : 'open'}
              modalRequest={modals.request}
              facts={facts}
              opened={modals.opened}
              onFailure={modals.onFailure}
            />
          )}
        </ModalsContext>
      </VisitorContext>
    </SiteContext>
  )
}

/** What a press on the account does where it opens no modal: unlocks the wallet, or tries it again. */
function usePress({ config, reconnect }: Tab, phase: Phase, open: WalletState['open']): (() => void) | null {
  const restart = useCallback(() => {
    reconnect.giveUp()
    setDisconnected(config)
    open('connect')
  }, [config, reconnect, open])
  const again = useCallback(
    () => void reconnect.start().then((outcome) => outcome === 'late' && restart()),
    [reconnect, restart],
  )
  const unlock = useCallback(() => void reconnect.unlock().catch(restart), [reconnect, restart])
  return phase === 'locked' ? unlock : phase === 'late' ? again : null
}

type Modals = ReturnType<typeof useModals>

/** The wallet's modals, whose code is loaded on intent, or when the page is idle. */
function useModals({ demo }: WalletFacts) {
  const [request, setRequest] = useState<ModalRequest | null>(null)
  const host = useCode(modalsCode, { isWanted: false })
  const listed = useCode(listedCode, { isWanted: false })
  const [openedTurn, opened] = useState(0)
  // Starts the modals again after a failure in them.
  const [restart, setRestart] = useState<(() => void) | null>(null)
  const onFailure = useCallback((next: (() => void) | null) => setRestart(() => next), [])
  const hasStarted = useRef(false)
  const load = useCallback(() => {
    hasStarted.current = true
    host.load()
    if (!demo) listed.load()
  }, [demo, host.load, listed.load])
  // On intent, once: under the place of the list a pointer leaves its button, and comes back to it when loading has failed.
  const prepare = useCallback(() => {
    if (!hasStarted.current) load()
  }, [load])
  const open = useCallback(
    (view: ModalRequest['view']) => {
      load()
      restart?.()
      setRequest((last) => ({ view, turn: (last?.turn ?? 0) + 1 }))
    },
    [load, restart],
  )
  const withdraw = useCallback(() => setRequest(null), [])
  const isPending = request !== null && request.turn > openedTurn
  // A failed preload is not reported.
  const isFailed = isPending && (host.isFailed || listed.isFailed)
  // The requested modal that is not open yet.
  const opening = isPending && !isFailed && !restart ? request.view : null
  const actions = { prepare, load, open, withdraw, opened, onFailure }
  return { host: host.module, request, opening, isFailed, restart, ...actions }
}

/** An error without an open modal to show it. */
function useWalletPrompt(
  { isFailed, load, restart }: Modals,
  { reconnect }: Tab,
  { phase, reconnected }: PhaseState,
): WalletPrompt | null {
  return useMemo(() => {
    if (isFailed) return { text: accountTexts.failed, retry: load }
    if (restart) return { text: walletErrorTexts.broken, retry: restart }
    // Safe frames this page, so a visitor without an account is not a new one.
    const isNameless = phase === 'none' && reconnected === 'refused' && isOpenedBySafe()
    return isNameless ? { text: walletErrorTexts.safeSilent, retry: () => void reconnect.start() } : null
  }, [isFailed, load, restart, phase, reconnected, reconnect])
}

/** Calls back once the page is loaded and idle; never with data saving on. */
function whenIdle(call: () => void): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  const wait = () => ('requestIdleCallback' in window ? requestIdleCallback : setTimeout)(call)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
