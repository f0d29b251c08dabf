import { shellTexts } from '#lib/page/texts/shell.ts'
import styles from './header.module.css'
import { Logo } from './logo.tsx'

export interface HeaderProps {
  readonly name: string
  readonly demo: boolean
  /** The page that is open, when it is one of the menu's. */
  readonly current?: '/' | '/status'
  /** The account corner, which operators' pages do not have. */
  readonly children?: React.ReactNode
}

const menu = [
  { href: '/', text: shellTexts.home },
  { href: '/status', text: shellTexts.nodes },
] as const

/** The head of every page. */
export function Header({ name, demo, current, children }: HeaderProps) {
  return (
    <>
      <a className={styles.skip} href="#content">
        {shellTexts.skip}
      </a>
      <header>
        {demo && (
          <p className={styles.demo}>
            <span className={styles.dot} aria-hidden="true" />
            {shellTexts.demo}
          </p>
        )}
        {children && (
          <noscript>
            <p className={styles.demo}>{shellTexts.withoutScripts}</p>
          </noscript>
        )}
        <div className={styles.header}>
          <a className={styles.home} href="/">
            <Logo name={name} />
          </a>
          <nav className={styles.nav} aria-label={shellTexts.mainNavigation}>
            {menu.map(({ href, text }) => (
              <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
                {text}
              </a>
            ))}
          </nav>
          <div className={styles.corner}>{children}</div>
        </div>
      </header>
    </>
  )
}
