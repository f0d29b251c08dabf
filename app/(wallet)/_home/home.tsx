'use client'

import type { Painted } from '#lib/page/shown.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { useWallet } from '../../_wallet/wallet.ts'
import { Account } from './account.tsx'
import { ActivitySlot } from './activity-slot.tsx'
import { ChainBanner } from './chain-banner.tsx'
import { ChainCards } from './chain-cards.tsx'
import styles from './home.module.css'
import { Seal } from './seal.tsx'
import { useChains } from './use-chains.ts'

export interface HomeProps {
  readonly painted: Painted
  /** The address that was looked up, when it was. */
  readonly looked: `0x${string}` | undefined
  readonly hero: React.ReactNode
  readonly lookUp: React.ReactNode
  readonly steps: React.ReactNode
}

/** The first page: a stranger's, a visitor's, or a look at someone's address. */
export function Home({ painted, looked, hero, lookUp, steps }: HomeProps) {
  const wallet = useWallet()
  const address = looked ?? wallet.address
  const cards = useChains(painted, address)
  return (
    <>
      {address ? (
        <Account address={address} looked={looked !== undefined} cards={cards} />
      ) : (
        <section className={styles.hero}>
          {hero}
          {cards[0] && <Seal card={cards[0]} />}
        </section>
      )}
      <section>
        <h2 className={styles.title}>{address ? chainTexts.balances : chainTexts.chains}</h2>
        <ChainCards cards={cards} activeId={looked ? undefined : wallet.chainId} />
      </section>
      {address ? (
        <div className={styles.below}>
          {!looked && <ActivitySlot address={address} />}
          <div className={styles.lookUp}>{lookUp}</div>
        </div>
      ) : (
        steps
      )}
      <ChainBanner cards={cards} />
    </>
  )
}
