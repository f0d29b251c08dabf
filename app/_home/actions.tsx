'use client'

import { useEffect, useState } from 'react'
import { hasDraft, sendDraft } from '#lib/page/draft.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import button from '../_ui/button.module.css'
import { LoadFailed } from '../_ui/load-failed.tsx'
import { createPart, usePart } from '../_ui/part.ts'
import { useWallet } from '../_wallet/wallet.ts'
import styles from './account-line.module.css'

const sendPart = createPart(() => import('../_send/send-dialog.tsx'))

/** The actions of the account owner. Their code is loaded on demand. */
export function Actions() {
  const { phase, opening, prepare, open } = useWallet()
  const { module, name } = usePart(sendPart)
  const [sending, setSending] = useState(false)
  const ready = phase === 'connected'
  useEffect(() => {
    if (!ready) setSending(false)
  }, [ready])
  const begin = () => {
    sendPart.load()
    setSending(true)
  }
  // The page was loaded again for a new version while the form was open.
  useEffect(() => {
    if (!ready || !hasDraft(sendDraft)) return
    sendPart.load()
    setSending(true)
  }, [ready])
  return (
    <>
      <div className={styles.actions}>
        <button
          type="button"
          className={button.gold}
          disabled={!ready}
          aria-busy={sending && name === 'loading'}
          onPointerEnter={sendPart.load}
          onFocus={sendPart.load}
          onClick={begin}
        >
          {accountTexts.send}
        </button>
        <button
          type="button"
          className={button.quiet}
          disabled={!ready}
          aria-busy={opening === 'chain'}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => open('chain')}
        >
          {accountTexts.switch}
        </button>
      </div>
      <div className={styles.problem}>
        {sending && name === 'failed' && (
          <LoadFailed text={accountTexts.sendFailed} onRetry={sendPart.load} />
        )}
      </div>
      {module && sending && ready && <module.default onClose={() => setSending(false)} />}
    </>
  )
}
