import styles from './logo.module.css'

/** The logo: a ring of votes with one dissent. The last vote is the tail of a Q. */
export function Logo({ name }: { name: string }) {
  return (
    <span className={styles.logo}>
      <svg viewBox="0 0 32 32" width="30" height="30" fill="none" aria-hidden="true">
        <circle
          cx="16"
          cy="15"
          r="11"
          stroke="var(--gold)"
          strokeWidth="4.5"
          pathLength="60"
          strokeDasharray="17 3 17 3 17 3"
        />
        <circle
          cx="16"
          cy="15"
          r="11"
          stroke="var(--gold-dim)"
          strokeWidth="4.5"
          pathLength="60"
          strokeDasharray="17 43"
          strokeDashoffset="-40"
        />
        <path d="m20.5 20 6.5 7.5" stroke="var(--gold-bright)" strokeWidth="4.5" strokeLinecap="round" />
      </svg>
      <span className={styles.name}>{name}</span>
    </span>
  )
}
