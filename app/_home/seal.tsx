import type { ChainFacts } from '#lib/engine/chain-facts.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { type Figure, figureQuery, noFigure } from '#lib/reads/figure.ts'
import { AgreementRing } from '../_ui/quorum-ring.tsx'
import { useReadChain } from '../_wallet/use-read-chain.ts'
import { useSite } from '../_wallet/wallet.ts'
import { LateQuery } from './late-query.tsx'
import styles from './seal.module.css'

/** The seal on the first page: a rosette with the block number, surrounded by its votes. The card has the same text. */
export function Seal({ chain, isLate }: { chain: ChainFacts; isLate: boolean }) {
  const readChain = useReadChain()
  return (
    <div className={styles.seal} aria-hidden="true">
      <div className={styles.rosette} />
      <LateQuery query={figureQuery(readChain, chain.id, undefined)} placeholder={noFigure} isLate={isLate}>
        {(head) => <Votes name={chain.name} head={head} />}
      </LateQuery>
    </div>
  )
}

function Votes({ name, head: { known, why } }: { name: string; head: Figure }) {
  const { figures } = useSite()
  const quorum = (why === null && known?.evidence) || null
  return (
    <>
      <div className={styles.ring}>
        <AgreementRing quorum={quorum} size={400} stroke={7} />
      </div>
      <div className={styles.words}>
        <span translate="no">{name}</span>
        <strong translate="no">{known ? figures.block(Number(known.value)) : '·'}</strong>
        <span key={quorum?.operators} translate="no">
          {quorum && chainTexts.agreeing(quorum.operators)}
        </span>
      </div>
    </>
  )
}
