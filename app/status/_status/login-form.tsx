import { statusTexts } from '#lib/page/texts/status.ts'
import button from '../../_ui/button.module.css'
import styles from './status.module.css'

export type LoginProblem = keyof typeof statusTexts.loginProblems

/** A plain form. The token is sent once and exchanged for an HttpOnly cookie. */
export function LoginForm({ problem }: { problem: LoginProblem | null }) {
  return (
    <form className={styles.login} action="/api/operator/session" method="post">
      <label htmlFor="token">{statusTexts.login}</label>
      <div>
        <input
          id="token"
          name="token"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={problem !== null}
          aria-describedby={problem ? 'token-problem' : undefined}
        />
        <button type="submit" className={button.quiet}>
          {statusTexts.loginAction}
        </button>
      </div>
      {problem && (
        <p id="token-problem" role="alert">
          {statusTexts.loginProblems[problem]}
        </p>
      )}
    </form>
  )
}
