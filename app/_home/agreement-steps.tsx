import { homeTexts } from '#lib/page/texts/home.ts'
import styles from './agreement-steps.module.css'

/** How an answer is agreed on, in three steps. */
export function Steps() {
  return (
    <ol className={styles.steps}>
      {homeTexts.steps.map(({ title, text }, index) => (
        <li key={title} className={styles.step}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  )
}
