'use client'

import { type FormEvent, useState } from 'react'
import { sendTexts } from '#lib/page/texts/send.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import button from '../_ui/button.module.css'
import fields from '../_ui/form.module.css'
import { Spinner } from '../_ui/spinner.tsx'
import { type FieldErrors, planErrorsOf, useFirstError } from './field-errors.ts'
import { AmountField, PartyField } from './send-fields.tsx'
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
  const { plan, isPending: isPlanning } = usePlan()
  const [isChecking, setChecking] = useState(false)
  const isPending = isChecking || isPlanning
  const [found, setFound] = useState({ draft, errors: error ? { form: error } : noErrors })
  const errors = found.draft === draft ? found.errors : noErrors
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
    setFound({ draft, errors: planErrorsOf(planned) })
  }

  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {parts.top}
      <AmountField
        value={amount.value}
        disabled={amount.isDisabled}
        error={errors.amount}
        onChange={amount.onChange}
        hint={amount.hint}
        max={amount.max}
      >
        {amount.unit}
      </AmountField>
      {parts.middle}
      <PartyField
        label={party.label}
        value={party.value}
        error={errors.to ?? party.error}
        onChange={party.onChange}
      />
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
