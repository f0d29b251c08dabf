import { useLayoutEffect } from 'react'
import { connectShellId } from '#lib/page/early-press.ts'
import { accountTexts } from '#lib/page/texts/account.ts'
import styles from './connect-shell.module.css'

export interface ConnectShellProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/**
 * Stands where the list of wallets will be, while its code loads. In the HTML, so that a press before hydration opens it too:
 * lib/page/early-press.ts.
 */
export function ConnectShell({ isOpen, onClose }: ConnectShellProps) {
  // Escape works as soon as it stands there.
  useLayoutEffect(() => {
    if (!isOpen) return
    const hear = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
    addEventListener('keydown', hear)
    // Once it is painted, the list stands in its place without coming in again: rainbow/rainbow.css.
    const { dataset } = document.documentElement
    delete dataset.shell
    const frame = requestAnimationFrame(() => {
      dataset.shell = 'painted'
    })
    return () => {
      removeEventListener('keydown', hear)
      cancelAnimationFrame(frame)
    }
  }, [isOpen, onClose])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, above.
    <dialog
      id={connectShellId}
      className={styles.shell}
      open={isOpen}
      aria-label={accountTexts.list}
      aria-busy="true"
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={styles.panel}>
        <p className={styles.title}>{accountTexts.list}</p>
        <p className={styles.rows} aria-hidden="true" />
      </div>
    </dialog>
  )
}
