'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConfig } from 'wagmi'
import { formatAddress } from '#lib/page/format.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import type { SignInFailure, SignInStep } from '#lib/wallet/sign-in.ts'
import { Avatar } from '../_ui/avatar.tsx'
import button from '../_ui/button.module.css'
import { LoadFailed } from '../_ui/failure.tsx'
import { isFramed } from '../_ui/is-framed.ts'
import { lazyCode } from '../_ui/lazy-code.ts'
import styles from './verify-step.module.css'
import { useWallet } from './wallet.ts'

const signInCode = lazyCode('sign-in', () => import('#lib/wallet/sign-in.ts'))

const stepTexts = {
  idle: signInTexts.sign,
  signing: signInTexts.signing,
  verifying: signInTexts.verifying,
} as const satisfies Record<SignInStep, string>

export interface VerifyStepProps {
  readonly titleId: string
  /** The page to load after the sign-in. */
  readonly next: string
  /** Leaves without signing in. The wallet stays connected. */
  readonly cancel: React.ReactNode
}

/** "Verify your account": proves that the connected account is the visitor's. */
export function VerifyStep({ titleId, next, cancel }: VerifyStepProps) {
  const { phase, address, chainId, opening, open, prepare } = useWallet()
  const config = useConfig()
  const queries = useQueryClient()
  const [step, setStep] = useState<SignInStep>('idle')
  const [failure, setFailure] = useState<SignInFailure | null>(null)
  const [codeFailed, setCodeFailed] = useState(false)
  const [framed, setFramed] = useState(false)
  const isConnected = phase === 'connected' && address !== undefined && chainId !== undefined
  // Until the wallet has reconnected, it is unknown whether there is an account to verify.
  const state = phase === 'returning' ? 'loading' : 'unauthenticated'
  useEffect(() => setFramed(isFramed()), [])

  async function start() {
    if (!isConnected || step !== 'idle') return
    setFailure(null)
    setCodeFailed(false)
    // Set before the code is loaded, so that a second press does not start a second sign-in.
    setStep('signing')
    const code = await queries.fetchQuery(signInCode).catch(() => null)
    const failed = await code?.signIn(config, { address, chainId, onStep: setStep })
    setStep('idle')
    if (code === null) return setCodeFailed(true)
    if (failed) return setFailure(failed)
    // A full page load, because the server now renders with the session.
    location.assign(next)
  }

  return (
    <div className={styles.step} data-sign-in={state}>
      <h1 id={titleId} className={styles.title}>
        {signInTexts.title}
      </h1>
      <p className={styles.text}>
        {framed ? signInTexts.framed : address === undefined ? signInTexts.connectFirst : signInTexts.text}
      </p>
      {address !== undefined && (
        <p className={styles.account}>
          <Avatar address={address} size={32} />
          <span>{formatAddress(address)}</span>
        </p>
      )}
      {framed ? (
        <a className={button.submit} href={next} target="_blank" rel="noopener">
          {signInTexts.newTab}
        </a>
      ) : isConnected ? (
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
          aria-disabled={state === 'loading'}
          aria-busy={opening !== null}
          data-press
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => state !== 'loading' && open(phase === 'locked' ? 'account' : 'connect')}
        >
          {address === undefined ? accountTexts.connect : signInTexts.sign}
        </button>
      )}
      <p className={styles.confirmation} data-fault={failure?.isFault} role="status">
        {failure?.text}
      </p>
      {codeFailed && <LoadFailed text={signInTexts.notLoaded} onRetry={() => void start()} />}
      {cancel}
    </div>
  )
}
