import { shellTexts } from '#lib/page/texts/shell.ts'
import styles from './footer.module.css'

export function Footer() {
  return (
    <footer className={styles.footer}>
      <p>{shellTexts.footer}</p>
      <p>{shellTexts.privacy}</p>
      <a href="/status">{shellTexts.nodes}</a>
    </footer>
  )
}
