import { shellTexts } from '#lib/page/texts/shell.ts'
import styles from './footer.module.css'
import { PageLink } from './page-link.tsx'

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>{shellTexts.footer}</p>
      <p>{shellTexts.privacy}</p>
      <PageLink href="/account">{shellTexts.account}</PageLink>
      <PageLink href="/status">{shellTexts.nodes}</PageLink>
    </footer>
  )
}
