import type { TransactionStatus } from '#lib/wallet/stored-transactions.ts'
import styles from './status-sign.module.css'

/** The state of a transaction as an icon. Each state has its own shape, so colour is not the only sign. */
export function StatusSign({ status, size }: { status: TransactionStatus; size: number }) {
  return (
    <svg
      className={styles.sign}
      data-status={status}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      aria-hidden="true"
    >
      {status === 'unanswered' && <path d="M9 9.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.8M12 17.5v.1" />}
      {status === 'pending' && <path d="M12 4v8l5 3" />}
      {status === 'confirmed' && <path d="m5 12.5 4.5 4.5L19 7" />}
      {status === 'failed' && <path d="M6.5 6.5 17.5 17.5M17.5 6.5 6.5 17.5" />}
      {status === 'different' && <path d="M5 9h14M5 15h14M16.5 4.5l-9 15" />}
      {status === 'untracked' && <path d="M6 12h12" />}
      {status === 'replaced' && <path d="M5 9h12l-3.5-3.5M19 15H7l3.5 3.5" />}
    </svg>
  )
}
