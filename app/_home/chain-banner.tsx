'use client'

import { Suspense, use } from 'react'
import type { ChainFacts } from '#lib/chains.ts'
import type { ChainHealth, Healths } from '#lib/page/healths.ts'
import type { Soon } from '#lib/page/soon.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import styles from './chain-banner.module.css'

export interface ChainBannerProps {
  readonly chains: readonly ChainFacts[]
  readonly healths: Soon<Healths>
}

/** Shows which chains are degraded or down. It floats over the page to avoid layout shifts. */
export function ChainBanner({ chains, healths }: ChainBannerProps) {
  return (
    <div className={styles.place} role="status">
      {'now' in healths ? (
        <Words chains={chains} healths={healths.now} />
      ) : (
        <Suspense>
          <Later chains={chains} healths={healths.later} />
        </Suspense>
      )}
    </div>
  )
}

function Later({ chains, healths }: { chains: readonly ChainFacts[]; healths: Promise<Healths> }) {
  return <Words chains={chains} healths={use(healths)} />
}

function Words({ chains, healths }: { chains: readonly ChainFacts[]; healths: Healths }) {
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
