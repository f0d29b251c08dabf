import { headers } from 'next/headers'
import { chains } from '#lib/engine/chain-facts.ts'
import { sessionTexts } from '#lib/page/texts/sign-in.ts'
import { requireSession } from '#lib/sign-in/require-session.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import { Address } from '../_ui/address.tsx'
import page from '../_ui/page.module.css'
import styles from './account.module.css'
import { Sessions } from './session-list.tsx'
import { SignOut } from './sign-out.tsx'

export const metadata = { title: sessionTexts.title }

/** A page for signed-in visitors only: everything is rendered after `requireSession`. */
export default async function AccountPage() {
  const { address, chainId, endMs } = await requireSession()
  const locale = (await headers()).get('accept-language')?.split(',')[0] ?? 'en'
  const facts = chains()
  return (
    <section className={page.page}>
      <div className={styles.top}>
        <div>
          <p className={styles.label}>{sessionTexts.signedIn}</p>
          <h1 className={page.title}>{sessionTexts.title}</h1>
        </div>
        <SignOut />
      </div>
      <dl className={`${page.panel} ${page.facts}`}>
        <dt>{sessionTexts.address}</dt>
        <dd className={page.address}>
          <Address address={address} />
          <CopyButton text={address} label={sessionTexts.copy} />
        </dd>
        <dt>{sessionTexts.network}</dt>
        <dd>{facts.find(({ id }) => id === chainId)?.name ?? chainId}</dd>
        <dt>{sessionTexts.until}</dt>
        <dd>{timeIn(locale, endMs)}</dd>
      </dl>
      <Sessions chains={facts.map(({ id, name }) => ({ id, name }))} />
    </section>
  )
}

/** The server does not know the visitor's time zone, so the time includes its own. */
function timeIn(locale: string, ms: number): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  try {
    return `${new Intl.DateTimeFormat(locale, options).format(ms)} UTC`
  } catch {
    return `${new Intl.DateTimeFormat('en', options).format(ms)} UTC`
  }
}
