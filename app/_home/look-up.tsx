import { addressTexts } from '#lib/page/texts/address.ts'
import { homeTexts } from '#lib/page/texts/home.ts'
import { nameTexts } from '#lib/page/texts/names.ts'
import type { Typed } from '#lib/page/typed-address.ts'
import { features } from '#site'
import button from '../_ui/button.module.css'
import form from '../_ui/form.module.css'
import { GetForm } from './get-form.tsx'
import styles from './look-up.module.css'

/** A plain GET form: a lookup needs neither a wallet nor JavaScript. */
export function LookUp({ typed }: { typed: Typed }) {
  const refused = typed.kind === 'refused' ? typed : null
  const text = typed.kind === 'nothing' ? '' : typed.kind === 'address' ? typed.address : typed.text
  return (
    <search className={styles.place}>
      <GetForm className={styles.form} action="/">
        <label className={form.note} htmlFor="address">
          {homeTexts.lookUp}
        </label>
        <div className={styles.field}>
          <input
            id="address"
            name="address"
            className={styles.input}
            defaultValue={text}
            placeholder={features.names ? nameTexts.example : homeTexts.lookUpExample}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            aria-invalid={refused !== null}
            aria-describedby={refused ? 'address-error' : undefined}
          />
          <button type="submit" className={button.quiet}>
            {homeTexts.lookUpAction}
          </button>
        </div>
        {refused && (
          <p id="address-error" className={form.error} role="alert">
            {addressTexts[refused.why]}
          </p>
        )}
      </GetForm>
    </search>
  )
}
