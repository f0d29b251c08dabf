import type { OperatorVerdict } from '#lib/operator/operator.ts'
import { statusTexts } from '#lib/page/texts/status.ts'
import button from '../../_ui/button.module.css'
import form from '../../_ui/form.module.css'
import styles from './status.module.css'

export type LoginError = keyof typeof statusTexts.loginProblems

/** In place of what is for operators. */
export function OperatorOnly({ verdict }: { verdict: OperatorVerdict }) {
  return verdict === 'hidden' ? <p>{statusTexts.operatorOnly}</p> : <LoginForm error={null} />
}

/** A plain form. The token is sent once and exchanged for an HttpOnly cookie. */
export function LoginForm({ error }: { error: LoginError | null }) {
  return (
    <form className={styles.login} action="/api/operator/session" method="post">
      <label htmlFor="token" className={form.note}>
        {statusTexts.login}
      </label>
      <div>
        <input
          id="token"
          name="token"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={error !== null}
          aria-describedby={error ? 'token-error' : undefined}
        />
        <button type="submit" className={button.quiet}>
          {statusTexts.loginAction}
        </button>
      </div>
      {error && (
        <p id="token-error" className={form.error} role="alert">
          {statusTexts.loginProblems[error]}
        </p>
      )}
    </form>
  )
}

/** A plain form, so that it works without JavaScript. */
export function LogoutForm() {
  return (
    <form action="/api/operator/session" method="post">
      <button type="submit" name="end" value="1" className={button.bare}>
        {statusTexts.logout}
      </button>
    </form>
  )
}
