import { createStore } from './value-store.ts'

/** What a notification says beside its text. */
export interface NotifyOptions {
  readonly title?: string | undefined
  /** It is read out at once, and stays until it is closed. */
  readonly isError?: boolean | undefined
  readonly action?: { readonly text: string; readonly run: () => void } | undefined
  /** The visitor has closed it. */
  readonly onClose?: (() => void) | undefined
}

export interface Notification extends NotifyOptions {
  readonly id: number
  readonly text: string
}

/** An error and another one at most. */
export const notifications = createStore<readonly Notification[]>([])

let lastId = 0

/**
 * Shows a message at the bottom of the page, or of the dialog that is open, in place of the message before. A message closes by itself
 * after five seconds; an error stays until the visitor closes it, or another error comes. Returns a function that closes it.
 *
 * @example notify('Copied')
 */
export function notify(text: string, options: NotifyOptions = {}): () => void {
  const id = ++lastId
  const errors = options.isError ? [] : notifications.get().filter(({ isError }) => isError)
  notifications.set([...errors, { ...options, id, text }])
  return () => closeNotification(id)
}

export function closeNotification(id: number): void {
  const all = notifications.get()
  if (all.some((one) => one.id === id)) notifications.set(all.filter((one) => one.id !== id))
}
