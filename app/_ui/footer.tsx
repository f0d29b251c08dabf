import { openMenu } from '#lib/config/features.ts'
import { shellTexts } from '#lib/page/texts/shell.ts'
import { features } from '#site'
import { AccountLink } from '../_wallet/account-link.tsx'
import styles from './footer.module.css'
import { PageLink } from './page-link.tsx'

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>{shellTexts.footer}</p>
      <p>{shellTexts.privacy}</p>
      {features.signIn && <AccountLink href="/account">{shellTexts.account}</AccountLink>}
      {openMenu().map(({ href, text }) => (
        <PageLink key={href} href={href}>
          {text}
        </PageLink>
      ))}
    </footer>
  )
}
