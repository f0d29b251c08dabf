import { openMenu, walletPath } from '#lib/config/features.ts'
import { shellTexts } from '#lib/page/texts/shell.ts'
import { site } from '#site'
import styles from './header.module.css'
import { Menu } from './menu.tsx'
import { PageLink } from './page-link.tsx'

export interface HeaderProps {
  readonly name: string
  readonly demo: boolean
  /** The account button. */
  readonly children: React.ReactNode
}

/** The header of every page. */
export function Header({ name, demo, children }: HeaderProps) {
  return (
    <>
      <a className={styles.skip} href="#content">
        {shellTexts.skip}
      </a>
      <header>
        {demo && (
          <p className={styles.demo}>
            <span className={styles.dot} aria-hidden="true" />
            <span>{shellTexts.demo}</span>
          </p>
        )}
        <noscript>
          <p className={styles.demo}>{shellTexts.withoutScripts}</p>
        </noscript>
        <div className={styles.header}>
          <PageLink className={styles.home} href="/">
            {/* biome-ignore lint/performance/noImgElement: next/image is code in every page. */}
            <img src={site.logo} alt="" width="30" height="30" />
            <span className={styles.name} translate="no">
              {name}
            </span>
          </PageLink>
          <nav className={styles.nav} aria-label={shellTexts.mainNavigation}>
            <Menu entries={[{ href: walletPath(), text: shellTexts.home }, ...openMenu()]} />
          </nav>
          <div className={styles.corner}>{children}</div>
        </div>
      </header>
    </>
  )
}
