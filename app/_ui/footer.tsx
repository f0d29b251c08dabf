import { shellTexts } from '#lib/page/texts/shell.ts'
import { AccountLink } from '../_wallet/account-link.tsx'
import styles from './footer.module.css'
import { PageLink } from './page-link.tsx'

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>{shellTexts.footer}</p>
      <p>{shellTexts.privacy}</p>
      <AccountLink href="/account">{shellTexts.account}</AccountLink>
      <PageLink href="/token">{shellTexts.token}</PageLink>
      <PageLink href="/status">{shellTexts.nodes}</PageLink>
    </footer>
  )
}
