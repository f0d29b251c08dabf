import { homeTexts } from '#lib/page/texts/home.ts'
import type { Typed } from '#lib/page/typed-address.ts'
import { site } from '#site'
import styles from './hero.module.css'
import { HeroAction } from './hero-action.tsx'
import { LookUp } from './look-up.tsx'

/** The introduction for new visitors. */
export function Hero({ typed }: { typed: Typed }) {
  return (
    <div className={styles.words}>
      <h1 className={styles.claim}>{site.claim}</h1>
      <p className={styles.story}>{homeTexts.story}</p>
      <HeroAction />
      <LookUp typed={typed} />
    </div>
  )
}
