import { shellTexts } from '#lib/page/texts/shell.ts'
import { versionTexts } from '#lib/page/texts/version.ts'
import styles from './load-failed.module.css'
import { useIsOldVersion } from './new-version.tsx'

/** Shows that a part of the page failed to load, with a retry. A part of an older build never loads: a reload is offered instead. */
export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const isOld = useIsOldVersion()
  return (
    <p className={styles.failed} role="alert" data-old-version={isOld || undefined}>
      <span>{isOld ? versionTexts.text : text}</span>{' '}
      <button type="button" onClick={isOld ? () => location.reload() : onRetry}>
        {isOld ? versionTexts.reload : shellTexts.retry}
      </button>
    </p>
  )
}
