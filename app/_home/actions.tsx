'use client'

import { useEffect, useState } from 'react'
import { hasDraft, sendDraft } from '#lib/page/draft.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import button from '../_ui/button.module.css'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { LoadFailed } from '../_ui/load-failed.tsx'
import { useSite, useWalletState } from '../_wallet/wallet.ts'
import styles from './account-line.module.css'

const sendCode = lazyCode('send', () => import('../_send/send-dialog.tsx'))
const receiveCode = lazyCode('receive', () => import('./receive-dialog.tsx'))

/** The actions of the account owner. Their code is loaded on demand. */
export function Actions({ address }: { address: `0x${string}` }) {
  const { prepare } = useSite()
  const { phase, opening, open } = useWalletState()
  const [sending, setSending] = useState(false)
  const { module, isLoading, isFailed, load } = useCode(sendCode, { isWanted: sending })
  const [receiving, setReceiving] = useState(false)
  const receive = useCode(receiveCode, { isWanted: receiving })
  const ready = phase === 'connected'
  useEffect(() => {
    if (!ready) setSending(false)
  }, [ready])
  // The page was loaded again for a new version while the form was open.
  useEffect(() => {
    if (ready && hasDraft(sendDraft)) setSending(true)
  }, [ready])
  return (
    <>
      <div className={styles.actions}>
        <button
          type="button"
          className={button.primary}
          disabled={!ready}
          aria-busy={sending && isLoading}
          onPointerEnter={load}
          onFocus={load}
          onClick={() => setSending(true)}
        >
          {accountTexts.send}
        </button>
        <button
          type="button"
          className={button.quiet}
          aria-busy={receive.isLoading}
          onPointerEnter={receive.load}
          onFocus={receive.load}
          onClick={() => setReceiving(true)}
        >
          {accountTexts.receive}
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
      <div className={styles.error}>
        {sending && isFailed && <LoadFailed text={accountTexts.sendFailed} onRetry={load} />}
        {receiving && receive.isFailed && (
          <LoadFailed text={accountTexts.receiveFailed} onRetry={receive.load} />
        )}
      </div>
      {receive.module && receiving && (
        <receive.module.default address={address} onClose={() => setReceiving(false)} />
      )}
      {module && sending && ready && <module.default onClose={() => setSending(false)} />}
    </>
  )
}
