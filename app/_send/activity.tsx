import { useEffect, useRef, useState } from 'react'
import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { formatAddress, formatHash } from '#lib/page/format.ts'
import { activityTexts } from '#lib/page/texts/activity.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import type { Included } from '#lib/wallet/included.ts'
import { hasReceipt, isSpedUp, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import button from '../_ui/button.module.css'
import { ChainMark } from '../_ui/chain-mark.tsx'
import { WhyLink } from '../_ui/why-link.tsx'
import { Worded } from '../_ui/worded.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './activity.module.css'
import { ActivityActions } from './activity-actions.tsx'
import { formatTokens } from './describe.ts'
import { describeDifference, describeSentSince } from './describe-difference.ts'
import { HashLine } from './hash-line.tsx'
import { transactions, useTransactions } from './own-transactions.ts'
import { StatusSign } from './status-sign.tsx'
import { useFollow } from './use-follow.ts'

const firstRows = 3
/** After this time the owner may remove a transaction that is in no block. */
const patienceMs = 60_000

/** Transactions sent from this browser with this account. Pending ones are followed in every tab that shows them. */
export default function Activity({ address }: { address: `0x${string}` }) {
  const { chains } = useWallet()
  const [all, setAll] = useState(false)
  const lastAction = useRef<HTMLButtonElement>(null)
  const mine = useTransactions().filter(({ from }) => from === address)
  useFollow()

  return (
    <>
      <ActivityActions key={address} address={address} records={mine} last={lastAction} />
      {mine.length === 0 ? (
        <p className={styles.none}>
          <strong>{activityTexts.none}</strong>
          <span>{activityTexts.noneText}</span>
        </p>
      ) : (
        <ul className={styles.list}>
          {mine.slice(0, all ? undefined : firstRows).map((record) => {
            const chain = chains.find(({ id }) => id === record.chainId)
            return (
              <Item
                key={record.hash}
                record={record}
                chain={chain}
                onGone={() => lastAction.current?.focus()}
              />
            )
          })}
        </ul>
      )}
      {mine.length > firstRows && (
        <button type="button" className={button.bare} onClick={() => setAll(!all)}>
          <Worded text={all ? activityTexts.fewer : activityTexts.all(mine.length)} />
        </button>
      )}
    </>
  )
}

interface ItemProps {
  readonly record: TransactionRecord
  readonly chain: ChainFacts | undefined
  /** Called before the pressed button, which has the focus, is removed. */
  readonly onGone: () => void
}

/** One transaction: its action, its state, its time and its explorer link. */
function Item({ record, chain, onGone }: ItemProps) {
  const { figures } = useWallet()
  const { description, hash, sentAs, sentMs, status } = record
  const isLate = useIsPast(sentMs + patienceMs)
  const wording = chain && { figures, coin: chain.currency }
  const difference = wording && describeDifference(record, wording)
  const beside = difference ? difference.rows[0]?.join(': ') : wording && describeSentSince(record, wording)
  // Until its owners have sent it, a multisig uses its own hash, which no explorer knows.
  const onChain = record.replacedBy?.hash ?? (sentAs === undefined ? hash : sentAs)
  const giveUp =
    status === 'unanswered'
      ? { text: sendTexts.wasNotSent, act: () => transactions.remove((other) => other.hash === hash) }
      : status === 'pending' && record.block === null && isLate
        ? { text: sendTexts.untrack, act: () => transactions.change(hash, { status: 'untracked' }) }
        : null
  return (
    <li className={styles.item} data-status={status}>
      <span className={styles.sign}>
        <StatusSign status={status} size={20} />
      </span>
      <div className={styles.words}>
        <strong>
          <Worded
            text={
              status === 'unanswered'
                ? sendTexts.unanswered(description)
                : (difference?.rows.at(1)?.join(': ') ?? description)
            }
          />
        </strong>
        {beside && (
          <p>
            <Worded text={beside} />
          </p>
        )}
        <p>
          <Worded text={difference?.title ?? stateOf(record)} />
          <span> · </span>
          <time translate="no" dateTime={new Date(sentMs).toISOString()}>
            {dateTime.format(sentMs)}
          </time>
        </p>
        {record.included && hasReceipt(status) && chain && (
          <Moves included={record.included} coin={chain.currency} of={description} />
        )}
        {status === 'pending' && record.block === null && record.blockedBy && (
          <p>
            <Worded text={activityTexts.blocked(record.blockedBy)} />
          </p>
        )}
      </div>
      <div className={styles.where}>
        {chain && (
          <p className={styles.chain}>
            <ChainMark id={chain.id} name={chain.name} size={20} />
            <span translate="no">{chain.name}</span>
          </p>
        )}
        {onChain && <HashLine hash={onChain} explorer={chain?.explorer} />}
        {giveUp && (
          <button
            type="button"
            className={button.bare}
            onClick={() => {
              onGone()
              giveUp.act()
            }}
          >
            {giveUp.text}
          </button>
        )}
      </div>
    </li>
  )
}

type MovesProps = { readonly included: Included; readonly coin: ChainFacts['currency']; readonly of: string }

/** What was included, by the agreed receipt, and why it is believed. */
function Moves({ included: { moves, certificateId }, coin, of }: MovesProps) {
  const { figures } = useWallet()
  const words = moves.map(({ token, isIn, amount, label = token === null ? coin : undefined }) =>
    activityTexts[isIn ? 'received' : 'sent'](
      label
        ? formatTokens(BigInt(amount), label, figures)
        : activityTexts.someToken(formatAddress(token ?? '')),
    ),
  )
  return (
    <p className={styles.moves}>
      <Worded text={words.join(' · ')} />
      <WhyLink certificateId={certificateId} of={of} />
    </p>
  )
}

function useIsPast(ms: number): boolean {
  const [isPast, setPast] = useState(Date.now() >= ms)
  useEffect(() => {
    const timer = setTimeout(setPast, Math.max(0, ms - Date.now()), true)
    return () => clearTimeout(timer)
  }, [ms])
  return isPast
}

/** In the language of the browser. The list is never rendered on a server. */
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

function stateOf(record: TransactionRecord): string {
  const { status, sentAs, block, seen, confirmations, batchId, since } = record
  if (status === 'confirmed' && isSpedUp(record)) return activityTexts.spedUp
  if (status === 'replaced' && record.replacedBy)
    return record.replacedBy.isCancel
      ? activityTexts.cancelled
      : activityTexts.replacedBy(formatHash(record.replacedBy.hash))
  if (status !== 'pending') return activityTexts[status]
  if (sentAs === null)
    return batchId && since ? activityTexts.pending : `${activityTexts.pending}, ${sendTexts.withOwners}`
  return block === null
    ? activityTexts.pending
    : `${activityTexts.pending}, ${sendTexts.deep(seen, confirmations)}`
}
