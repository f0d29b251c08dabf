import styles from './spinner.module.css'

/** Something is under way; the words beside it say what. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
