'use client'

import { formatBlock } from '#lib/page/format.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import type { TransactionStatus } from '#lib/wallet/transactions.ts'
import { QuorumRing } from '../../_ui/quorum-ring.tsx'
import { useWallet } from '../../_wallet/wallet.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import { StatusSign } from './status-sign.tsx'
import { useTransactions } from './store.ts'
import styles from './tracker.module.css'

/** A sent transaction on its way: its confirmations as votes around a ring, until it is settled. */
export function Tracker({ hash, onDone }: { hash: string; onDone: () => void }) {
  const { chains } = useWallet()
  const record = useTransactions().find((candidate) => candidate.hash === hash)
  if (!record) return null
  const { status, seen, confirmations, block, description, sentAs } = record
  const isWithOwners = status === 'pending' && sentAs === null
  const explorer = chains.find(({ id }) => id === record.chainId)?.explorer
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
        <h3>{headingOf(status, isWithOwners)}</h3>
        <p>{description}</p>
        <p className={styles.detail}>
          {isWithOwners && sendTexts.waitingForOwners}
          {status === 'pending' &&
            !isWithOwners &&
            (block === null ? sendTexts.waitingForBlock : sendTexts.deep(seen, confirmations))}
          {status === 'confirmed' && block !== null && sendTexts.confirmedText(formatBlock(block))}
          {status === 'failed' && sendTexts.failedText}
          {status === 'replaced' && sendTexts.replacedText}
        </p>
      </div>
      {sentAs !== null && <HashLine hash={sentAs ?? hash} explorer={explorer} />}
      <button type="button" className={styles.done} onClick={onDone}>
        {status === 'pending' ? sendTexts.close : sendTexts.done}
      </button>
      {status === 'pending' && <p className={styles.detail}>{sendTexts.mayClose}</p>}
    </div>
  )
}

function headingOf(status: TransactionStatus, isWithOwners: boolean): string {
  if (status !== 'pending') return sendTexts[status]
  return isWithOwners ? sendTexts.handedOver : sendTexts.sent
}

function HashLine({ hash, explorer }: { hash: string; explorer: string | null | undefined }) {
  return (
    <p className={styles.hash}>
      <span>{sendTexts.hash}</span>
      <code>
        {hash.slice(0, 10)}…{hash.slice(-8)}
      </code>
      <CopyButton text={hash} label={sendTexts.copyHash} />
      {explorer && (
        <a href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer">
          {sendTexts.explorer}
        </a>
      )}
    </p>
  )
}
