import {
  useAccountModal,
  useAddRecentTransaction,
  useChainModal,
  useConnectModal,
} from '@rainbow-me/rainbowkit'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Config, useAccountEffect, useConfig } from 'wagmi'
import { switchChain } from 'wagmi/actions'
import { site } from '#site'
import { useBackToClose } from '../../_ui/use-back-to-close.ts'
import type { WalletModalsProps } from '../wallet-types.ts'
import { BackToList } from './back-to-list.tsx'
import { WalletErrors } from './notify-wallet-errors.tsx'
import { RainbowFixes } from './rainbow-fixes.tsx'
import { RainbowProvider } from './rainbow-provider.tsx'

/** RainbowKit's modals, with what it lacks. */
export function WalletModals({ facts, ...request }: WalletModalsProps) {
  const [isCompact, setCompact] = useState(false)
  return (
    <RainbowProvider appName={facts.appName} isCompact={isCompact}>
      <Opener {...request} />
      <RainbowFixes />
      <BackToList setCompact={setCompact} />
      <WalletErrors />
    </RainbowProvider>
  )
}

/** Opens the requested modal, once per request, as soon as possible. */
function Opener({ modalRequest, opened }: Omit<WalletModalsProps, 'facts'>) {
  const { openConnectModal, connectModalOpen } = useConnectModal()
  const { openAccountModal, accountModalOpen } = useAccountModal()
  const { openChainModal, chainModalOpen } = useChainModal()
  const rereadTransactions = useReread()
  const done = useRef(0)
  // RainbowKit closes its modals by Escape alone.
  useBackToClose(connectModalOpen || accountModalOpen || chainModalOpen, () =>
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })),
  )
  const config = useConfig()
  useAccountEffect({
    onConnect({ chain, isReconnected }) {
      // The wallet is connected on its own chain. It is asked to leave that only where it is none of ours.
      if (!chain && !isReconnected)
        void switchChain(config, { chainId: initialChainOf(config) }).catch(() => {})
      // RainbowKit closes its modals when a wallet connects. A returning visitor may have opened one before that.
      const again = accountModalOpen ? openAccountModal : chainModalOpen ? openChainModal : undefined
      if (again) afterListeners(config, again)
    },
  })
  useEffect(() => {
    if (!modalRequest || modalRequest.turn === done.current) return
    const open = { connect: openConnectModal, account: openAccountModal, chain: openChainModal }[
      modalRequest.view
    ]
    if (!open) return
    done.current = modalRequest.turn
    rereadTransactions()
    open()
    opened(modalRequest.turn)
  }, [modalRequest, opened, openConnectModal, openAccountModal, openChainModal, rereadTransactions])
  return null
}

/**
 * Calls once all who hear of the present change have heard of it, and before React renders any of it: who subscribes while they are
 * called is called last.
 */
function afterListeners(config: Config, call: () => void): void {
  const stop = config.subscribe(
    (state) => state,
    () => {
      stop()
      call()
    },
    { equalityFn: () => false },
  )
}

function initialChainOf({ chains }: Config): number {
  return chains.some(({ id }) => id === site.initialChainId) ? site.initialChainId : chains[0].id
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
