import { site } from '#site'
import styles from './logo.module.css'

/** The icon of the site and its name. */
export function Logo({ name }: { name: string }) {
  return (
    <span className={styles.logo}>
      {/* biome-ignore lint/performance/noImgElement: next/image is code in every page. */}
      <img src={site.logo} alt="" width="30" height="30" />
      <span className={styles.name} translate="no">
        {name}
      </span>
    </span>
  )
}
