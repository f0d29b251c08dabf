'use client'

import { useState } from 'react'
import { sendTexts } from '#lib/page/texts/send.ts'
import type { Intent, NextStep, Plan } from '#lib/wallet/plan.ts'
import { Dialog } from '../_ui/dialog.tsx'
import { useWallet } from '../_wallet/wallet.ts'
import type { StepsProps } from './approval-steps.tsx'
import { planErrorsOf } from './field-errors.ts'
import { Review } from './review.tsx'
import { Tracker } from './tracker.tsx'
import styles from './transaction-dialog.module.css'
import { usePlan } from './use-plan.ts'

export interface TransactionDialogProps {
  readonly title: string
  /** The form that makes a plan. It keeps its own input, and gets the reason if it is shown again unexpectedly. */
  readonly form: (error: string | undefined, onPlan: (plan: Plan) => void) => React.ReactNode
  /** Whether a form can be shown again, to change what is sent. */
  readonly isEditable?: boolean
  readonly onSent?: (hash: string) => void
  readonly onClose: () => void
}

type Step =
  | { readonly name: 'form'; readonly error?: string }
  | { readonly name: 'review'; readonly plan: Plan; readonly step: StepsProps | null }
  | { readonly name: 'sent'; readonly hash: string; readonly next: NextStep | null }

/** A transaction from its form to its last confirmation. Closing the dialog does not stop a sent transaction. */
export function TransactionDialog({
  title,
  form,
  isEditable = true,
  onSent,
  onClose,
}: TransactionDialogProps) {
  const { address } = useWallet()
  const { plan } = usePlan()
  const [step, setStep] = useState<Step>({ name: 'form' })

  // A plan was simulated for one account. It is not valid after the wallet switches to another.
  if (step.name === 'review' && step.plan.intent.from !== address) {
    setStep({ name: 'form', error: sendTexts.faults.moved })
  }

  function review(plan: Plan) {
    setStep({ name: 'review', plan, step: plan.next ? { current: 1, next: plan.next } : null })
  }
  function sent(hash: string) {
    if (step.name !== 'review') return
    const { next = null } = step.plan
    setStep({ name: 'sent', hash, next })
    if (next === null) onSent?.(hash)
  }
  async function reviewIntent(intent: Intent, step: StepsProps | null) {
    const planned = await plan(intent)
    if (planned === null) return
    if ('plan' in planned) return setStep({ name: 'review', plan: planned.plan, step })
    const { form, to, amount } = planErrorsOf(planned)
    const error = form ?? to ?? amount
    setStep({ name: 'form', ...(error !== undefined && { error }) })
  }

  const nextOf = ({ next }: { readonly next: NextStep | null }) =>
    next && (() => reviewIntent(next.intent, { current: 2, next }))

  return (
    <Dialog name={{ id: 'send-title' }} step={step.name} onClose={onClose}>
      {(close) => (
        <>
          <header className={styles.head}>
            {step.name === 'review' && isEditable ? (
              <Icon
                label={sendTexts.back}
                path="M11 3.5 5.5 9l5.5 5.5"
                onClick={() => setStep({ name: 'form' })}
              />
            ) : (
              <span className={styles.icon} />
            )}
            {step.name === 'form' && <h2 id="send-title">{title}</h2>}
            {step.name === 'review' && (
              <h2 id="send-title" tabIndex={-1} data-first-focus>
                {sendTexts.reviewTitle}
              </h2>
            )}
            {step.name === 'sent' && <span />}
            <Icon label={sendTexts.close} path="m4.5 4.5 9 9m0-9-9 9" onClick={close} />
          </header>
          {step.name === 'form' && form(step.error, review)}
          {step.name === 'review' && (
            <Review
              plan={step.plan}
              step={step.step}
              onSent={sent}
              onAgain={() => reviewIntent(step.plan.intent, step.step)}
            />
          )}
          {step.name === 'sent' && (
            <Tracker titleId="send-title" hash={step.hash} onNext={nextOf(step)} onDone={close} />
          )}
        </>
      )}
    </Dialog>
  )
}

function Icon({ label, path, onClick }: { label: string; path: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.icon} aria-label={label} onClick={onClick}>
      <svg
        width="18"
        height="18"
        viewBox="0 0 18 18"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        aria-hidden="true"
      >
        <path d={path} strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </button>
  )
}
