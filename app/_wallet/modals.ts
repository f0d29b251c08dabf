'use client'

import { useAccount } from 'wagmi'
import { useWallet } from './wallet.ts'
import type { ModalRequest } from './wallet-types.ts'

/**
 * Opens the list of wallets. As RainbowKit's hook of this name: `openConnectModal` is undefined while a wallet is connected.
 * Works on every page: RainbowKit's code is loaded when it is called.
 */
export function useConnectModal(): { readonly openConnectModal: (() => void) | undefined } {
  const { isConnected } = useAccount()
  return { openConnectModal: useOpen('connect', !isConnected) }
}

/** Opens the account of the connected wallet. As RainbowKit's hook: undefined while none is connected. */
export function useAccountModal(): { readonly openAccountModal: (() => void) | undefined } {
  const { isConnected } = useAccount()
  return { openAccountModal: useOpen('account', isConnected) }
}

/** Opens the list of networks. As RainbowKit's hook: undefined while no wallet is connected. */
export function useChainModal(): { readonly openChainModal: (() => void) | undefined } {
  const { isConnected } = useAccount()
  return { openChainModal: useOpen('chain', isConnected) }
}

function useOpen(view: ModalRequest['view'], isAvailable: boolean): (() => void) | undefined {
  const { open } = useWallet()
  return isAvailable ? () => open(view) : undefined
}
