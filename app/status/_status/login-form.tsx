import { statusTexts } from '#lib/page/texts/status.ts'
import button from '../../_ui/button.module.css'
import styles from './status.module.css'

/** A plain form: the token goes to the server once and comes back as a cookie that no script can read. */
export function LoginForm({ wrong }: { wrong: boolean }) {
  return (
    <form className={styles.login} action="/api/operator/session" method="post">
      <input type="hidden" name="to" value="/status" />
      <label htmlFor="token">{statusTexts.login}</label>
      <div>
        <input
          id="token"
          name="token"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={wrong}
          aria-describedby={wrong ? 'token-problem' : undefined}
        />
        <button type="submit" className={button.quiet}>
          {statusTexts.loginAction}
        </button>
      </div>
      {wrong && (
        <p id="token-problem" role="alert">
          {statusTexts.loginWrong}
        </p>
      )}
    </form>
  )
}
