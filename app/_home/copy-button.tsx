'use client'

import { useEffect, useState } from 'react'
import { copyText } from '#lib/page/clipboard.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import styles from './copy-button.module.css'

const copiedMs = 1500

/** Copies the text and confirms it for 1.5 seconds. A failure is shown until the button loses focus. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [confirmation, setConfirmation] = useState<'copied' | 'notCopied' | null>(null)
  useEffect(() => {
    if (confirmation !== 'copied') return
    const timer = setTimeout(() => setConfirmation(null), copiedMs)
    return () => clearTimeout(timer)
  }, [confirmation])

  return (
    <span className={styles.place}>
      <button
        type="button"
        className={styles.copy}
        aria-label={label}
        onBlur={() => setConfirmation(null)}
        onClick={() => void copyText(text).then((copied) => setConfirmation(copied ? 'copied' : 'notCopied'))}
      >
        <svg
          width="18"
          height="18"
          viewBox="0 0 18 18"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          aria-hidden="true"
        >
          {confirmation === 'copied' ? (
            <path d="m3.5 9.5 3.5 3.5 7.5-8" strokeLinecap="round" strokeLinejoin="round" />
          ) : (
            <path d="M6.5 6.5V4.6c0-.9.7-1.6 1.6-1.6h5.3c.9 0 1.6.7 1.6 1.6v5.3c0 .9-.7 1.6-1.6 1.6h-1.9M4.6 6.5h5.3c.9 0 1.6.7 1.6 1.6v5.3c0 .9-.7 1.6-1.6 1.6H4.6c-.9 0-1.6-.7-1.6-1.6V8.1c0-.9.7-1.6 1.6-1.6Z" />
          )}
        </svg>
      </button>
      <span className={styles.confirmation} data-confirmation={confirmation} role="status">
        {confirmation && accountTexts[confirmation]}
      </span>
    </span>
  )
}
