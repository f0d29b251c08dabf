import { redirect } from 'next/navigation'
import { shellTexts } from '#lib/page/texts/shell.ts'
import { signInTexts } from '#lib/page/texts/sign-in.ts'
import { nextPath } from '#lib/sign-in/next-path.ts'
import { sessionState } from '#lib/sign-in/require-session.ts'
import button from '../_ui/button.module.css'
import { Notice } from '../_ui/notice.tsx'
import { PageLink } from '../_ui/page-link.tsx'
import { VerifyStep } from '../_wallet/verify-step.tsx'
import styles from './sign-in.module.css'

export const metadata = { title: signInTexts.title }

interface Props {
  readonly searchParams: Promise<{ readonly next?: string | string[] }>
}

export default async function SignInPage({ searchParams }: Props) {
  const next = nextPath((await searchParams).next)
  const session = await sessionState()
  // To ask for another signature would end here again.
  if (session === 'unavailable' || session === 'lost')
    return <NotNow text={signInTexts[session]} next={next} />
  if (session !== null) redirect(next)
  return (
    <section className={styles.card} aria-labelledby="sign-in-title">
      <VerifyStep
        titleId="sign-in-title"
        next={next}
        cancel={
          <PageLink className={button.bare} href="/">
            {signInTexts.cancel}
          </PageLink>
        }
      />
    </section>
  )
}

function NotNow({ text, next }: { text: string; next: `/${string}` }) {
  return (
    <Notice title={signInTexts.notNow} text={text}>
      <PageLink className={button.submit} href={next}>
        {shellTexts.retry}
      </PageLink>
      <PageLink className={button.bare} href="/">
        {signInTexts.cancel}
      </PageLink>
    </Notice>
  )
}
