'use client'

import { useState } from 'react'
import { sessionTexts } from '#lib/page/texts/sign-in.ts'
import { signOut } from '#lib/wallet/session.ts'
import button from '../_ui/button.module.css'
import styles from './account.module.css'

/** Ends the session of this browser. The wallet stays connected. */
export function SignOut() {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  async function end() {
    setState('busy')
    try {
      await signOut()
      location.assign('/')
    } catch {
      setState('failed')
    }
  }
  return (
    <div className={styles.signOut}>
      <button
        type="button"
        className={button.quiet}
        aria-disabled={state === 'busy'}
        onClick={() => void end()}
      >
        {sessionTexts.signOut}
      </button>
      <p className={styles.error} role="status">
        {state === 'failed' && sessionTexts.notEnded}
      </p>
    </div>
  )
}
