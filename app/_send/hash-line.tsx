import { formatHash } from '#lib/page/format.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import styles from './hash-line.module.css'

/** A shortened transaction hash, with a copy button and an explorer link if the chain has an explorer. */
export function HashLine({ hash, explorer }: { hash: string; explorer: string | null | undefined }) {
  return (
    <span className={styles.line} translate="no">
      {explorer ? (
        <a
          href={`${explorer}/tx/${hash}`}
          target="_blank"
          rel="noreferrer"
          aria-label={`${sendTexts.explorer}: ${formatHash(hash)}`}
        >
          {formatHash(hash)}
        </a>
      ) : (
        formatHash(hash)
      )}
      <CopyButton text={hash} label={sendTexts.copyHash} />
    </span>
  )
}
