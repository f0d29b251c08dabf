'use client'

import { useState } from 'react'
import { notify } from '#lib/page/notify.ts'
import { sessionTexts } from '#lib/page/texts/sign-in.ts'
import { signOut } from '#lib/wallet/session.ts'
import button from '../_ui/button.module.css'

/** Ends the session of this browser. The wallet stays connected. */
export function SignOut() {
  const [isBusy, setBusy] = useState(false)
  async function end() {
    setBusy(true)
    try {
      await signOut()
      location.assign('/')
    } catch {
      setBusy(false)
      notify(sessionTexts.notEnded, { isError: true })
    }
  }
  return (
    <button type="button" className={button.quiet} aria-disabled={isBusy} onClick={() => void end()}>
      {sessionTexts.signOut}
    </button>
  )
}
