import { redirect } from 'next/navigation'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import { sessionState } from '#lib/sign-in/require-session.ts'
import button from '../_ui/button.module.css'
import { Notice } from '../_ui/notice.tsx'
import { PageLink } from '../_ui/page-link.tsx'
import { VerifyStep } from '../_wallet/verify-step.tsx'
import styles from './sign-in.module.css'

export const metadata = { title: signInTexts.title }

export default async function SignInPage() {
  const session = await sessionState()
  // To ask for another signature would end here again.
  if (session === 'unavailable' || session === 'lost') return <NotNow text={signInTexts[session]} />
  if (session !== null) redirect('/account')
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

function NotNow({ text }: { text: string }) {
  return (
    <Notice title={signInTexts.notNow} text={text}>
      <PageLink className={button.submit} href="/account">
        {signInTexts.again}
      </PageLink>
      <PageLink className={button.bare} href="/">
        {signInTexts.cancel}
      </PageLink>
    </Notice>
  )
}
