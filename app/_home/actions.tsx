import { useEffect, useState } from 'react'
import { hasDraft, sendDraft } from '#lib/page/draft.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import button from '../_ui/button.module.css'
import { LoadFailed } from '../_ui/failure.tsx'
import { lazyCode, useCode } from '../_ui/lazy-code.ts'
import { useSite, useWalletState } from '../_wallet/wallet.ts'
import styles from './account-line.module.css'

const sendCode = lazyCode('send', () => import('../_send/send-dialog.tsx'))
const receiveCode = lazyCode('receive', () => import('./receive-dialog.tsx'))

/** The actions of the account owner. Their code is loaded on demand. */
export function Actions({ address }: { address: `0x${string}` }) {
  const { prepare } = useSite()
  const { phase, opening, open } = useWalletState()
  const [opened, setOpened] = useState<'send' | 'receive' | null>(null)
  const send = useCode(sendCode, { isWanted: opened === 'send' })
  const receive = useCode(receiveCode, { isWanted: opened === 'receive' })
  const close = () => setOpened(null)
  const ready = phase === 'connected'
  useEffect(() => {
    if (!ready) setOpened((now) => (now === 'send' ? null : now))
    // The page was loaded again for a new version while the form was open.
    else if (hasDraft(sendDraft)) setOpened('send')
  }, [ready])
  return (
    <>
      <div className={styles.actions}>
        <button
          type="button"
          className={button.primary}
          disabled={!ready}
          aria-busy={send.isLoading}
          onPointerEnter={send.load}
          onFocus={send.load}
          onClick={() => setOpened('send')}
        >
          {accountTexts.send}
        </button>
        <button
          type="button"
          className={button.quiet}
          aria-busy={receive.isLoading}
          onPointerEnter={receive.load}
          onFocus={receive.load}
          onClick={() => setOpened('receive')}
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
        {opened === 'send' && send.isFailed && (
          <LoadFailed text={accountTexts.sendFailed} onRetry={send.load} />
        )}
        {opened === 'receive' && receive.isFailed && (
          <LoadFailed text={accountTexts.receiveFailed} onRetry={receive.load} />
        )}
      </div>
      {opened === 'send' && send.module && ready && <send.module.default onClose={close} />}
      {opened === 'receive' && receive.module && <receive.module.default address={address} onClose={close} />}
    </>
  )
}
