'use client'

import { useEffect, useState } from 'react'
import { formatAddress } from '#lib/page/format.ts'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import type { SignInStep } from '#lib/wallet/sign-in.ts'
import { Avatar } from '../../_ui/avatar.tsx'
import button from '../../_ui/button.module.css'
import { PageLink } from '../../_ui/page-link.tsx'
import { useWallet } from '../../_wallet/wallet.ts'
import styles from './sign-in.module.css'

const stepTexts = {
  idle: signInTexts.sign,
  signing: signInTexts.signing,
  verifying: signInTexts.verifying,
} as const satisfies Record<SignInStep, string>

/** Proves that the connected account is the visitor's. Cancelling keeps the wallet connected. */
export function SignIn() {
  const { phase, address, chainId, config, opening, open, prepare, welcome } = useWallet()
  const [step, setStep] = useState<SignInStep>('idle')
  const [said, setSaid] = useState<{ readonly text: string; readonly isFault: boolean } | null>(null)
  const isConnected = phase === 'connected' && address !== undefined && chainId !== undefined
  useEffect(welcome, [welcome])

  async function start() {
    if (!isConnected || config === null || step !== 'idle') return
    setSaid(null)
    try {
      const { signIn } = await import('#lib/wallet/sign-in.ts')
      await signIn(config, { address, chainId, onStep: setStep })
      // A new page, not a new view of this one: what the server shows from now on is the account's.
      location.assign('/account')
    } catch (error) {
      const isFault = !(error instanceof Error && 'isRefusal' in error && error.isRefusal)
      const isOurs = error instanceof Error && error.name === 'SignInFault'
      setSaid({ text: isOurs ? error.message : signInTexts.failed, isFault })
    }
  }

  return (
    <section className={styles.card} aria-labelledby="sign-in-title">
      <h1 id="sign-in-title" className={styles.title}>
        {signInTexts.title}
      </h1>
      <p className={styles.text}>{address === undefined ? signInTexts.connectFirst : signInTexts.text}</p>
      {address !== undefined && (
        <p className={styles.account}>
          <Avatar address={address} size={32} />
          <span>{formatAddress(address)}</span>
        </p>
      )}
      {isConnected ? (
        <button
          type="button"
          className={button.submit}
          aria-disabled={step !== 'idle'}
          onClick={() => void start()}
        >
          {stepTexts[step]}
        </button>
      ) : (
        <button
          type="button"
          className={button.submit}
          aria-disabled={phase === 'returning'}
          aria-busy={opening !== null}
          data-press
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => phase !== 'returning' && open(phase === 'locked' ? 'account' : 'connect')}
        >
          {address === undefined ? signInTexts.connect : signInTexts.sign}
        </button>
      )}
      <p className={styles.said} data-fault={said?.isFault} role="status">
        {said?.text}
      </p>
      <PageLink className={button.bare} href="/">
        {signInTexts.cancel}
      </PageLink>
    </section>
  )
}
