import styles from './fold.module.css'

/** A part of a chain that narrow screens show on request, and wide ones always. */
export function Fold({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <details className={styles.fold}>
      <summary translate="no">{title}</summary>
      {children}
    </details>
  )
}
