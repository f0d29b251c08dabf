import { chains } from '#lib/engine/chain-facts.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import { sessionTexts } from '#lib/page/texts/sign-in.ts'
import { requireSession } from '#lib/sign-in/require-session.ts'
import { CopyButton } from '../_home/copy-button.tsx'
import { Address } from '../_ui/address.tsx'
import form from '../_ui/form.module.css'
import page from '../_ui/page.module.css'
import styles from './account.module.css'
import { LocalTime } from './local-time.tsx'
import { Sessions } from './session-list.tsx'
import { SignOut } from './sign-out.tsx'

export const metadata = { title: sessionTexts.title }

/** A page for signed-in visitors only: everything is rendered after `requireSession`. */
export default async function AccountPage() {
  const { address, chainId, endMs } = await requireSession()
  const facts = chains()
  return (
    <section className={page.page}>
      <div className={styles.top}>
        <div>
          <p className={form.note}>{sessionTexts.signedIn}</p>
          <h1 className={page.title}>{sessionTexts.title}</h1>
        </div>
        <SignOut />
      </div>
      <dl className={`${page.panel} ${page.facts}`}>
        <dt>{sessionTexts.address}</dt>
        <dd className={page.address}>
          <Address address={address} />
          <CopyButton text={address} label={accountTexts.copy} />
        </dd>
        <dt>{accountTexts.network}</dt>
        <dd>{facts.find(({ id }) => id === chainId)?.name ?? chainId}</dd>
        <dt>{sessionTexts.until}</dt>
        <dd>
          <LocalTime ms={endMs} />
        </dd>
      </dl>
      <Sessions chains={facts.map(({ id, name }) => ({ id, name }))} />
    </section>
  )
}
