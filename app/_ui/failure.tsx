'use client'

import { errorTexts } from '#lib/page/texts/notice.ts'
import button from './button.module.css'
import { Notice } from './notice.tsx'

/** The error page: what failed, a next step, and a reference for the logs. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  return (
    <Notice title={errorTexts.title} text={errorTexts.text}>
      <button type="button" className={button.gold} onClick={retry}>
        {errorTexts.retry}
      </button>
      {digest && (
        <code>
          {errorTexts.reference} {digest}
        </code>
      )}
    </Notice>
  )
}
