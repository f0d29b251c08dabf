'use client'

import { shellLinesOf } from '#lib/certificate/shell-lines.ts'
import { evidenceCheckTexts } from '#lib/page/texts/evidence.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import button from '../_ui/button.module.css'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { LoadFailed } from '../_ui/load-failed.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './evidence-checks.module.css'
import type { Question } from './own-node-answer.tsx'

interface OwnNodeProps extends Question {
  readonly chainName: string
  /** The one that the form of this page named. */
  readonly node: string | null
}

/** What asks and compares: most visitors ask no node. */
const answerCode = lazyCode('own-node', () => import('./own-node-answer.tsx'))

/** Asks a node that has no part in the answer: by a shell, through the visitor's wallet, or by its address. */
export function OwnNode({ chainName, node, ...question }: OwnNodeProps) {
  const { known, ownCall } = question
  const { phase } = useWallet()
  const isWanted = node !== null || phase === 'connected'
  const { module, isFailed, load } = useCode(answerCode, { isWanted })
  return (
    <section className={styles.section}>
      <h2>{evidenceCheckTexts.own}</h2>
      <p>{evidenceCheckTexts.ownStory}</p>
      {shellLinesOf(ownCall).map(([name, line]) => (
        <p key={name} className={styles.line}>
          <code>{line}</code>
          <CopyButton text={line} label={evidenceCheckTexts.copyLine(name)} />
        </p>
      ))}
      {isFailed && <LoadFailed text={evidenceCheckTexts.compareFailed} onRetry={load} />}
      {module && <module.ViaWallet {...question} chainName={chainName} />}
      <form className={styles.form} method="get">
        {known && (
          <>
            <input type="hidden" name="method" value={known.method} />
            <input type="hidden" name="params" value={JSON.stringify(known.params)} />
            {known.result !== undefined && (
              <input type="hidden" name="result" value={JSON.stringify(known.result)} />
            )}
          </>
        )}
        <label>
          {evidenceCheckTexts.viaUrl}
          <input
            name="node"
            type="url"
            required
            defaultValue={node ?? ''}
            placeholder={evidenceCheckTexts.viaUrlExample}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit" className={button.quiet}>
          {evidenceCheckTexts.viaUrlAction}
        </button>
        <p>{evidenceCheckTexts.viaUrlStory}</p>
      </form>
      {node !== null && module && <module.ViaUrl {...question} url={node} />}
    </section>
  )
}
