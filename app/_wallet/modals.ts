'use client'

import { useAccount } from 'wagmi'
import { useWallet } from './wallet.ts'
import type { ModalRequest } from './wallet-types.ts'

/**
 * Opens the list of wallets. As RainbowKit's hook of this name: `openConnectModal` is undefined while a wallet is connected.
 * Works on every page: RainbowKit's code is loaded when it is called.
 */
export function useConnectModal(): { readonly openConnectModal: (() => void) | undefined } {
  return { openConnectModal: useOpen('connect') }
}

/** Opens the account of the connected wallet. As RainbowKit's hook: undefined while none is connected. */
export function useAccountModal(): { readonly openAccountModal: (() => void) | undefined } {
  return { openAccountModal: useOpen('account') }
}

/** Opens the list of networks. As RainbowKit's hook: undefined while no wallet is connected. */
export function useChainModal(): { readonly openChainModal: (() => void) | undefined } {
  return { openChainModal: useOpen('chain') }
}

function useOpen(view: ModalRequest['view']): (() => void) | undefined {
  const { open } = useWallet()
  const { isConnected } = useAccount()
  return isConnected === (view !== 'connect') ? () => open(view) : undefined
}
