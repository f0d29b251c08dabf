'use client'

import { sendTexts } from '#lib/page/texts/send.ts'
import type { TransactionStatus } from '#lib/wallet/transactions.ts'
import { QuorumRing } from '../../_ui/quorum-ring.tsx'
import { useWallet } from '../../_wallet/wallet.ts'
import { HashLine } from './hash-line.tsx'
import { StatusSign } from './status-sign.tsx'
import { useTransactions } from './store.ts'
import styles from './tracker.module.css'

/** A pending transaction: its confirmations as votes around a ring, until it is settled. */
export function Tracker({ titleId, hash, onDone }: { titleId: string; hash: string; onDone: () => void }) {
  const { chains, figures } = useWallet()
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
        <h2 id={titleId} tabIndex={-1} data-first-focus>
          {headingOf(status, isWithOwners)}
        </h2>
        <p>{description}</p>
        <p className={styles.detail}>
          {isWithOwners && sendTexts.waitingForOwners}
          {status === 'pending' &&
            !isWithOwners &&
            (block === null ? sendTexts.waitingForBlock : sendTexts.deep(seen, confirmations))}
          {status === 'confirmed' && block !== null && sendTexts.confirmedText(figures.block(block))}
          {status === 'failed' && sendTexts.failedText}
          {status === 'replaced' && sendTexts.replacedText}
          {status === 'untracked' && sendTexts.untrackedText}
        </p>
      </div>
      {sentAs !== null && (
        <div className={styles.hash}>
          <span>{sendTexts.hash}</span>
          <HashLine hash={sentAs ?? hash} explorer={explorer} />
        </div>
      )}
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
