import type { ReactNode } from 'react'
import styles from './scroll-region.module.css'

export interface ScrollRegionProps {
  /** The accessible name. */
  readonly label: string
  readonly children: ReactNode
  readonly className?: string | undefined
}

/** Scrolls its overflowing content instead of the page. */
export function ScrollRegion({ label, children, className = '' }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={`${styles.region} ${className}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
