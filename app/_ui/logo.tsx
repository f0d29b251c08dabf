import type { StaticImageData } from 'next/image'
import icon from '../icon.svg'
import styles from './logo.module.css'

const { src }: StaticImageData = icon

/** The icon of the site and its name. */
export function Logo({ name }: { name: string }) {
  return (
    <span className={styles.logo}>
      {/* biome-ignore lint/performance/noImgElement: next/image is code in every page. */}
      <img src={src} alt="" width="30" height="30" />
      <span className={styles.name} translate="no">
        {name}
      </span>
    </span>
  )
}
