'use client'

import { useEffect, useState } from 'react'
import { reportError } from '#lib/page/report-error.ts'
import { errorTexts } from '#lib/page/texts/notice.ts'
import { checkVersion } from '#lib/page/version.ts'
import button from './button.module.css'
import { useIsOldVersion } from './new-version.tsx'
import { Notice } from './notice.tsx'

/** The error page: what happened, the next steps, and an id that the log has. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  const [reported, setReported] = useState<string | null>(null)
  // An error with a digest is of the server, which has logged it.
  useEffect(() => setReported(digest === null ? reportError(error) : null), [digest, error])
  const isOld = useIsOldVersion()
  useEffect(() => void checkVersion(), [])
  const id = digest ?? reported
  return (
    <Notice title={errorTexts.title} text={isOld ? errorTexts.oldVersion : errorTexts.text}>
      <title>{errorTexts.title}</title>
      <button type="button" className={button.gold} onClick={() => location.reload()}>
        {errorTexts.reload}
      </button>
      <button type="button" className={button.quiet} onClick={retry}>
        {errorTexts.retry}
      </button>
      {/* A document of its own: nothing of this page's state is carried over. */}
      <a className={button.bare} href="/">
        {errorTexts.home}
      </a>
      {id && (
        <p data-wide data-old-version={isOld || undefined}>
          {errorTexts.reference} <code>{id}</code>
        </p>
      )}
    </Notice>
  )
}
