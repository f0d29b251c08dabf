'use client'

import type { ChainFacts } from '#lib/chains.ts'
import { toUnits } from '#lib/page/chain-view.ts'
import type { ChainState, Shown } from '#lib/page/shown.ts'
import { chainTexts, refusalTexts } from '#lib/page/texts/chain.ts'
import { ChainMark } from '../_ui/chain-mark.tsx'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './chain-cards.module.css'
import { type Board, ChainFigures } from './chain-figures.tsx'

export interface ChainCardsProps {
  readonly chains: readonly ChainFacts[]
  readonly board: Board
  readonly activeId: number | undefined
}

/** Figures with more integer digits get a smaller font, and may take two lines. */
const wholeLengthLarge = 9

/** One card per chain: its figure and who agreed on it. */
export function ChainCards({ chains, board, activeId }: ChainCardsProps) {
  return (
    <ul className={styles.cards}>
      {chains.map((chain) => (
        <ChainFigures key={chain.id} chainId={chain.id} board={board}>
          {(state, isStreamed) => (
            <ChainCard chain={chain} state={state} isActive={chain.id === activeId} isStreamed={isStreamed} />
          )}
        </ChainFigures>
      ))}
    </ul>
  )
}

interface ChainCardProps {
  readonly chain: ChainFacts
  readonly state: ChainState
  readonly isActive: boolean
  /** Whether its figures are still loading from the server. */
  readonly isStreamed: boolean
}

function ChainCard({ chain, state: { head, balance, since }, isActive, isStreamed }: ChainCardProps) {
  return (
    <li
      className={styles.card}
      data-active={isActive}
      data-chain={isStreamed ? undefined : chain.id}
      data-streamed={isStreamed || undefined}
    >
      <h3 className={styles.name}>
        <ChainMark id={chain.id} name={chain.name} size={28} />
        {chain.name}
        {isActive && <span className={styles.active}>{chainTexts.active}</span>}
      </h3>
      {balance ? <Balance chain={chain} balance={balance} /> : <Head head={head} />}
      <Agreement shown={balance ?? head} since={since} />
    </li>
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

function Balance({ chain, balance }: { chain: ChainFacts; balance: Shown }) {
  const { figures } = useWallet()
  const units = toUnits(balance.known?.value)
  const block = balance.known?.block ?? null
  const amount = units === null ? null : figures.split(units, chain.currency.decimals)
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
            <span className={styles.symbol}> {chain.currency.symbol}</span>
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

/** The quorum behind the figure, as a ring and as text; or the reason why there is none. */
function Agreement({ shown: { reading }, since }: { shown: Shown; since: string | null }) {
  const quorum = reading.state === 'agreed' ? reading.quorum : null
  return (
    <div className={styles.agreement} data-state={reading.state}>
      <AgreementRing quorum={quorum} size={40} />
      <p>
        {reading.state === 'waiting' && chainTexts.waiting}
        {reading.state === 'refused' && refusalTexts[reading.why]}
        {since && <span>{chainTexts.since(since)}</span>}
        {quorum && (
          <>
            <strong>{chainTexts.agreement(quorum)}</strong>
            <span>{chainTexts.dissent(quorum)}</span>
          </>
        )}
      </p>
    </div>
  )
}
