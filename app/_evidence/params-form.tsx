import { paramsTexts } from '#lib/page/texts/evidence.ts'
import button from '../_ui/button.module.css'
import styles from './evidence-checks.module.css'

/** A field for the params of the call, for a visitor who knows them. It works without script: they become part of the link. */
export function ParamsForm() {
  return (
    <section className={styles.section}>
      <h2>{paramsTexts.title}</h2>
      <p>{paramsTexts.story}</p>
      <form className={styles.form} method="get">
        <label>
          {paramsTexts.params}
          <input name="params" required placeholder='["0x…"]' autoComplete="off" spellCheck={false} />
        </label>
        <button type="submit" className={button.quiet}>
          {paramsTexts.action}
        </button>
      </form>
    </section>
  )
}
