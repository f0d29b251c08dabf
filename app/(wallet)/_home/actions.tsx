'use client'

import { type ComponentType, useState } from 'react'
import type { Card } from '#lib/page/shown.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import button from '../../_ui/button.module.css'
import { useWallet } from '../../_wallet/wallet.ts'
import type { SendDialogProps } from '../_send/send-dialog.tsx'
import styles from './account.module.css'

const load = () => import('../_send/send-dialog.tsx')

/** What the owner of an account can do. The code for it comes when somebody reaches for it. */
export function Actions({ cards }: { cards: readonly Card[] }) {
  const { phase, prepare, open } = useWallet()
  const [Dialog, setDialog] = useState<ComponentType<SendDialogProps> | null>(null)
  const [problem, setProblem] = useState(false)
  const ready = phase === 'connected'
  const begin = () => {
    setProblem(false)
    load().then(
      (module) => setDialog(() => module.default),
      () => setProblem(true),
    )
  }
  return (
    <>
      <div className={styles.actions}>
        <button
          type="button"
          className={button.gold}
          disabled={!ready}
          onPointerEnter={() => void load().catch(() => {})}
          onFocus={() => void load().catch(() => {})}
          onClick={begin}
        >
          {accountTexts.send}
        </button>
        <button
          type="button"
          className={button.quiet}
          disabled={!ready}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => open('chain')}
        >
          {accountTexts.switch}
        </button>
      </div>
      <p className={styles.problem} role="alert">
        {problem && accountTexts.sendFailed}
      </p>
      {Dialog && ready && <Dialog cards={cards} onClose={() => setDialog(null)} />}
    </>
  )
}
