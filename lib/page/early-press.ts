/** The property of `window` in which the script below records a press. */
const slot = 'quorateEarlyPress'

/** The dialog that a press on `data-press="connect"` opens at once: app/_wallet/connect-shell.tsx. */
export const connectShellId = 'connect-shell'

/**
 * Inlined in the HTML, so that it runs before hydration: records the last click on a button with `data-press` and marks it as
 * busy. Only buttons that are safe to press twice have the attribute.
 */
export const earlyPressScript = `{
  const early = { button: null }
  const press = (button) => {
    const shell = document.getElementById('${connectShellId}')
    if (early.button) early.button.removeAttribute('aria-busy')
    if (button) button.setAttribute('aria-busy', 'true')
    if (shell) shell.open = button !== null && button.dataset.press === 'connect'
    early.button = button
  }
  const hear = ({ target }) => {
    const button = target.closest && target.closest('button[data-press]')
    if (button || target.id === '${connectShellId}') press(button)
  }
  const leave = ({ key }) => { if (key === 'Escape') press(null) }
  early.stop = () => {
    removeEventListener('click', hear, true)
    removeEventListener('keydown', leave)
  }
  window.${slot} = early
  addEventListener('click', hear, true)
  addEventListener('keydown', leave)
}`

interface EarlyPress {
  readonly button: HTMLButtonElement | null
  readonly stop: () => void
}

/** Replays a click from before hydration and stops recording. */
export function replayPress(): void {
  const early = Reflect.get(window, slot) as EarlyPress | undefined
  Reflect.deleteProperty(window, slot)
  early?.stop()
  // The click opens it again, unless its button has gone.
  document.getElementById(connectShellId)?.removeAttribute('open')
  early?.button?.removeAttribute('aria-busy')
  early?.button?.click()
}
