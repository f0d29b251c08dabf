import type { ChainHealth } from '#lib/page/health-query.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import styles from './health-sign.module.css'

/** The health of a chain as a word and an icon. */
export function Health({ health, why }: { health: ChainHealth; why: string | null }) {
  return (
    <p className={styles.health} data-health={health}>
      <Sign health={health} size={10} />
      <span>{statusTexts.chain[health]}</span>
      {why && <span>{why}</span>}
    </p>
  )
}

/** The health of a chain as a shape, so that colour is not the only sign. */
export function Sign({ health, size }: { health: ChainHealth; size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 10 10" fill="currentColor" aria-hidden="true">
      {health === 'ok' && <circle cx="5" cy="5" r="4" />}
      {health === 'unknown' && (
        <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.4" />
      )}
      {(health === 'degraded' || health === 'down') && <path d="M5 .8 9.6 9.2H.4z" />}
    </svg>
  )
}
