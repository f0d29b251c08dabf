import { accountTexts } from '#lib/page/texts/account.ts'
import button from './button.module.css'
import styles from './dialog.module.css'

/** The title of a dialog, and the way out. */
export function DialogHead({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  return (
    <header className={styles.head}>
      <h2 id={id}>{title}</h2>
      <button type="button" className={button.bare} onClick={onClose}>
        {accountTexts.stopLooking}
      </button>
    </header>
  )
}
