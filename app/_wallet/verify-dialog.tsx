'use client'

import { useEffect, useRef } from 'react'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import button from '../_ui/button.module.css'
import styles from './verify-dialog.module.css'
import { VerifyStep } from './verify-step.tsx'
import { useWallet } from './wallet.ts'

/** The sign-in step as a dialog over the current page. It closes when there is no account to verify. */
export function VerifyDialog({ next, onClose }: { readonly next: string; readonly onClose: () => void }) {
  const { phase } = useWallet()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (phase === 'none' || phase === 'locked') dialog.current?.close()
    else if (!dialog.current?.open) dialog.current?.showModal()
  }, [phase])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="verify-title" onClose={onClose}>
      <VerifyStep
        titleId="verify-title"
        next={next}
        cancel={
          <button type="button" className={button.bare} onClick={() => dialog.current?.close()}>
            {signInTexts.cancel}
          </button>
        }
      />
    </dialog>
  )
}
