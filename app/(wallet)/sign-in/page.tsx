import { redirect } from 'next/navigation'
import { currentSession } from '#lib/auth/require-session.ts'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import button from '../../_ui/button.module.css'
import { PageLink } from '../../_ui/page-link.tsx'
import { VerifyStep } from '../../_wallet/verify-step.tsx'
import styles from './sign-in.module.css'

export const metadata = { title: signInTexts.title }

export default async function SignInPage() {
  const session = await currentSession()
  if (session !== null && session !== 'unavailable') redirect('/account')
  return (
    <section className={styles.card} aria-labelledby="sign-in-title">
      <VerifyStep
        titleId="sign-in-title"
        next="/account"
        cancel={
          <PageLink className={button.bare} href="/">
            {signInTexts.cancel}
          </PageLink>
        }
      />
    </section>
  )
}
