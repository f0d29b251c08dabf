'use client'

import { type FormEvent, useState } from 'react'
import { nameTexts } from '#lib/page/texts/names.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import button from '../_ui/button.module.css'
import fields from '../_ui/form.module.css'
import { Spinner } from '../_ui/spinner.tsx'
import { useSite } from '../_wallet/wallet.ts'
import { type FieldErrors, useFirstError } from './field-errors.ts'
import styles from './send-form.module.css'
import { type TransactionWish, usePlan } from './use-plan.ts'

export interface PlanFormProps {
  /** The current input. A problem is shown until it changes. */
  readonly draft: object
  /** Why the form is shown again, if not by the visitor's choice. */
  readonly error: string | undefined
  readonly amount: {
    readonly value: string
    readonly isDisabled?: boolean
    /** The available amount. */
    readonly hint: string | null
    /** A button that fills in all that can be sent. */
    readonly max?: React.ReactNode
    /** The unit, or a unit selector. */
    readonly unit: React.ReactNode
    readonly onChange: (value: string) => void
  }
  readonly party: {
    readonly label: string
    readonly value: string
    readonly error?: string | undefined
    /** What has to be confirmed of it. */
    readonly choice?: React.ReactNode
    readonly onChange: (value: string) => void
  }
  /** What stands above the amount, between amount and address, and below. */
  readonly top?: React.ReactNode
  readonly middle?: React.ReactNode
  readonly bottom?: React.ReactNode
  /** Reads the input, and looks up a name in it. */
  readonly check: () => Promise<FieldErrors | { readonly wish: TransactionWish }>
  readonly onPlan: (plan: Plan) => void
}

/** Amount and address. Submits to a plan that was read and simulated at an agreed block. */
export function PlanForm({ draft, error, amount, party, check, onPlan, ...parts }: PlanFormProps) {
  const { hasNames } = useSite()
  const { plan, isPending: isPlanning } = usePlan()
  const [isChecking, setChecking] = useState(false)
  const isPending = isChecking || isPlanning
  const [found, setFound] = useState({ draft, errors: error ? { form: error } : noErrors })
  const errors = found.draft === draft ? found.errors : noErrors
  const partyError = errors.to ?? party.error
  const form = useFirstError(errors)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    setChecking(true)
    const checked = await check().finally(() => setChecking(false))
    if (!('wish' in checked)) return setFound({ draft, errors: checked })
    setFound({ draft, errors: noErrors })
    const planned = await plan(checked.wish)
    if (planned === null) return
    if ('plan' in planned) return onPlan(planned.plan)
    setFound({ draft, errors: planned.errors })
  }

  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {parts.top}
      <div className={styles.field} data-bad={errors.amount !== undefined}>
        <div className={styles.row}>
          <label htmlFor="send-amount">{sendTexts.amount}</label>
          <span className={styles.available}>
            {amount.hint !== null && <span className={styles.hint}>{amount.hint}</span>}
            {amount.max}
          </span>
        </div>
        <div className={styles.row}>
          <input
            id="send-amount"
            className={styles.amount}
            data-first-focus
            value={amount.value}
            disabled={amount.isDisabled}
            onChange={(event) => amount.onChange(event.target.value)}
            inputMode="decimal"
            placeholder="0"
            autoComplete="off"
            aria-invalid={errors.amount !== undefined}
            aria-describedby="send-amount-error"
          />
          {amount.unit}
        </div>
        <p id="send-amount-error" className={fields.error} role="alert">
          {errors.amount}
        </p>
      </div>
      {parts.middle}
      <div className={styles.field} data-bad={partyError !== undefined}>
        <label htmlFor="send-to">{party.label}</label>
        <input
          id="send-to"
          className={styles.to}
          value={party.value}
          onChange={(event) => party.onChange(event.target.value)}
          placeholder={hasNames ? nameTexts.example : sendTexts.toExample}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={partyError !== undefined}
          aria-describedby="send-to-error"
        />
        <p id="send-to-error" className={fields.error} role="alert">
          {partyError}
        </p>
      </div>
      {party.choice}
      {parts.bottom}
      <p className={fields.error} role="alert">
        {errors.form}
      </p>
      <button type="submit" className={button.submit} aria-disabled={isPending}>
        {isPending && <Spinner />}
        <span>{isPending ? sendTexts.reading : sendTexts.review}</span>
      </button>
    </form>
  )
}

const noErrors: FieldErrors = {}
