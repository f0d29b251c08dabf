'use client'

import { tokenTexts } from '#lib/page/texts/token.ts'
import { decodeCall } from '#lib/wallet/meaning.ts'
import type { NextStep } from '#lib/wallet/plan.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { formatTokens } from './describe.ts'
import styles from './review.module.css'

export interface StepsProps {
  readonly current: 1 | 2
  readonly next: NextStep
}

/** The two transactions of an approval whose old allowance has to be revoked first, and why. */
export function Steps({ current, next: { intent, allowance } }: StepsProps) {
  const { figures } = useWallet()
  const meaning = decodeCall(intent)
  const { token } = intent
  if (!token || meaning.kind !== 'approve') return null
  const { title, why, revoke, approve } = tokenTexts.twoSteps
  const names = [revoke, approve(formatTokens(meaning.amount, token, figures))]
  return (
    <section className={styles.steps} aria-label={title}>
      <p>{why(token.symbol, formatTokens(allowance, token, figures))}</p>
      <ol>
        {names.map((name, index) => (
          <li key={name} aria-current={index + 1 === current ? 'step' : undefined}>
            {name}
          </li>
        ))}
      </ol>
    </section>
  )
}
