import styles from './icon-button.module.css'

interface IconButtonProps {
  readonly label: string
  /** Drawn within 18 by 18. */
  readonly path: string
  readonly onClick: () => void
}

/** A button without words. */
export function IconButton({ label, path, onClick }: IconButtonProps) {
  return (
    <button type="button" className={styles.icon} aria-label={label} onClick={onClick}>
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
    </button>
  )
}

/** To close what it stands in. */
export const crossPath = 'm4.5 4.5 9 9m0-9-9 9'
