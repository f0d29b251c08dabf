'use client'

import { shellTexts } from '#lib/page/texts/shell.ts'
import styles from './load-failed.module.css'

/** Shows that a part of the page failed to load, with a retry. */
export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <p className={styles.failed} role="alert">
      {text}{' '}
      <button type="button" onClick={onRetry}>
        {shellTexts.retry}
      </button>
    </p>
  )
}
