'use client'

import { useEffect, useState } from 'react'
import { accountTexts } from '#lib/page/texts/account.ts'
import styles from './copy-button.module.css'

const copiedMs = 1500

/** Copies the text and says so for a second and a half. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [copied])

  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
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
        {copied ? (
          <path d="m3.5 9.5 3.5 3.5 7.5-8" strokeLinecap="round" strokeLinejoin="round" />
        ) : (
          <path d="M6.5 6.5V4.6c0-.9.7-1.6 1.6-1.6h5.3c.9 0 1.6.7 1.6 1.6v5.3c0 .9-.7 1.6-1.6 1.6h-1.9M4.6 6.5h5.3c.9 0 1.6.7 1.6 1.6v5.3c0 .9-.7 1.6-1.6 1.6H4.6c-.9 0-1.6-.7-1.6-1.6V8.1c0-.9.7-1.6 1.6-1.6Z" />
        )}
      </svg>
      <span className={styles.said} role="status">
        {copied && accountTexts.copied}
      </span>
    </button>
  )
}
