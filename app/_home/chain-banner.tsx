'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { fetchHealth, healthQuery } from '#lib/page/health-query.ts'
import type { ChainHealth } from '#lib/page/healths.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './chain-banner.module.css'

/** Shows which chains are degraded or down. It floats over the page to avoid layout shifts. */
export function ChainBanner() {
  return (
    <div className={styles.place} role="status">
      <Suspense>
        <Words />
      </Suspense>
    </div>
  )
}

function Words() {
  const { chains, gateway } = useWallet()
  const { data: healths } = useSuspenseQuery(healthQuery(fetchHealth(gateway)))
  const named = (health: ChainHealth) =>
    chains
      .filter(({ id }) => healths[id] === health)
      .map(({ name }) => name)
      .join(', ')
  const down = named('down')
  const degraded = named('degraded')
  if (!down && !degraded) return null
  return (
    <p className={styles.banner} data-down={down !== ''}>
      <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        <path d="M8 1.5 15.5 14.5H.5zM7.2 6v4.2h1.6V6zm0 5.4V13h1.6v-1.6z" fillRule="evenodd" />
      </svg>
      <span>{down ? chainTexts.down(down) : chainTexts.degraded(degraded)}</span>
    </p>
  )
}
