'use client'

import type { Painted } from '#lib/page/shown.ts'
import { chainTexts } from '#lib/page/texts/chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { Account } from './account.tsx'
import { ActivitySlot } from './activity-slot.tsx'
import { ChainBanner } from './chain-banner.tsx'
import { ChainCards } from './chain-cards.tsx'
import { stateFrom } from './chain-figures.tsx'
import styles from './home.module.css'
import { Seal } from './seal.tsx'
import { useChains } from './use-chains.ts'

export interface HomeProps {
  readonly painted: Painted
  /** The looked-up address, if any. */
  readonly looked: `0x${string}` | undefined
  readonly hero: React.ReactNode
  readonly lookUp: React.ReactNode
  readonly steps: React.ReactNode
}

/** The first page: for a new visitor, for a returning visitor, or for a looked-up address. */
export function Home({ painted, looked, hero, lookUp, steps }: HomeProps) {
  const { chains, chainId, address: own } = useWallet()
  const address = looked ?? own
  const { refreshed, healths } = useChains(painted, address)

  const board = { painted, address, refreshed }
  return (
    <>
      {address ? (
        <Account
          address={address}
          looked={looked !== undefined}
          cards={chains.map((chain) => ({ chain, ...(refreshed[chain.id] ?? stateFrom(null, board)) }))}
        />
      ) : (
        <section className={styles.hero}>
          {hero}
          {chains[0] && <Seal chain={chains[0]} board={board} />}
        </section>
      )}
      <section>
        <h2 className={styles.title}>{address ? chainTexts.balances : chainTexts.chains}</h2>
        <ChainCards chains={chains} board={board} activeId={looked ? undefined : chainId} />
      </section>
      {address ? (
        <div className={styles.below}>
          {!looked && <ActivitySlot address={address} />}
          <div className={styles.lookUp}>{lookUp}</div>
        </div>
      ) : (
        steps
      )}
      <ChainBanner chains={chains} healths={healths ? { now: healths } : painted.healths} />
    </>
  )
}
