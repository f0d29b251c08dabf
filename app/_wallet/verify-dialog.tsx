import { useEffect } from 'react'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import button from '../_ui/button.module.css'
import { Dialog } from '../_ui/dialog.tsx'
import { VerifyStep } from './verify-step.tsx'
import { useWallet } from './wallet.ts'

/** The sign-in step as a dialog over the current page. It closes when there is no account to verify. */
export function VerifyDialog({ next, onClose }: { readonly next: string; readonly onClose: () => void }) {
  const { phase } = useWallet()
  const isOver = phase === 'none' || phase === 'locked'
  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])
  return (
    <Dialog name={{ id: 'verify-title' }} onClose={onClose}>
      {(close) => (
        <VerifyStep
          titleId="verify-title"
          next={next}
          cancel={
            <button type="button" className={button.bare} onClick={close}>
              {signInTexts.cancel}
            </button>
          }
        />
      )}
    </Dialog>
  )
}
