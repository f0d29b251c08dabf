import type { ReactNode } from 'react'
import styles from './icon-button.module.css'

interface IconButtonProps {
  readonly label: string
  /** Drawn within 18 by 18. */
  readonly path: string
  /** In place of the path. */
  readonly children?: ReactNode
  readonly onClick: () => void
}

/** A button without words. */
export function IconButton({ label, path, children, onClick }: IconButtonProps) {
  return (
    <button type="button" className={styles.icon} aria-label={label} onClick={onClick}>
      {children || (
        <svg
          width="18"
          height="18"
          viewBox="0 0 18 18"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
      )}
    </button>
  )
}

/** To close what it stands in. */
export const crossPath = 'm4.5 4.5 9 9m0-9-9 9'

/** Three dots, for what else can be done. */
export const morePath = [3, 9, 15].map((x) => `M${x - 0.8} 9a.8.8 0 1 1 1.6 0a.8.8 0 1 1-1.6 0`).join('')
