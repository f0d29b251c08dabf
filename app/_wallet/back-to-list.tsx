'use client'

import { type Mutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import type { Connector } from 'wagmi'
import { listedId } from '#lib/wallet/listed-id.ts'

/**
 * Leads from a wallet's page back to the list when the wallet declined or failed: RainbowKit stays there and goes on
 * saying that it opens the wallet. Its way back is a button of its compact size alone.
 */
export function BackToList({ setCompact }: { setCompact: (compact: boolean) => void }) {
  const mutations = useQueryClient().getMutationCache()
  useEffect(
    () =>
      mutations.subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        // Of several wallets that were tried, the page is the last one's.
        const last = mutations.findAll({ mutationKey: ['connect'] }).at(-1)
        if (last !== event.mutation) return
        flushSync(() => setCompact(true))
        wayBack()?.click()
        flushSync(() => setCompact(false))
        optionOf(last)?.focus()
      }),
    [mutations, setCompact],
  )
  return null
}

/** On a wallet's page the first button leads back; in the list there is no such page. */
function wayBack(): HTMLElement | null {
  const window = document.querySelector('[data-rk][role="dialog"]')
  return window?.querySelector('[data-testid^="rk-wallet-option-"]')
    ? null
    : (window?.querySelector('button') ?? null)
}

function optionOf({ state }: Mutation<unknown, Error, unknown>): HTMLElement | null {
  const { connector } = (state.variables ?? {}) as { connector?: Connector }
  return connector
    ? document.querySelector(`[data-testid="rk-wallet-option-${CSS.escape(listedId(connector))}"]`)
    : null
}
