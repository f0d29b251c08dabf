import { shellTexts } from '#lib/page/texts/shell.ts'
import styles from './header.module.css'
import { Logo } from './logo.tsx'
import { menuEntries } from './menu-entries.ts'

/** The header where the app itself failed: plain links, no account, nothing that depends on the layout. */
export function PlainHeader({ name }: { name: string }) {
  return (
    <header className={styles.header}>
      <a className={styles.home} href="/">
        <Logo name={name} />
      </a>
      <nav className={styles.nav} aria-label={shellTexts.mainNavigation}>
        {menuEntries.map(({ href, text }) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
      </nav>
    </header>
  )
}
