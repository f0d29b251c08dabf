'use client'

import {
  type AvatarComponent,
  cssStringFromTheme,
  darkTheme,
  RainbowKitProvider,
  useAccountModal,
  useAddRecentTransaction,
  useChainModal,
  useConnectModal,
} from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useAccountEffect, useConfig } from 'wagmi'
import { lendClipboard } from '#lib/page/lend-clipboard.ts'
import { site } from '#lib/site.ts'
import { lendStorage } from '#lib/wallet/lend-storage.ts'
import { Avatar } from '../_ui/avatar.tsx'
import { usePart } from '../_ui/part.ts'
import { BackToList } from './back-to-list.tsx'
import type { ModalRequest, WalletFacts } from './facts.ts'
import { listedPart } from './listed-part.ts'
import { RainbowFixes } from './rainbow-fixes.tsx'
import './rainbow-host.css'
import { TroubleToast } from './trouble-toast.tsx'
import { useMedia } from './use-media.ts'

lendStorage()
lendClipboard()

/** The nonce of the page. Browsers hide the attribute from selectors and style sheets, but not from running scripts. */
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
// Libraries read it under this name for their own styles, e.g. the scroll lock of the modals.
Object.assign(globalThis, { __webpack_nonce__: nonce })

export interface RainbowHostProps {
  readonly facts: WalletFacts
  readonly modalRequest: ModalRequest | null
  /** Called with the turn of a request once its modal is open. */
  readonly opened: (turn: number) => void
}

/** RainbowKit next to the page, not around it: it is loaded on demand, and the page does not wait for it. */
export function RainbowHost({ facts, modalRequest, opened }: RainbowHostProps) {
  const ready = useWallets(facts)
  const wide = useMedia('(min-width: 768px)')
  const [turningBack, setTurningBack] = useState(false)
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const initialChain = facts.chains.some(({ id }) => id === site.initialChainId)
    ? site.initialChainId
    : undefined
  return (
    <RainbowKitProvider
      appInfo={{ appName: facts.appName }}
      avatar={RosetteAvatar}
      coolMode={!still}
      {...(initialChain && { initialChain })}
      modalSize={wide && !turningBack ? 'wide' : 'compact'}
      locale="en"
      showRecentTransactions
      theme={null}
    >
      <style nonce={nonce}>{themeCss}</style>
      <Opener modalRequest={ready ? modalRequest : null} opened={opened} />
      <RainbowFixes />
      <BackToList setCompact={setTurningBack} />
      <TroubleToast />
    </RainbowKitProvider>
  )
}

const RosetteAvatar: AvatarComponent = ({ address, size }) => <Avatar address={address} size={size} />

/** Maximum time between a modal and the connection it waited for. */
const sameMomentMs = 1000

/** Opens the requested modal, once per request, as soon as possible. */
function Opener({ modalRequest, opened }: Pick<RainbowHostProps, 'modalRequest' | 'opened'>) {
  const { openConnectModal } = useConnectModal()
  const { openAccountModal } = useAccountModal()
  const { openChainModal } = useChainModal()
  const rereadTransactions = useReread()
  const done = useRef(0)
  const openedMs = useRef(0)
  const [connections, setConnections] = useState(0)
  // RainbowKit closes its modals when a wallet connects. A modal opened for that connection is opened again.
  useAccountEffect({
    onConnect() {
      const isOurs =
        modalRequest !== null && modalRequest.view !== 'connect' && modalRequest.turn === done.current
      if (!isOurs || performance.now() - openedMs.current > sameMomentMs) return
      done.current = 0
      setTimeout(setConnections, 0, connections + 1)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection opens the modal again.
  useEffect(() => {
    if (!modalRequest || modalRequest.turn === done.current) return
    const open = { connect: openConnectModal, account: openAccountModal, chain: openChainModal }[
      modalRequest.view
    ]
    if (!open) return
    done.current = modalRequest.turn
    openedMs.current = performance.now()
    rereadTransactions()
    open()
    opened(modalRequest.turn)
  }, [
    modalRequest,
    opened,
    connections,
    openConnectModal,
    openAccountModal,
    openChainModal,
    rereadTransactions,
  ])
  return null
}

/**
 * Makes RainbowKit reload its stored transactions. It does so only once per page and when one is added, so this starts an
 * addition that throws after the reload and before the insert.
 */
function useReread(): () => void {
  const add = useAddRecentTransaction()
  return useCallback(() => {
    const breakOff = {
      hash: `0x${'0'.repeat(64)}`,
      description: '',
      get stop(): never {
        throw new Error('read, and not added')
      },
    }
    try {
      add(breakOff)
    } catch {
      // Expected. Without a connection there is nothing to reload.
    }
  }, [add])
}

/** Registers the listed wallets. In demo and dev there is only the announced one. */
function useWallets(facts: WalletFacts): boolean {
  const config = useConfig()
  const { module: listed } = usePart(listedPart)
  const [ready, setReady] = useState(facts.demo)
  useEffect(() => {
    if (facts.demo || !listed) return
    listed.addListed(config, facts)
    setReady(true)
  }, [config, facts, listed])
  return ready
}

const base = darkTheme({
  accentColor: site.colours.accent,
  accentColorForeground: site.colours.goldTranslucent,
  borderRadius: 'large',
  overlayBlur: 'small',
})

const theme: typeof base = {
  ...base,
  fonts: { body: 'var(--font-ui), system-ui, sans-serif' },
  colors: {
    ...base.colors,
    modalBackground: '#1b1b1e',
    modalBackdrop: 'rgba(8, 8, 10, 0.62)',
    modalBorder: 'rgba(255, 248, 230, 0.09)',
    generalBorder: 'rgba(255, 248, 230, 0.09)',
    generalBorderDim: 'rgba(255, 248, 230, 0.05)',
    menuItemBackground: 'rgba(255, 248, 230, 0.06)',
    profileForeground: '#1b1b1e',
    profileAction: 'rgba(255, 248, 230, 0.06)',
    profileActionHover: 'rgba(255, 248, 230, 0.1)',
    modalText: '#f4f1ea',
    modalTextSecondary: '#aca79d',
    modalTextDim: '#938e85',
    selectedOptionBorder: 'rgba(232, 192, 99, 0.32)',
    connectionIndicator: '#e8c063',
    closeButton: '#aca79d',
    closeButtonBackground: 'rgba(255, 248, 230, 0.08)',
  },
}

/** RainbowKit would add this style without a nonce, which the CSP refuses. */
const themeCss = `[data-rk]{${cssStringFromTheme(theme)}}`
