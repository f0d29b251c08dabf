import { useChainModal, useConnectModal } from '@rainbow-me/rainbowkit'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type Connector, useAccount, useConfig } from 'wagmi'
import { getAccount } from 'wagmi/actions'
import { notify } from '#lib/page/notify.ts'
import { shellTexts } from '#lib/page/texts/shell.ts'
import { walletErrorTexts } from '#lib/page/texts/wallet-error.ts'
import { walletErrorRows } from '#lib/wallet/wallet-error-table.ts'
import { walletErrorOf } from '#lib/wallet/wallet-errors.ts'
import { connectorOf, optionOf } from './back-to-list.tsx'

/** wagmi mutations by RainbowKit, which does not show their failures. */
type Operation = keyof typeof walletErrorTexts.titles

interface WalletError {
  readonly operation: Operation
  readonly sentence: string
  /** Of a connection that failed. */
  readonly connector: Connector | undefined
  /** The wallet's chain at that time. A switch may succeed after all, inside the wallet. */
  readonly chainId: number | undefined
}

/**
 * Shows why a connection or a network switch failed, above the RainbowKit modals, and warns when a wallet cannot switch. It
 * stays until it is closed or the visitor tries again. A rejection by the visitor is no failure.
 */
export function WalletErrors() {
  const mutations = useQueryClient().getMutationCache()
  const config = useConfig()
  const [last, setWalletError] = useState<WalletError | null>(null)
  const { chainModalOpen, openChainModal } = useChainModal()
  const { openConnectModal } = useConnectModal()
  const { connector, chainId } = useAccount()
  const isOver = last?.operation === 'switchChain' ? last.chainId !== chainId : connector !== undefined
  const walletError = isOver ? null : last
  // By RainbowKit's own row: it shows the wallet's page, its code included.
  const again =
    walletError?.operation === 'connect'
      ? openConnectModal &&
        (() => {
          const option = optionOf(walletError.connector)
          if (option) option.click()
          else openConnectModal()
        })
      : openChainModal
  const hint =
    chainModalOpen && connector && !connector.switchChain ? walletErrorRows['cannot-switch'].sentence : null
  useEffect(
    () =>
      mutations.subscribe((event) => {
        const operation = event.type === 'updated' && operationOf(event.mutation.options.mutationKey?.[0])
        if (!operation) return
        if (event.action.type === 'pending') setWalletError(null)
        if (event.action.type !== 'error') return
        const { kind, sentence } = walletErrorOf(event.action.error)
        if (kind !== 'rejected')
          setWalletError({
            operation,
            sentence,
            connector: connectorOf(event.mutation),
            chainId: getAccount(config).chainId,
          })
      }),
    [mutations, config],
  )

  // The code of a pairing has come late.
  useEffect(() => {
    const emitter = last?.connector?.emitter
    const hear = ({ type }: { readonly type: string }) => type === 'display_uri' && setWalletError(null)
    emitter?.on('message', hear)
    return () => emitter?.off('message', hear)
  }, [last])

  const tryAgain = useEffectEvent(() => again?.())
  const text = walletError?.sentence ?? hint
  const title = walletError && walletErrorTexts.titles[walletError.operation]
  const canTryAgain = title !== null && again !== undefined
  useEffect(() => {
    if (!text) return
    return notify(text, {
      isError: true,
      title: title ?? undefined,
      action: canTryAgain ? { text: shellTexts.retry, run: () => tryAgain() } : undefined,
      onClose: () => setWalletError(null),
    })
  }, [text, title, canTryAgain])
  return null
}

function operationOf(name: unknown): Operation | null {
  return name === 'connect' || name === 'switchChain' ? name : null
}
