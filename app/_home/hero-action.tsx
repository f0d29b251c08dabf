'use client'

import { accountTexts } from '#lib/page/texts/account.ts'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './hero.module.css'

/** The primary action of the first page. */
export function HeroAction() {
  const { opening, prepare, open } = useWallet()
  return (
    <button
      type="button"
      className={styles.action}
      data-press
      aria-busy={opening === 'connect'}
      onPointerEnter={prepare}
      onFocus={prepare}
      onTouchStart={prepare}
      onClick={() => open('connect')}
    >
      {accountTexts.connect}
    </button>
  )
}
