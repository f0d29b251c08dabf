import { useEffect, useState } from 'react'
import { errorTexts, notFoundTexts } from '#lib/page/texts/notice.ts'
import { shellTexts } from '#lib/page/texts/shell.ts'
import button from './button.module.css'
import styles from './failure.module.css'
import { useIsOldVersion } from './new-version.tsx'
import { Notice } from './notice.tsx'

/** The error page: what happened, the next steps, and an id that the log has. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  // An error with a digest is of the server, which has logged it.
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  const [reported, setReported] = useState<string | null>(null)
  useEffect(() => {
    if (digest === null)
      import('#lib/page/report-error.ts').then(
        ({ reportError }) => setReported(reportError(error)),
        // Without a network there is no report either.
        () => {},
      )
  }, [digest, error])
  const id = digest ?? reported
  return (
    <Notice title={errorTexts.title} text={errorTexts.text}>
      <title>{errorTexts.title}</title>
      <button type="button" className={button.primary} onClick={() => location.reload()}>
        {errorTexts.reload}
      </button>
      <button type="button" className={button.quiet} onClick={retry}>
        {shellTexts.retry}
      </button>
      {/* A document of its own: nothing of this page's state is carried over. */}
      <a className={button.bare} href="/">
        {notFoundTexts.back}
      </a>
      {id && (
        <p data-wide>
          <span>{errorTexts.reference}</span> <code translate="no">{id}</code>
        </p>
      )}
    </Notice>
  )
}

/** Shows that a part of the page failed to load, with a retry. A part of an older build never loads: a reload is offered instead. */
export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const isOld = useIsOldVersion()
  return (
    <p className={styles.failed} role="alert" data-old-version={isOld || undefined}>
      <span>{isOld ? errorTexts.newVersion : text}</span>{' '}
      <button type="button" onClick={isOld ? () => location.reload() : onRetry}>
        {isOld ? errorTexts.reload : shellTexts.retry}
      </button>
    </p>
  )
}
