'use client'

import type { ChainFacts } from '#lib/chains.ts'
import { toUnits } from '#lib/page/chain-view.ts'
import type { Shown } from '#lib/page/shown.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import { type Board, ChainFigures } from './chain-figures.tsx'
import styles from './seal.module.css'

/** The seal on the first page: a rosette with the block number, surrounded by its votes. The card has the same text. */
export function Seal({ chain, board }: { chain: ChainFacts; board: Board }) {
  return (
    <div className={styles.seal} aria-hidden="true">
      <div className={styles.rosette} />
      <ChainFigures chainId={chain.id} board={board}>
        {({ head }) => <Votes name={chain.name} head={head} />}
      </ChainFigures>
    </div>
  )
}

function Votes({ name, head: { reading, known } }: { name: string; head: Shown }) {
  const { figures } = useWallet()
  const quorum = reading.state === 'agreed' ? reading.quorum : null
  const block = toUnits(known?.value)
  return (
    <>
      <div className={styles.ring}>
        <AgreementRing quorum={quorum} size={400} stroke={7} />
      </div>
      <div className={styles.words}>
        <span>{name}</span>
        <strong>{block === null ? '·' : figures.block(Number(block))}</strong>
        <span>{quorum && chainTexts.agreement(quorum)}</span>
      </div>
    </>
  )
}
