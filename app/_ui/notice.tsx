import styles from './notice.module.css'

/** A page with a single message. */
export function Notice({
  title,
  text,
  children,
}: {
  title: string
  text: string
  children?: React.ReactNode
}) {
  return (
    <section className={styles.notice}>
      <div className={styles.seal} aria-hidden="true" />
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      <div className={styles.actions}>{children}</div>
    </section>
  )
}
