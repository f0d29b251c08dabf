import { type FormEvent, useEffect, useRef, useState } from 'react'
import { nameTexts } from '#lib/page/texts/names.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import type { Plan } from '#lib/wallet/plan.ts'
import { amountFaultText, parseAmount } from '#lib/wallet/units.ts'
import { BusyButton } from '../_ui/busy-button.tsx'
import fields from '../_ui/form.module.css'
import { Worded } from '../_ui/worded.tsx'
import { useSite } from '../_wallet/wallet.ts'
import type { FieldErrors } from './field-errors.ts'
import styles from './send-form.module.css'
import { useParty } from './use-party.tsx'
import { type Planning, type TransactionWish, usePlan } from './use-plan.ts'

export interface PlanFormProps {
  /** The current input. A problem is shown until it changes. */
  readonly draft: object
  /** Why the form is shown again, if not by the visitor's choice. */
  readonly error: string | undefined
  readonly chainId: number
  readonly amount: {
    readonly value: string
    /** Takes the place of what is typed: the field cannot be changed. */
    readonly fixed?: bigint | false
    /** Of the unit in which it is typed. */
    readonly decimals: number
    readonly symbol: string
    /** Why this amount, in smallest units, cannot be sent. */
    readonly errorOf: (units: bigint) => string | false
    /** The available amount. */
    readonly available: string | null
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
    readonly onChange: (value: string) => void
  }
  /** What stands above the amount, between amount and address, and below. */
  readonly top?: React.ReactNode
  readonly middle?: React.ReactNode
  readonly bottom?: React.ReactNode
  readonly toWish: (party: `0x${string}`, units: bigint) => Omit<TransactionWish, 'chainId'>
  readonly onPlan: (plan: Plan) => void
}

/** Amount and address. Submits to a plan that was read and simulated at an agreed block. */
export function PlanForm({ draft, error, chainId, amount, party, toWish, onPlan, ...parts }: PlanFormProps) {
  const { hasNames, figures } = useSite()
  const { find, choice } = useParty(party.value, chainId)
  const plan = usePlan()
  const [isPending, setPending] = useState(false)
  const [found, setFound] = useState({ draft, errors: error ? { form: error } : noErrors })
  const errors = found.draft === draft ? found.errors : noErrors
  const partyError = errors.to ?? party.error
  const form = useRef<HTMLFormElement>(null)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  // The first field with an error gets the focus.
  useEffect(() => {
    if (errors.to ?? errors.amount) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  /** Reads the input, and looks up a name in it. Null without an account. */
  async function planDraft(): Promise<Planning | null> {
    const { value, fixed, decimals, symbol } = amount
    const found = await find()
    const typed = fixed
      ? { value: fixed }
      : parseAmount(value, { decimals, decimalMark: figures.marks.decimal, symbol })
    const amountError = 'fault' in typed ? amountFaultText(typed) : amount.errorOf(typed.value)
    const toError = 'error' in found ? found.error : party.error
    if ('error' in found || 'fault' in typed || amountError || toError)
      return { errors: { ...(amountError && { amount: amountError }), ...(toError && { to: toError }) } }
    const { address, named } = found
    return plan({ chainId, ...toWish(address, typed.value), ...(named && { named }) })
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    setPending(true)
    setFound({ draft, errors: noErrors })
    const planned = await planDraft().finally(() => setPending(false))
    // What was typed meanwhile has to be submitted first.
    if (planned === null || latest.current !== draft) return
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
            {amount.available !== null && (
              <span className={styles.hint}>
                <Worded text={sendTexts.balance(amount.available)} />
              </span>
            )}
            {amount.max}
          </span>
        </div>
        <div className={styles.row}>
          <input
            id="send-amount"
            className={styles.amount}
            data-first-focus
            value={amount.fixed ? '' : amount.value}
            disabled={Boolean(amount.fixed)}
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
          <Worded text={errors.amount} />
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
          <Worded text={partyError} />
        </p>
      </div>
      {choice}
      {parts.bottom}
      <p className={fields.error} role="alert">
        <Worded text={errors.form} />
      </p>
      <BusyButton type="submit" busy={isPending && sendTexts.reading}>
        {sendTexts.review}
      </BusyButton>
    </form>
  )
}

const noErrors: FieldErrors = {}
