'use client'

import type { Card } from '#lib/page/shown.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import styles from './chain-banner.module.css'

/** Says which chains are unwell. It floats over the page, so a chain falling ill moves nothing. */
export function ChainBanner({ cards }: { cards: readonly Card[] }) {
  const named = (health: Card['health']) =>
    cards
      .filter((card) => card.health === health)
      .map(({ chain }) => chain.name)
      .join(', ')
  const down = named('down')
  const degraded = named('degraded')
  return (
    <div className={styles.place} role="status">
      {(down || degraded) && (
        <p className={styles.banner} data-down={down !== ''}>
          <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
            <path d="M8 1.5 15.5 14.5H.5zM7.2 6v4.2h1.6V6zm0 5.4V13h1.6v-1.6z" fillRule="evenodd" />
          </svg>
          <span>{down ? chainTexts.down(down) : chainTexts.degraded(degraded)}</span>
        </p>
      )}
    </div>
  )
}
