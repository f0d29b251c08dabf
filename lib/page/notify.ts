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
let current: readonly Notification[] = []
let lastId = 0
const listeners = new Set<() => void>()

/**
 * Shows a message at the bottom of the page, or of the dialog that is open, in place of the message before. A message closes by itself
 * after five seconds; an error stays until the visitor closes it, or another error comes. Returns a function that closes it.
 *
 * @example notify('Copied')
 */
export function notify(text: string, options: NotifyOptions = {}): () => void {
  const id = ++lastId
  const errors = options.isError ? [] : current.filter(({ isError }) => isError)
  set([...errors, { ...options, id, text }])
  return () => closeNotification(id)
}

export function closeNotification(id: number): void {
  if (current.some((notification) => notification.id === id)) set(current.filter((other) => other.id !== id))
}

export const getNotifications = () => current

export function subscribeNotifications(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

function set(notifications: readonly Notification[]): void {
  current = notifications
  for (const changed of [...listeners]) changed()
}
