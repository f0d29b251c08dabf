'use client'

import { accountTexts } from '#lib/page/texts/account.ts'
import { useSite, useWalletState } from '../_wallet/wallet.ts'
import styles from './hero.module.css'

/** The primary action of the first page. */
export function HeroAction() {
  const { prepare } = useSite()
  const { opening, open } = useWalletState()
  return (
    <button
      type="button"
      className={styles.action}
      data-press="connect"
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
