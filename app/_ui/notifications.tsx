'use client'

import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { notifications } from '#lib/page/notify.ts'
import { lazyCode, useCode } from './lazy-code.ts'
import styles from './notifications.module.css'

const toast = lazyCode('toast', () => import('./toast.tsx'))

/** Shows what `notify` says: in the topmost dialog, outside of which nothing can be pressed, else on the page. */
export function Notifications() {
  const all = useSyncExternalStore(notifications.subscribe, notifications.get, notifications.get)
  const { module } = useCode(toast, { isWanted: all.length > 0 })
  if (!module || all.length === 0) return null
  const toasts = all.map((each) => <module.Toast key={each.id} {...each} />)
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1)
  return createPortal(<div className={styles.place}>{toasts}</div>, dialog ?? document.body)
}
