import { useState } from 'react'
import type { Figures } from '#lib/page/format.ts'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import { isSpedUp, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { BusyButton } from '../_ui/busy-button.tsx'
import { QuorumRing } from '../_ui/quorum-ring.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { describeDifference } from './describe-difference.ts'
import { HashLine } from './hash-line.tsx'
import { useTransactions } from './own-transactions.ts'
import { StatusSign } from './status-sign.tsx'
import styles from './tracker.module.css'

export interface TrackerProps {
  readonly titleId: string
  readonly hash: string
  /** The step that follows, and why it could not be planned; null when there is none. */
  readonly next: { readonly step: number; readonly error: string | undefined } | null
  readonly onNext: () => Promise<void>
  readonly onDone: () => void
}

/** A pending transaction: its confirmations as votes around a ring, until it is settled. */
export function Tracker({ titleId, hash, next, onNext, onDone }: TrackerProps) {
  const { chains, figures } = useWallet()
  const record = useTransactions().find((candidate) => candidate.hash === hash)
  if (!record) return null
  const { status, seen, confirmations, description, sentAs } = record
  const hasNext = status === 'confirmed' && next !== null
  const chain = chains.find(({ id }) => id === record.chainId)
  const difference =
    chain && describeDifference(record, { figures, coin: chain.currency, address: (address) => address })
  const ring = { agreed: Math.min(seen, confirmations), needed: confirmations, total: confirmations }
  return (
    <div className={styles.tracker} data-status={status}>
      <div className={styles.ring}>
        <QuorumRing quorum={ring} size={132} stroke={6} />
        <span className={styles.sign}>
          <StatusSign status={status} size={44} />
        </span>
      </div>
      <div role="status" className={styles.words}>
        <h2 id={titleId} tabIndex={-1} data-first-focus>
          {difference?.title ?? headingOf(record)}
        </h2>
        {!difference && (
          <p>
            <Worded text={description} />
          </p>
        )}
        <p className={styles.detail}>
          <Worded text={difference?.text ?? detailOf(record, figures)} />
        </p>
        {difference && (
          <dl className={styles.difference}>
            {difference.rows.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <Worded text={value} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {sentAs !== null && (
        <div className={styles.hash}>
          <span>{sendTexts.hash}</span>
          <HashLine hash={record.replacedBy?.hash ?? sentAs ?? hash} explorer={chain?.explorer} />
        </div>
      )}
      {hasNext && <Next {...next} onNext={onNext} />}
      <button type="button" className={hasNext ? styles.later : styles.done} onClick={onDone}>
        {status === 'pending' ? sendTexts.close : sendTexts.done}
      </button>
      {status === 'pending' && <p className={styles.detail}>{sendTexts.mayClose}</p>}
    </div>
  )
}

/** The step to the transaction that follows. */
function Next({ step, error, onNext }: NonNullable<TrackerProps['next']> & Pick<TrackerProps, 'onNext'>) {
  const [busy, setBusy] = useState(false)
  async function go() {
    setBusy(true)
    await onNext()
    setBusy(false)
  }
  return (
    <>
      <p role="alert" className={styles.detail}>
        {!busy && error}
      </p>
      <BusyButton busy={busy && sendTexts.reading} onClick={() => void go()}>
        <Worded text={sendTexts.batch.next(step)} />
      </BusyButton>
    </>
  )
}

function detailOf(record: TransactionRecord, figures: Figures): string | null {
  const { status, seen, confirmations, block, sentAs, isThin, batchId, since } = record
  if (status === 'confirmed')
    return block === null
      ? null
      : `${sendTexts.confirmedText(figures.block(block))}${isSpedUp(record) ? ` ${sendTexts.spedUpText}` : ''}`
  if (status === 'failed') return sendTexts.failedText
  if (status === 'replaced')
    return record.replacedBy?.isCancel ? sendTexts.cancelledText : sendTexts.replacedText
  if (status === 'untracked') return sendTexts.untrackedText
  if (status === 'different') return null
  if (isThin) return sendTexts.notConfirmable
  if (sentAs === null) return batchId && since ? sendTexts.batch.waiting : sendTexts.waitingForOwners
  return block === null ? sendTexts.waitingForBlock : sendTexts.deep(seen, confirmations)
}

function headingOf({ status, sentAs, replacedBy }: TransactionRecord): string {
  if (replacedBy?.isCancel) return sendTexts.cancelled
  if (status === 'unanswered' || status === 'pending')
    return sentAs === null ? sendTexts.handedOver : sendTexts.sent
  return activityTexts[status]
}
