'use client'

import { nameTexts } from '#lib/page/texts/names.ts'
import { sendTexts } from '#lib/page/texts/send.ts'
import form from '../_ui/form.module.css'
import { useSite } from '../_wallet/wallet.ts'
import styles from './send-form.module.css'

interface FieldProps {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

interface AmountFieldProps extends FieldProps {
  /** The available amount. */
  readonly hint: string | null
  /** A button that fills in all that can be sent. */
  readonly max?: React.ReactNode
  readonly disabled?: boolean | undefined
  /** The unit, or a unit selector. */
  readonly children: React.ReactNode
}

/** The amount field, in a large font. */
export function AmountField({ value, error, onChange, hint, max, disabled, children }: AmountFieldProps) {
  return (
    <div className={styles.field} data-bad={error !== undefined}>
      <div className={styles.row}>
        <label htmlFor="send-amount">{sendTexts.amount}</label>
        <span className={styles.available}>
          {hint !== null && <span className={styles.hint}>{hint}</span>}
          {max}
        </span>
      </div>
      <div className={styles.row}>
        <input
          id="send-amount"
          className={styles.amount}
          data-first-focus
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
          inputMode="decimal"
          placeholder="0"
          autoComplete="off"
          aria-invalid={error !== undefined}
          aria-describedby="send-amount-error"
        />
        {children}
      </div>
      <p id="send-amount-error" className={form.error} role="alert">
        {error}
      </p>
    </div>
  )
}

/** The address field of the recipient or spender. */
export function PartyField({ value, error, onChange, label }: FieldProps & { readonly label: string }) {
  const { hasNames } = useSite()
  return (
    <div className={styles.field} data-bad={error !== undefined}>
      <label htmlFor="send-to">{label}</label>
      <input
        id="send-to"
        className={styles.to}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={hasNames ? nameTexts.example : sendTexts.toExample}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby="send-to-error"
      />
      <p id="send-to-error" className={form.error} role="alert">
        {error}
      </p>
    </div>
  )
}
