'use client'

import { toUnits } from '#lib/page/chain-view.ts'
import type { Card, Shown } from '#lib/page/shown.ts'
import { chainTexts, refusalTexts } from '#lib/page/texts/chain.ts'
import { ChainMark } from '../../_ui/chain-mark.tsx'
import { QuorumRing } from '../../_ui/quorum-ring.tsx'
import { useWallet } from '../../_wallet/wallet.ts'
import styles from './chain-cards.module.css'

/** What has more digits before its decimal mark is written smaller, and takes two lines where it must. */
const wholeLengthLarge = 9

/** One card for each chain: its figure, and the weight behind it. */
export function ChainCards({ cards, activeId }: { cards: readonly Card[]; activeId: number | undefined }) {
  return (
    <ul className={styles.cards}>
      {cards.map((card) => (
        <li
          key={card.chain.id}
          className={styles.card}
          data-active={card.chain.id === activeId}
          data-chain={card.chain.id}
        >
          <h3 className={styles.name}>
            <ChainMark id={card.chain.id} name={card.chain.name} size={28} />
            {card.chain.name}
            {card.chain.id === activeId && <span className={styles.active}>{chainTexts.active}</span>}
          </h3>
          {card.balance ? <Balance card={card} balance={card.balance} /> : <Head head={card.head} />}
          <Agreement shown={card.balance ?? card.head} />
        </li>
      ))}
    </ul>
  )
}

function Head({ head }: { head: Shown }) {
  const { figures } = useWallet()
  const block = toUnits(head.known?.value)
  return (
    <div className={styles.figure} data-old={head.reading.state !== 'agreed'}>
      <p className={styles.label}>
        {head.reading.state !== 'agreed' && block !== null ? chainTexts.lastKnown : chainTexts.head}
      </p>
      <p className={styles.number} data-testid="head">
        {block === null ? <span className={styles.blank} /> : figures.block(Number(block))}
      </p>
    </div>
  )
}

function Balance({ card, balance }: { card: Card; balance: Shown }) {
  const { figures } = useWallet()
  const units = toUnits(balance.known?.value)
  const block = balance.known?.block ?? null
  const amount = units === null ? null : figures.split(units, card.chain.currency.decimals)
  return (
    <div className={styles.figure} data-old={balance.reading.state !== 'agreed'}>
      <p
        className={styles.number}
        data-long={(amount?.whole.length ?? 0) > wholeLengthLarge}
        data-testid="balance"
      >
        {amount === null ? (
          <span className={styles.blank} />
        ) : (
          <>
            {amount.whole}
            <span className={styles.fraction}>{amount.fraction}</span>
            <span className={styles.symbol}> {card.chain.currency.symbol}</span>
          </>
        )}
      </p>
      <p className={styles.label}>
        {balance.reading.state !== 'agreed' && units !== null && `${chainTexts.lastKnown}, `}
        {block === null ? '\u00a0' : `${chainTexts.block} ${figures.block(block)}`}
      </p>
    </div>
  )
}

/** The quorum behind the figure, in a ring and in words; or the sentence that says why there is none. */
function Agreement({ shown: { reading } }: { shown: Shown }) {
  const { figures } = useWallet()
  const quorum = reading.state === 'agreed' ? reading.quorum : null
  return (
    <div className={styles.agreement} data-state={reading.state}>
      <QuorumRing quorum={quorum} size={40} />
      <p>
        {reading.state === 'waiting' && chainTexts.waiting}
        {reading.state === 'refused' && refusalTexts[reading.why]}
        {quorum && (
          <>
            <strong>
              {chainTexts.agreement(figures.weight(quorum.agreed), figures.weight(quorum.total))}
            </strong>
            <span>{chainTexts.needed(figures.weight(quorum.needed))}</span>
          </>
        )}
      </p>
    </div>
  )
}
