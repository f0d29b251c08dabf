'use client'

import {
  useAccountModal,
  useAddRecentTransaction,
  useChainModal,
  useConnectModal,
} from '@rainbow-me/rainbowkit'
import { catchError } from 'next/error'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useAccountEffect, useConfig } from 'wagmi'
import { useCode } from '../_ui/lazy-code.ts'
import { BackToList } from './back-to-list.tsx'
import { listedCode } from './listed-code.ts'
import { RainbowFixes } from './rainbow-fixes.tsx'
import { RainbowProvider } from './rainbow-provider.tsx'
import { WalletErrorToast } from './wallet-error-toast.tsx'
import type { ModalRequest, WalletFacts } from './wallet-types.ts'

export interface RainbowHostProps {
  readonly facts: WalletFacts
  readonly modalRequest: ModalRequest | null
  /** Called with the turn of a request once its modal is open. */
  readonly opened: (turn: number) => void
  /** Called with a function that starts the modals again when they have failed, and with null once it was used. */
  readonly onFailure: (restart: (() => void) | null) => void
}

/**
 * RainbowKit next to the page, not around it: it is loaded on demand, and the page does not wait for it. The page stands without
 * it, whatever an extension or a library does there.
 */
export function RainbowHost(props: RainbowHostProps) {
  return (
    <Boundary onFailure={props.onFailure}>
      <Modals {...props} />
    </Boundary>
  )
}

type BoundaryProps = Pick<RainbowHostProps, 'onFailure'>

const Boundary = catchError((props: BoundaryProps, { reset }) => <Failed {...props} restart={reset} />)

function Failed({ onFailure, restart }: BoundaryProps & { readonly restart: () => void }) {
  useEffect(() => {
    onFailure(restart)
    return () => onFailure(null)
  }, [onFailure, restart])
  return null
}

function Modals({ facts, modalRequest, opened }: RainbowHostProps) {
  const ready = useWallets(facts)
  const [isCompact, setCompact] = useState(false)
  return (
    <RainbowProvider facts={facts} isCompact={isCompact}>
      <Opener modalRequest={ready ? modalRequest : null} opened={opened} />
      <RainbowFixes />
      <BackToList setCompact={setCompact} />
      <WalletErrorToast />
    </RainbowProvider>
  )
}

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
  const { module: listed } = useCode(listedCode, { isWanted: false })
  const [ready, setReady] = useState(facts.demo)
  useEffect(() => {
    if (facts.demo || !listed) return
    listed.addListed(config, facts)
    setReady(true)
  }, [config, facts, listed])
  return ready
}
