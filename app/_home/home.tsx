'use client'

import { chainTexts } from '#lib/page/texts/chain.ts'
import { useSite, useVisitor } from '../_wallet/wallet.ts'
import { Account } from './account-line.tsx'
import { ChainCards } from './chain-cards.tsx'
import { ChainNotice } from './chain-notice.tsx'
import styles from './home.module.css'
import type { SearchedName } from './look-up-name.ts'
import { Seal } from './seal.tsx'
import { Slot } from './slots.tsx'

export interface HomeProps {
  /** The chains whose figure is streamed, and whether their health is. */
  readonly lateChains: readonly number[]
  readonly isHealthLate: boolean
  /** The looked-up address, if any. */
  readonly searchedAddress: `0x${string}` | undefined
  /** The name that led to it, if any. */
  readonly searchedName: SearchedName | undefined
  /** Whether the visitor's tokens are shown. */
  readonly hasPortfolio: boolean
  readonly hero: React.ReactNode
  readonly lookUp: React.ReactNode
  readonly steps: React.ReactNode
}

/** The first page: for a new visitor, for a returning visitor, or for a looked-up address. */
export function Home({
  searchedAddress,
  searchedName,
  hasPortfolio,
  hero,
  lookUp,
  steps,
  lateChains,
  isHealthLate,
}: HomeProps) {
  const { chains } = useSite()
  const { address: own, name: ownName } = useVisitor()
  const address = searchedAddress ?? own
  return (
    <>
      {address ? (
        <Account
          address={address}
          name={searchedAddress ? searchedName?.name : ownName}
          note={searchedName?.note ?? null}
          isForeign={searchedAddress !== undefined}
        />
      ) : (
        <section className={styles.hero}>
          {hero}
          {chains[0] && <Seal chain={chains[0]} isLate={lateChains.includes(chains[0].id)} />}
        </section>
      )}
      <section>
        <div className={styles.title}>
          <h2>{address ? chainTexts.balances : chainTexts.chains}</h2>
          <ChainNotice isLate={isHealthLate} />
        </div>
        <ChainCards address={address} isForeign={searchedAddress !== undefined} lateChains={lateChains} />
      </section>
      {address ? (
        <div className={styles.below}>
          {hasPortfolio && !searchedAddress && (
            <div className={styles.wide}>
              <Slot part="portfolio" address={address} />
            </div>
          )}
          {!searchedAddress && <Slot part="activity" address={address} />}
          <div className={styles.lookUp}>{lookUp}</div>
        </div>
      ) : (
        steps
      )}
    </>
  )
}
