import type { ReactNode } from 'react'
import styles from './scroll-region.module.css'

export interface ScrollRegionProps {
  /** What it holds, for who cannot see it. */
  readonly label: string
  readonly children: ReactNode
  readonly className?: string | undefined
}

/** What is wider or longer than its place scrolls here, never the page. */
export function ScrollRegion({ label, children, className = '' }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={`${styles.region} ${className}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
