import { type Mutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import type { Connector } from 'wagmi'
import { listedId } from '#lib/wallet/listed-id.ts'

/**
 * Returns from the page of a wallet to the list when the wallet declined or failed. RainbowKit would stay there and keep
 * saying that it opens the wallet. It has a back button only in its compact size.
 */
export function BackToList({ setCompact }: { setCompact: (compact: boolean) => void }) {
  const mutations = useQueryClient().getMutationCache()
  useEffect(
    () =>
      mutations.subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        // After several attempts, the page belongs to the last wallet.
        const last = mutations.findAll({ mutationKey: ['connect'] }).at(-1)
        if (last !== event.mutation) return
        flushSync(() => setCompact(true))
        wayBack()?.click()
        flushSync(() => setCompact(false))
        optionOf(connectorOf(last))?.focus()
      }),
    [mutations, setCompact],
  )
  return null
}

/** On the page of a wallet the first button goes back. The list has no such button. */
function wayBack(): HTMLElement | null {
  const window = document.querySelector('[data-rk][role="dialog"]')
  return window?.querySelector('[data-testid^="rk-wallet-option-"]')
    ? null
    : (window?.querySelector('button') ?? null)
}

export function connectorOf({ state }: Mutation<unknown, Error, unknown>): Connector | undefined {
  return ((state.variables ?? {}) as { connector?: Connector }).connector
}

/** The wallet's row in the list, while that is shown. */
export function optionOf(connector: Connector | undefined): HTMLElement | null {
  return connector
    ? document.querySelector(`[data-testid="rk-wallet-option-${CSS.escape(listedId(connector))}"]`)
    : null
}
