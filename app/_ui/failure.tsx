'use client'

import { errorTexts } from '#lib/page/texts/notice.ts'
import button from './button.module.css'
import { Notice } from './notice.tsx'

/** What a visitor sees when a page broke: what did not happen, a way on, and a reference for whoever reads the logs. */
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
