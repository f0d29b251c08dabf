import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { closeNotification, type Notification } from '#lib/page/notify.ts'
import { shellTexts } from '#lib/page/texts/shell.ts'
import button from './button.module.css'
import styles from './notifications.module.css'

const notificationMs = 5000

export function Toast({ id, text, title, isError = false, action, onClose }: Notification) {
  const toast = useRef<HTMLDivElement>(null)
  const focusedBefore = useRef<Element | null>(null)
  // What fills an element that is there already is read out.
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  useEffect(() => {
    if (isError) return
    // It waits while it is pointed at or has the focus.
    const close = () => toast.current?.matches(':hover, :focus-within') || closeNotification(id)
    const timer = setInterval(close, notificationMs)
    return () => clearInterval(timer)
  }, [id, isError])
  const close = () => {
    if (hasFocus(toast.current) && focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus()
    closeNotification(id)
    onClose?.()
  }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !(hasFocus(toast.current) || !document.querySelector(dialogs))) return
      event.preventDefault()
      event.stopPropagation()
      close()
    }
    addEventListener('keydown', onKeyDown, true)
    return () => removeEventListener('keydown', onKeyDown, true)
  })
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    focusedBefore.current ??= relatedTarget
  }
  return (
    <div ref={toast} className={styles.toast} data-error={isError}>
      <div role={isError ? 'alert' : 'status'}>
        {isThere && title && <strong>{title}</strong>}
        {isThere && <p>{text}</p>}
      </div>
      {action && (
        <button type="button" className={button.quiet} onFocus={onFocus} onClick={action.run}>
          {action.text}
        </button>
      )}
      <button type="button" className={button.bare} onFocus={onFocus} onClick={close}>
        {shellTexts.dismiss}
      </button>
    </div>
  )
}

/** Above which Escape closes them first. */
const dialogs = 'dialog[open], [role=dialog]'

const hasFocus = (element: Element | null) => element?.contains(document.activeElement) === true
