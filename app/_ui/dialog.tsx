import { useEffect, useRef } from 'react'
import styles from './dialog.module.css'
import { useBackToClose } from './use-back-to-close.ts'

export interface DialogProps {
  /** Its accessible name, or the id of the element that has it. */
  readonly name: { readonly text: string } | { readonly id: string }
  /** With a new step the focus moves to its `data-first-focus`. By default the browser would focus the close button. */
  readonly step?: string
  readonly onClose: () => void
  readonly children: (close: () => void) => React.ReactNode
}

/** A modal dialog, open as long as it is rendered: in the middle of the page, a sheet on phones. */
export function Dialog({ name, step, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useBackToClose(true, () => dialog.current?.close())
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step renders other elements.
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus()
  }, [step])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      {...('text' in name ? { 'aria-label': name.text } : { 'aria-labelledby': name.id })}
      onClose={onClose}
    >
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
